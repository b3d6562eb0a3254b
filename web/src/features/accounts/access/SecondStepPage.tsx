import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { type LoginStep, readLoginStep } from '#contract/login-step.ts';
import { paths } from '../../../paths.ts';
import { call } from '../../../shared/api-client.ts';
import type { GuestScreen, GuestVisit } from '../../../shell/guest-screen.ts';
import { Button } from '../../../ui/Button.tsx';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { failureOf, GuestForm, guestForm, type GuestFormState } from '../../../ui/GuestForm.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { FactorCodeField, PasskeyForm, PasskeySubmit } from '../second-factor/second-factor.public.ts';
import { enter } from './model/after-login.ts';
import { wantedPage } from './model/wanted-page.ts';

const startAgain = (visit: GuestVisit) =>
  ({ kind: 'redirect', to: paths.login(wantedPage(visit)), keep: { step: null } }) as const;

/** The second step of a login: a code, a recovery code or a passkey. */
export const secondStepScreen: GuestScreen = {
  access: 'guest',
  load(visit) {
    const step = readLoginStep(visit.kept.step);
    return step ? { kind: 'page', content: <SecondStepPage visit={visit} step={step} /> } : startAgain(visit);
  },
  async post(visit, sent) {
    const step = readLoginStep(visit.kept.step);
    if (!step) return startAgain(visit);
    try {
      const body = { token: step.token, code: sent.get('code') ?? '' };
      return enter((await call(secondFactorCalls.logInWithFactor, { body })).user, visit);
    } catch (error) {
      const content = <SecondStepPage visit={visit} step={step} form={guestForm(sent, error)} />;
      return { kind: 'page', ...failureOf(error), content };
    }
  },
};

interface Props {
  visit: GuestVisit;
  step: LoginStep;
  form?: GuestFormState;
  passkeyForm?: GuestFormState;
}

export function SecondStepPage({ visit, step: { methods }, form = guestForm(), passkeyForm = guestForm() }: Props) {
  const hasApp = methods.includes('authenticator');
  const hasRecoveryCodes = methods.includes('recovery_code');
  const isRecovery = !hasApp || (hasRecoveryCodes && visit.query.get('code') === 'recovery');
  const wanted = wantedPage(visit);
  return (
    <>
      <PageHeader title="One more step" />
      {methods.includes('passkey') && (
        <>
          <PasskeyForm form={passkeyForm} action={paths.passkeyLogin(wanted)} />
          <PasskeySubmit />
        </>
      )}
      {(hasApp || hasRecoveryCodes) && (
        <GuestForm form={form} action={paths.secondStep({ ...wanted, ...(isRecovery && { code: 'recovery' }) })}>
          <FactorCodeField {...form.secret('code')} isRecovery={isRecovery} data-autofocus autoFocus />
          <Button type="submit">Log in</Button>
        </GuestForm>
      )}
      {hasApp && hasRecoveryCodes && (
        <ButtonLink to={paths.secondStep({ ...wanted, ...(!isRecovery && { code: 'recovery' }) })} variant="subtle">
          {isRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
        </ButtonLink>
      )}
      <ButtonLink to={paths.login(wanted)} variant="subtle">
        Start again
      </ButtonLink>
    </>
  );
}
