import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { TextInput } from '../../../ui/Field.tsx';
import { useState } from 'react';
import { updateMeBody, type User } from '#contract/calls/access.ts';
import { email, personName } from '#contract/fields.ts';
import { z } from 'zod';
import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { ApiError } from '../../../shared/api-error.ts';
import { errorToText } from '../../../shared/error-text.ts';
import { otherSchools } from '../../../shared/own-schools.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { useUser } from '../../../shared/session.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { EmailField } from '../../../ui/EmailField.tsx';
import { Form } from '../../../ui/Form.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useUpdateMe } from './account.api.ts';
import { EmailNotice } from './components/EmailNotice.tsx';
import { EraseAccount } from './components/EraseAccount.tsx';

const quiet = z.object({
  ...updateMeBody.shape,
  first_name: personName('first name'),
  last_name: personName('last name'),
  email,
});
/** A new email or password requires the current password. */
const guarded = quiet.extend({
  current_password: z
    .string()
    .min(1, 'Enter your current password.')
    .max(200, 'A password has at most 200 characters.'),
});

/** The texts of the specification's error catalogue. The server's errors about a field are shown at the field. */
function explain(error: unknown): string[] {
  if (!(error instanceof ApiError)) return ['Details incorrect'];
  if (error.status === 400) return ['Duplicate email'];
  // The details themselves may be right.
  if (error.status === 0) return [errorToText(error)];
  if (error.status >= 500 || error.status === 429) return ['Details incorrect', error.message];
  return ['Details incorrect'];
}

/** The saved values, except those that have changed since they were sent. */
const takeSaved = <V extends Record<string, unknown>>(now: V, sent: V, saved: V): V =>
  Object.fromEntries(
    Object.entries(saved).map(([name, value]) => [name, now[name] === sent[name] ? value : now[name]]),
  ) as V;

/** The user's own details. */
export default function AccountPage() {
  const user = useUser();
  return (
    <>
      <PageHeader
        title="Edit Details"
        actions={
          <>
            {otherSchools(user).length > 0 && (
              <ButtonLink to={paths.ownSchools()} variant="default">
                Your schools
              </ButtonLink>
            )}
            <ButtonLink to={paths.security()} variant="default">
              Security
            </ButtonLink>
          </>
        }
      />
      {user.impersonated_by ? <p>Only the owner of this account can change these details.</p> : <Details user={user} />}
    </>
  );
}

function Details({ user }: { user: User }) {
  const change = useUpdateMe();
  const initial = {
    first_name: user.first_name,
    last_name: user.last_name,
    email: user.email,
    password: '',
    current_password: '',
    weekly_school_digest_optin: user.weekly_school_digest_optin_at !== null,
  };
  const [stored, setStored] = useState(initial);
  const [asksPassword, setAsksPassword] = useState(false);
  const form = useSchemaForm({
    schema: asksPassword ? guarded : quiet,
    initialValues: initial,
    explain,
    unsavedText: 'What you changed has not been saved yet.',
  });
  const { values } = form.form;
  const isGuarded = values.password !== '' || values.email.trim().toLowerCase() !== stored.email.toLowerCase();
  if (isGuarded !== asksPassword) setAsksPassword(isGuarded);

  const submit = form.onSubmit(async ({ password, current_password, ...body }) => {
    const saved = await change.mutateAsync({
      ...body,
      ...(password && { password }),
      ...(isGuarded && { current_password }),
    });
    const next = {
      ...values,
      first_name: saved.first_name,
      last_name: saved.last_name,
      email: saved.email,
      password: '',
      current_password: '',
    };
    setStored(next);
    // What was typed during the save stays.
    form.form.setValues((now) => takeSaved(now, values, next));
    form.form.resetDirty(next);
    showToast('Details saved');
  });

  return (
    <>
      <EmailNotice user={user} />
      <div className="narrow">
        <Form form={form} onSubmit={submit}>
          <TextInput {...form.field('first_name')} label="First name" autoComplete="given-name" />
          <TextInput {...form.field('last_name')} label="Last name" autoComplete="family-name" />
          <EmailField {...form.field('email')} autoComplete="username" />
          <PasswordField
            {...form.field('password')}
            label="Password (optional)"
            description="Leave it empty to keep your password. A new one must have at least 7 characters."
            autoComplete="new-password"
          />
          {isGuarded && (
            <div className="marked">
              <PasswordField
                {...form.field('current_password')}
                label="Current password"
                description="You need it to change your email or password. We’ll log you out on your other devices. A new email is used 24 hours after you confirm it, or at once when you also agree from the old one."
                autoComplete="current-password"
              />
            </div>
          )}
          {can(user, 'view_details') && (
            <Checkbox
              {...form.field('weekly_school_digest_optin', { type: 'checkbox' })}
              label="Send me the weekly school digest"
              description="An email on Monday morning in school weeks, with who needs you and who did not read last week."
            />
          )}
          <div>
            <Button type="submit" loading={form.isSubmitting}>
              Submit
            </Button>
          </div>
        </Form>
      </div>
      {user.enterprise_id !== null && <EraseAccount />}
    </>
  );
}
