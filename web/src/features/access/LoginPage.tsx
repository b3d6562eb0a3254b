import { Button, TextInput } from '@mantine/core';
import { useNavigate, useSearchParams, Link } from 'react-router';
import { loginBody, type User } from '#contract/calls/access.ts';
import { paths } from '../../paths.ts';
import { ApiError } from '../../shared/api-error.ts';
import { useSchemaForm } from '../../shared/use-schema-form.ts';
import { safeRedirect, withoutSchool } from '../../shell/guard.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { ErrorSummary } from '../../ui/ErrorSummary.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { signIn } from './access.api.ts';
import css from './LoginPage.module.css';

const afterLogin = (user: User, redirect: string | null): string =>
  user.user_type === 'enterprise' && user.enterprise ? safeRedirect(redirect) : withoutSchool(user.user_type);

const failureText = (error: unknown): string =>
  (error instanceof ApiError && error.error) || 'Oops something went wrong, please try again.';

export default function LoginPage() {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const form = useSchemaForm({ schema: loginBody, initialValues: { email: '', password: '' }, explain: (error) => [failureText(error)] });

  const submit = form.onSubmit(async (body) => {
    const user = await signIn(body);
    await navigate(afterLogin(user, query.get('redirect')), { replace: true });
  });

  return (
    <>
      <PageHeader title="Log in" />
      {query.get('action') === 'decline' && <Notice kind="info">You have declined the invitation</Notice>}
      <form onSubmit={submit} noValidate className={css.form}>
        <ErrorSummary errors={form.summary} attempt={form.attempt} />
        <TextInput {...form.field('email')} label="Email" type="email" autoComplete="username" inputMode="email" autoCapitalize="none" spellCheck={false} size="md" />
        <PasswordField {...form.field('password')} label="Password" autoComplete="current-password" size="md" />
        <Button type="submit" size="md" loading={form.isSubmitting}>
          Log in
        </Button>
        <Link to={paths.forgotten()} className={css.forgotten}>
          Forgotten Password
        </Link>
      </form>
      <section className={css.register} aria-labelledby="new-here">
        <h2 id="new-here">New here?</h2>
        <p>Set up your school and try it with your pupils.</p>
        <ButtonLink to={paths.register()} variant="default" size="md" fullWidth>
          Register & Subscribe
        </ButtonLink>
      </section>
    </>
  );
}
