import { Button } from '../../../ui/Button.tsx';
import { useNavigate, useSearchParams } from '../../../shared/router.ts';
import { z } from 'zod';
import { newPassword } from '#contract/fields.ts';
import { paths } from '../../../paths.ts';
import { useUser } from '../../../shared/session.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { Form, FormFoot } from '../../../ui/Form.tsx';
import { NewPasswordField } from '../../../ui/NewPasswordField.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { SetUpLinks, SignInNotice } from '../sign-in-providers/sign-in-providers.public.ts';
import { chooseFirstPassword } from './accounts.api.ts';
import { LogOutLink } from '../../../ui/LogOutForm.tsx';

const passwordForm = z.object({ password: newPassword });

/** A user who must choose a password does so before anything else. */
export default function NewPasswordPage() {
  const user = useUser();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const form = useSchemaForm({ schema: passwordForm, initialValues: { password: '' } });
  const submit = form.onSubmit(async ({ password }) => {
    await chooseFirstPassword(user.email, password);
    await navigate(paths.dashboard(), { replace: true });
  });

  if (!user.require_password_reset && !form.isSubmitting)
    return (
      <>
        <PageHeader
          title="Create new password"
          lead="Your account already has a password. You can change it in your details."
        />
        <ButtonLink to={paths.account()}>My details</ButtonLink>
      </>
    );

  return (
    <>
      <PageHeader
        title="Create new password"
        lead={`Welcome, ${user.first_name}. Choose the password that you will log in with as ${user.email}.`}
      />
      <SignInNotice outcome={query.get('sign-in')} />
      <Form form={form} onSubmit={submit}>
        {/* Password managers store a password under the username field before it. */}
        <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
        <NewPasswordField
          {...form.field('password')}
          names={[user.first_name, user.last_name, user.enterprise?.name ?? '']}
          label="New password"
        />
        <Button type="submit" loading={form.isSubmitting}>
          Save password
        </Button>
      </Form>
      <SetUpLinks />
      <FormFoot>
        <LogOutLink />
      </FormFoot>
    </>
  );
}
