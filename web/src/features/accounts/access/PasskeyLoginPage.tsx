import type { BodyInputOf } from '#contract/call.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { readLoginStep } from '#contract/login-step.ts';
import { paths } from '../../../paths.ts';
import { call } from '../../../shared/api-client.ts';
import type { GuestScreen } from '../../../shell/guest-screen.ts';
import { failureOf, guestForm } from '../../../ui/GuestForm.tsx';
import { showLogin } from './LoginPage.tsx';
import { enter } from './model/after-login.ts';
import { wantedPage } from './model/wanted-page.ts';
import { SecondStepPage } from './SecondStepPage.tsx';

type Passkey = BodyInputOf<typeof secondFactorCalls.logInWithPasskey>['passkey'];

/** What the device answered, as the script of guest pages sends it. The call rejects anything else. */
function readPasskey(text: string | null): Passkey {
  try {
    return JSON.parse(text ?? '') as Passkey;
  } catch {
    return {} as Passkey;
  }
}

/** A login with a passkey, from the login page or from its second step. */
export const passkeyLoginScreen: GuestScreen = {
  access: 'guest',
  load: (visit) => ({ kind: 'redirect', to: paths.login(wantedPage(visit)) }),
  async post(visit, sent) {
    try {
      const body = { passkey: readPasskey(sent.get('passkey')) };
      return enter((await call(secondFactorCalls.logInWithPasskey, { body })).user, visit);
    } catch (error) {
      const passkeyForm = guestForm(new URLSearchParams(), error);
      const step = readLoginStep(visit.kept.step);
      const content = step ? (
        <SecondStepPage visit={visit} step={step} passkeyForm={passkeyForm} />
      ) : (
        await showLogin(visit, { passkeyForm })
      );
      return { kind: 'page', ...failureOf(error), content };
    }
  },
};
