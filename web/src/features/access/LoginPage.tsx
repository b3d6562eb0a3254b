import { Button } from '@mantine/core';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { loginBody } from '#contract/calls/access.ts';
import { paths } from '../../paths.ts';
import { ApiError } from '../../shared/api-error.ts';
import { useBrowserValue } from '../../shared/use-browser-value.ts';
import { useSchemaForm } from '../../shared/use-schema-form.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { EmailField } from '../../ui/EmailField.tsx';
import { ErrorSummary } from '../../ui/ErrorSummary.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { signIn } from './access.api.ts';
import { afterLogin } from './model/after-login.ts';
import { ArrivalNotice } from './components/ArrivalNotice.tsx';
import css from './LoginPage.module.css';

/** The server's message, and what to do about it. */
function explain(error: unknown): string[] {
  if (!(error instanceof ApiError) || !error.error) return ['Oops something went wrong, please try again.'];
  return error.status === 401 ? [error.error, 'Check your email address and password, and try again.'] : [error.error];
}

export default function LoginPage() {
  const navigate = useNavigate();
  const { search } = useLocation();
  const [query] = useSearchParams();
  const hasCookies = useBrowserValue(() => navigator.cookieEnabled, true);
  const form = useSchemaForm({
    schema: loginBody,
    initialValues: { email: '', password: '' },
    explain,
  });

  const submit = form.onSubmit(async (body) => {
    const user = await signIn(body);
    await navigate(afterLogin(user, query.get('redirect')), { replace: true });
  });

  return (
    <>
      <PageHeader title="Log in" />
      {!hasCookies && (
        <Notice kind="error">
          This browser does not keep cookies, so it cannot stay logged in. Allow cookies for this site in the browser’s
          settings, then load the page again.
        </Notice>
      )}
      <ArrivalNotice action={query.get('action')} />
      {/* Without scripts the browser posts it to the server (http/login-form.ts). */}
      <form method="post" action={paths.login() + search} onSubmit={submit} noValidate className={css.form}>
        <ErrorSummary errors={form.summary} attempt={form.attempt} />
        <EmailField {...form.field('email')} autoComplete="username" />
        <PasswordField {...form.field('password')} label="Password" autoComplete="current-password" />
        <Button type="submit" loading={form.isSubmitting}>
          Log in
        </Button>
        <Link to={paths.forgotten()} className={css.forgotten}>
          Forgotten Password
        </Link>
      </form>
      <section className={css.register} aria-labelledby="new-here">
        <h2 id="new-here">New here?</h2>
        <p>Set up your school and try it with your pupils.</p>
        <ButtonLink to={paths.register()} variant="default" fullWidth>
          Register & Subscribe
        </ButtonLink>
      </section>
    </>
  );
}
