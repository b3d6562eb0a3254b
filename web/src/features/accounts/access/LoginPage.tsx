import { Button } from '../../../ui/Button.tsx';
import { useEffect, useRef, useState } from 'react';
import { Link } from '../../../ui/Link.tsx';
import { useLocation, useNavigate, useSearchParams } from '../../../shared/router.ts';
import { loginBody, type User } from '#contract/calls/access.ts';
import { paths } from '../../../paths.ts';
import { canKeepCookies, getPreference } from '../../../shared/preferences.ts';
import { readSecondStep, type SecondStepData, secondStepOf } from '../../../shared/second-step.ts';
import { useBrowserValue } from '../../../shared/use-browser-value.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { useStoredInvite } from './model/stored-invite.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { EmailField } from '../../../ui/EmailField.tsx';
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import {
  logInWithPasskey,
  offersInFields,
  PasskeyButton,
  SecondStep,
  stopOffering,
} from '../second-factor/second-factor.public.ts';
import { SignInLinks, SignInNotice } from '../sign-in-providers/sign-in-providers.public.ts';
import { signIn } from './access.api.ts';
import { afterLogin } from './model/after-login.ts';
import { explainLogin } from './model/explain-login.ts';
import { ArrivalNotice, COOKIES_BLOCKED } from './components/ArrivalNotice.tsx';
import css from './LoginPage.module.css';

export default function LoginPage() {
  const navigate = useNavigate();
  const { search } = useLocation();
  const [query] = useSearchParams();
  const hasCookies = useBrowserValue(canKeepCookies, true);
  const form = useSchemaForm({
    schema: loginBody,
    initialValues: { email: '', password: '' },
    explain: explainLogin,
  });

  const invite = useStoredInvite();
  const redirect = invite ? paths.invite(invite.id) : query.get('redirect');
  const [started, setStep] = useState<SecondStepData | null>(null);
  // The first step of a sign-in through a provider ends with a redirect to here.
  const fragment = useBrowserValue(() => window.location.hash, '');
  const step = started ?? readSecondStep(fragment);
  const restart = () => {
    setStep(null);
    if (fragment) void navigate(paths.login(), { replace: true });
  };
  const enter = async (user: User) => navigate(afterLogin(user, query.get('redirect')), { replace: true });
  usePasskeysInField(enter);

  const submit = form.onSubmit(async (body) => {
    try {
      await enter(await signIn(body));
    } catch (error) {
      const next = secondStepOf(error);
      if (!next) throw error;
      setStep(next);
    }
  });

  if (step)
    return (
      <>
        <PageHeader title="One more step" />
        <div className={css.form}>
          <SecondStep step={step} onLogIn={enter} onRestart={restart} />
        </div>
      </>
    );

  return (
    <>
      <PageHeader title="Log in" />
      {!hasCookies && <Notice kind="error">{COOKIES_BLOCKED}</Notice>}
      {(hasCookies || query.get('action') !== 'cookies-blocked') && <ArrivalNotice action={query.get('action')} />}
      <SignInNotice outcome={query.get('sign-in')} />
      {/* Without scripts the browser posts it to the server (pages/login-form.ts). */}
      <form method="post" action={paths.login() + search} onSubmit={submit} noValidate className={css.form}>
        <ErrorSummary errors={form.summary} attempt={form.attempt} />
        <EmailField {...form.field('email')} autoComplete="username webauthn" />
        <PasswordField {...form.field('password')} label="Password" autoComplete="current-password" />
        <Button type="submit" loading={form.isSubmitting}>
          Log in
        </Button>
        <PasskeyButton onPress={async () => enter(await logInWithPasskey())}>Use a passkey</PasskeyButton>
        <SignInLinks {...(redirect && { query: { redirect } })} />
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

/** Offers passkeys in the email field of a browser that has used one before, where it can. */
function usePasskeysInField(onLogIn: (user: User) => Promise<unknown>): void {
  const latest = useRef(onLogIn);
  useEffect(() => {
    latest.current = onLogIn;
  });
  useEffect(() => {
    let isOver = false;
    const offer = async () => {
      if (getPreference('passkey') !== 'used' || !(await offersInFields()) || isOver) return;
      await latest.current(await logInWithPasskey(true));
    };
    // Without a passkey the form remains.
    offer().catch(() => undefined);
    return () => {
      isOver = true;
      void stopOffering();
    };
  }, []);
}
