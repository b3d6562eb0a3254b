import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { forgottenBody } from '#contract/calls/passwords.ts';
import { paths } from '../../paths.ts';
import { useSchemaForm } from '../../shared/use-schema-form.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { EmailField } from '../../ui/EmailField.tsx';
import { Form, FormActions, FormFoot } from '../../ui/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { askForReset } from './passwords.api.ts';

/** Asks for a mail that leads to a new password. */
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
          It goes to {sentTo} and holds a link that works once, within an hour. Nothing there after a few minutes? Look
          among the unwanted mail, or ask again.
        </p>
        <FormActions>
          <ButtonLink to={paths.login()}>Go to login</ButtonLink>
          <Button variant="default" onClick={() => setSentTo(null)}>
            Ask again
          </Button>
        </FormActions>
      </>
    );

  return (
    <>
      <PageHeader title="Forgotten Password" lead="Give your email, and we send you a link to choose a new password." />
      <Form form={form} onSubmit={submit}>
        <EmailField {...form.field('email')} autoComplete="username" />
        <Button type="submit" loading={form.isSubmitting}>
          Send the link
        </Button>
      </Form>
      <FormFoot>
        <Link to={paths.login()}>Back to login</Link>
      </FormFoot>
    </>
  );
}
