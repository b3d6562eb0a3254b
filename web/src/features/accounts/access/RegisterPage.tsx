import { Button } from '../../../ui/Button.tsx';
import { TextInput } from '../../../ui/Field.tsx';
import { Link } from '../../../ui/Link.tsx';
import { useNavigate } from '../../../shared/router.ts';
import { registrationBody } from '#contract/calls/access.ts';
import { paths } from '../../../paths.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { EmailField } from '../../../ui/EmailField.tsx';
import { FieldPair, Form, FormFoot } from '../../../ui/Form.tsx';
import { NewPasswordField } from '../../../ui/NewPasswordField.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { registerAccount } from './accounts.api.ts';
import { type StoredInvite, useStoredInvite } from './model/stored-invite.ts';

/** Creates an account. The next step is the invitation that led here, or the school's registration. */
export default function RegisterPage() {
  const invite = useStoredInvite();
  return <Registration key={invite?.id} invite={invite} />;
}

function Registration({ invite }: { invite: StoredInvite | null }) {
  const navigate = useNavigate();
  const form = useSchemaForm({
    schema: registrationBody,
    initialValues: { first_name: '', last_name: '', email: invite?.email ?? '', password: '', user_type: 'enterprise' },
    unsavedText: 'You have not registered yet.',
  });
  const submit = form.onSubmit(async (body) => {
    await registerAccount(body);
    await navigate(invite ? paths.invite(invite.id) : paths.subscriptionStep('register'), { replace: true });
  });

  return (
    <>
      <PageHeader
        title="Register"
        lead={invite ? undefined : 'Create your own account first, then register your school.'}
      />
      {invite && <Notice>Your invitation is for {invite.email}. Register with this email to accept it.</Notice>}
      <Form form={form} onSubmit={submit}>
        <FieldPair>
          <TextInput {...form.field('first_name')} label="First name" autoComplete="given-name" />
          <TextInput {...form.field('last_name')} label="Last name" autoComplete="family-name" />
        </FieldPair>
        <EmailField {...form.field('email')} autoComplete="email" />
        <NewPasswordField
          {...form.field('password')}
          names={[form.form.values.first_name, form.form.values.last_name]}
          label="Password"
        />
        <Button type="submit" loading={form.isSubmitting}>
          Register
        </Button>
      </Form>
      <FormFoot>
        Already registered? <Link to={paths.login()}>Log in</Link>
      </FormFoot>
    </>
  );
}
