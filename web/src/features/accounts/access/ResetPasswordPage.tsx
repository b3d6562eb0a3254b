import { Button } from '../../../ui/Button.tsx';
import { VisuallyHidden } from '../../../ui/VisuallyHidden.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from '../../../ui/Link.tsx';
import { useSearchParams } from '../../../shared/router.ts';
import { z } from 'zod';
import { newPassword } from '#contract/fields.ts';
import { paths } from '../../../paths.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { Form } from '../../../ui/Form.tsx';
import { NewPasswordField } from '../../../ui/NewPasswordField.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { isEndedLink, resetLinkQuery, setPassword } from './passwords.api.ts';
import css from './ResetPasswordPage.module.css';

const resetForm = z
  .object({ password: newPassword, confirmation: z.string() })
  .refine(({ password, confirmation }) => password === confirmation, {
    path: ['confirmation'],
    message: 'The two passwords are not the same.',
  });

/** Opened by the link in an email: a form for a new password, if the link is valid. */
export default function ResetPasswordPage() {
  const token = useSearchParams()[0].get('token') ?? '';
  const link = useQuery(resetLinkQuery(token));
  const [isDone, setDone] = useState(false);
  const [isOver, setOver] = useState(false);
  const form = useSchemaForm({ schema: resetForm, initialValues: { password: '', confirmation: '' } });
  const submit = form.onSubmit(async ({ password }) => {
    try {
      await setPassword(token, password);
      setDone(true);
    } catch (error) {
      if (!isEndedLink(error)) throw error;
      setOver(true);
    }
  });

  if (isDone)
    return (
      <>
        <PageHeader title="Choose a new password" />
        <Notice kind="success">Your password has been changed. You can log in with it now.</Notice>
        <ButtonLink to={paths.login()}>Go to login</ButtonLink>
      </>
    );

  const hasEnded = isOver || link.data === false;
  return (
    <>
      <PageHeader title="Choose a new password" />
      {hasEnded && (
        <Notice kind="error">
          Sorry, the token has expired. <Link to={paths.forgottenAgain()}>Click here to try again.</Link>
        </Notice>
      )}
      {link.error && <ErrorNotice error={link.error} onRetry={() => void link.refetch()} />}
      <Form form={hasEnded ? { ...form, summary: [] } : form} onSubmit={submit}>
        <fieldset className={css.fields} disabled={hasEnded || !link.data} aria-busy={link.isPending}>
          <legend>
            <VisuallyHidden>New password</VisuallyHidden>
          </legend>
          <NewPasswordField {...form.field('password')} label="New password" />
          <PasswordField {...form.field('confirmation')} label="New password again" autoComplete="new-password" />
          <Button type="submit" loading={form.isSubmitting}>
            Change password
          </Button>
        </fieldset>
      </Form>
    </>
  );
}
