import { useMutation } from '@tanstack/react-query';
import { accessCalls, type User } from '#contract/calls/access.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import type { BodyInputOf } from '#contract/call.ts';
import { call } from '../../../shared/api-client.ts';
import { endAtLogin } from '../../../shared/end-at-login.ts';
import { getSession, renewUser } from '../../../shared/session.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { paths } from '../../../paths.ts';
import { secondStepOf } from '../../../shared/second-step.ts';

function keepUser(user: User): User {
  const key = getSession()?.key;
  if (key) renewUser(key, user);
  return user;
}

/** Changes the signed-in user's own details. The header shows them at once. */
export const useUpdateMe = () =>
  useInvalidatingMutation(async (body: BodyInputOf<typeof accessCalls.updateMe>) => {
    const { user } = await call(accessCalls.updateMe, { body });
    if (body.password === undefined) return keepUser(user);
    // A new password ends every session, this one too: the user stays logged in with a new one.
    const { password } = body;
    try {
      return keepUser((await call(accessCalls.logIn, { body: { email: user.email, password } })).user);
    } catch (error) {
      if (!secondStepOf(error)) throw error;
      // The second step is the user's.
      endAtLogin(paths.login({ action: 'password-changed' }));
      return user;
    }
  });

/** Cancels a change of email that has not been confirmed. */
export const useCancelEmailChange = () =>
  useInvalidatingMutation(async () => keepUser((await call(accessCalls.cancelEmailChange)).user));

/** Sends the confirmation link again. */
export const useResendConfirmation = () => useMutation({ mutationFn: () => call(accessCalls.resendConfirmation) });

/** Erases the user's own account. No session remains. */
export const useEraseOwnAccount = (id: number) =>
  useMutation({
    mutationFn: async (body: BodyInputOf<typeof privacyCalls.eraseOwnAccount>) => {
      await call(privacyCalls.eraseOwnAccount, { params: { id }, body });
      endAtLogin(paths.login());
    },
  });
