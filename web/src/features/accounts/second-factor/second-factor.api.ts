import { accessCalls, type User } from '#contract/calls/access.ts';
import { factorPolicyCalls } from '#contract/calls/factor-policy.ts';
import { factorRecoveryCalls } from '#contract/calls/factor-recovery.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { sessionCalls } from '#contract/calls/sessions.ts';
import { signInProviderCalls } from '#contract/calls/sign-in-providers.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { enterWith } from '../memberships/enter-school.public.ts';
import { createPasskey, getPasskey } from './model/passkeys.ts';

/** The banner goes with the first factor. */
const AFFECTED = {
  awaits: [secondFactorCalls.listFactors],
  // A first factor ends the user's other sessions.
  renews: [accessCalls.getMe, factorPolicyCalls.getFactorPolicy, sessionCalls.listSessions],
};

export const factorsQuery = () => apiQuery(secondFactorCalls.listFactors, {});

/** The user's accounts at sign-in providers, and whether they have a password. */
export const linkedAccountsQuery = () => apiQuery(signInProviderCalls.listLinkedAccounts, {});

export const factorQueries: FirstQueries = () => [factorsQuery()];

/** Finishes a login with a code. */
export async function logInWithFactor(token: string, code: string): Promise<User> {
  const { user } = await call(secondFactorCalls.logInWithFactor, { body: { token, code } });
  await enterWith(user);
  return user;
}

/** Asks the device for a passkey of this portal. */
async function askForPasskey() {
  const { options } = await call(secondFactorCalls.getPasskeyLoginOptions, {});
  return getPasskey(options);
}

/** Logs in with a passkey that the user chooses. */
export async function logInWithPasskey(): Promise<User> {
  const passkey = await askForPasskey();
  const { user } = await call(secondFactorCalls.logInWithPasskey, { body: { passkey } });
  await enterWith(user);
  return user;
}

/** The first factor of an account, added in the middle of its login. Its session starts in the page later. */
export const enrolment = (token: string) => ({
  beginApp: () => call(secondFactorCalls.beginEnrolmentApp, { body: { token } }),
  addApp: (body: { code: string; name: string }) => call(secondFactorCalls.enrolApp, { body: { ...body, token } }),
  addPasskey: async (name: string) => {
    const { options } = await call(secondFactorCalls.beginEnrolmentPasskey, { body: { token } });
    return call(secondFactorCalls.enrolPasskey, { body: { token, name, passkey: await createPasskey(options) } });
  },
});

export const proveIdentity = (body: { password: string; code?: string }) =>
  call(secondFactorCalls.proveIdentity, { body });

export const proveIdentityWithPasskey = async () =>
  call(secondFactorCalls.proveIdentityWithPasskey, { body: { passkey: await askForPasskey() } });

export const beginAuthenticator = () => call(secondFactorCalls.beginAuthenticator);

export const useConfirmAuthenticator = () =>
  useInvalidatingMutation(
    (body: { code: string; name: string }) => call(secondFactorCalls.confirmAuthenticator, { body }),
    AFFECTED,
  );

/** Creates a passkey on a device that the user chooses, and adds it to the account. */
export const useAddPasskey = () =>
  useInvalidatingMutation(async (name: string) => {
    const { options } = await call(secondFactorCalls.beginPasskey);
    return call(secondFactorCalls.addPasskey, { body: { name, passkey: await createPasskey(options) } });
  }, AFFECTED);

export const useRenameFactor = () =>
  useInvalidatingMutation(
    ({ factorId, name }: { factorId: number; name: string }) =>
      call(secondFactorCalls.renameFactor, { params: { factorId }, body: { name } }),
    AFFECTED,
  );

export const useRemoveFactor = () =>
  useInvalidatingMutation(
    (factorId: number) => call(secondFactorCalls.removeFactor, { params: { factorId } }),
    AFFECTED,
  );

/** Stops support from removing the user's factors. */
export const useCancelRecovery = () =>
  useInvalidatingMutation(() => call(factorRecoveryCalls.cancelOwnRecovery), AFFECTED);

export const useRenewRecoveryCodes = () =>
  useInvalidatingMutation(() => call(secondFactorCalls.renewRecoveryCodes), AFFECTED);
