import { Button } from '../../../ui/Button.tsx';
import { useState } from 'react';
import { Link } from '../../../ui/Link.tsx';
import { forgottenBody } from '#contract/calls/passwords.ts';
import { paths } from '../../../paths.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { EmailField } from '../../../ui/EmailField.tsx';
import { Form, FormActions, FormFoot } from '../../../ui/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { askForReset } from './passwords.api.ts';

/** Requests an email with a link to a new password. */
export default function ForgottenPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useSchemaForm({ schema: forgottenBody, initialValues: { email: '' } });
  const submit = form.onSubmit(async ({ email }) => {
    await askForReset(email);
    setSentTo(email);
  });

  if (sentTo !== null)
    return (
      <>
        <PageHeader title="Forgotten Password" />
        <Notice kind="success">An email with your new password has been sent to your address.</Notice>
        <p>
          We sent it to {sentTo}. It has a link that works once, within an hour. If it does not arrive within a few
          minutes, check your spam folder or send it again.
        </p>
        <FormActions>
          <ButtonLink to={paths.login()}>Go to login</ButtonLink>
          <Button variant="default" onClick={() => setSentTo(null)}>
            Send it again
          </Button>
        </FormActions>
      </>
    );

  return (
    <>
      <PageHeader
        title="Forgotten Password"
        lead="Enter your email address and we’ll send you a link to choose a new password."
      />
      <Form form={form} onSubmit={submit}>
        <EmailField {...form.field('email')} autoComplete="username" />
        <Button type="submit" loading={form.isSubmitting}>
          Send link
        </Button>
      </Form>
      <FormFoot>
        <Link to={paths.login()}>Back to login</Link>
      </FormFoot>
    </>
  );
}
