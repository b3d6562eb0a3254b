import { accessCalls } from '#contract/calls/access.ts';
import { pageOfLoginStep } from '#contract/login-step.ts';
import { paths } from '../../../paths.ts';
import { call } from '../../../shared/api-client.ts';
import { secondStepOf } from '../../../shared/second-step.ts';
import type { GuestScreen, GuestVisit } from '../../../shell/guest-screen.ts';
import { Button } from '../../../ui/Button.tsx';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { EmailField } from '../../../ui/EmailField.tsx';
import { failureOf, GuestForm, guestForm, type GuestFormState } from '../../../ui/GuestForm.tsx';
import { Link } from '../../../ui/Link.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { PasskeyForm, PasskeySubmit } from '../second-factor/second-factor.public.ts';
import { SignInLinks, SignInNotice } from '../sign-in-providers/sign-in-providers.public.ts';
import { ArrivalNotice, CookiesBlocked } from './components/ArrivalNotice.tsx';
import { afterLogin, enter } from './model/after-login.ts';
import { explainLogin } from './model/explain-login.ts';
import { readInvitedEmail } from './model/invited-email.ts';
import { wantedPage } from './model/wanted-page.ts';

export const loginScreen: GuestScreen = {
  access: 'guest',
  whenSignedIn: (user, visit) => afterLogin(user, visit),
  // A login that starts again forgets its second step.
  load: async (visit) => ({ kind: 'page', content: await showLogin(visit), keep: { step: null } }),
  async post(visit, sent) {
    const body = { email: sent.get('email') ?? '', password: sent.get('password') ?? '' };
    try {
      return enter((await call(accessCalls.logIn, { body })).user, visit);
    } catch (error) {
      const step = secondStepOf(error);
      if (step) return { kind: 'redirect', ...pageOfLoginStep(step, wantedPage(visit).redirect) };
      const form = guestForm(sent, error, explainLogin);
      return { kind: 'page', ...failureOf(error), content: await showLogin(visit, { form }) };
    }
  },
};

interface Forms {
  form?: GuestFormState;
  passkeyForm?: GuestFormState;
}

export const showLogin = async (visit: GuestVisit, forms: Forms = {}) => (
  <LoginPage visit={visit} invitedEmail={await readInvitedEmail(visit)} {...forms} />
);

interface Props extends Forms {
  visit: GuestVisit;
  invitedEmail: string | undefined;
}

function LoginPage({ visit, invitedEmail, form = guestForm(), passkeyForm = guestForm() }: Props) {
  const { query, kept } = visit;
  const wanted = wantedPage(visit);
  const redirect = kept.invite === undefined ? wanted.redirect : paths.invite(kept.invite);
  const action = query.get('action');
  return (
    <>
      <PageHeader title="Log in" />
      <CookiesBlocked isKnown={action === 'cookies-blocked'} />
      <ArrivalNotice action={action} invitedEmail={invitedEmail} />
      <SignInNotice outcome={query.get('sign-in')} />
      <PasskeyForm form={passkeyForm} action={paths.passkeyLogin(wanted)} />
      <GuestForm form={form} action={paths.login(wanted)}>
        <EmailField {...form.field('email')} autoComplete="username webauthn" />
        <PasswordField {...form.secret('password')} label="Password" autoComplete="current-password" />
        <Button type="submit">Log in</Button>
        <PasskeySubmit />
        <SignInLinks {...(redirect && { query: { redirect } })} />
        <div>
          <Link to={paths.forgotten()} className="row-link">
            Forgotten Password
          </Link>
        </div>
      </GuestForm>
      <p className="soft above-l flat">
        Supply teacher? <Link to={paths.supply()}>Log in with the code on your card</Link>
      </p>
      <section className="ruled" aria-labelledby="new-here">
        <h2 id="new-here" className="large flat">
          New here?
        </h2>
        <p className="soft above-2xs">Set up your school and try it with your pupils.</p>
        <ButtonLink to={paths.register()} variant="default" fullWidth>
          Register & Subscribe
        </ButtonLink>
      </section>
    </>
  );
}
