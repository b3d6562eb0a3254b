import { accessCalls, type User } from '#contract/calls/access.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import type { BodyInputOf } from '#contract/call.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { ApiError } from '../../../shared/api-error.ts';
import { paths } from '../../../paths.ts';
import { endAtLogin } from '../../../shared/end-at-login.ts';
import { secondStepOf } from '../../../shared/second-step.ts';
import { signIn } from './access.api.ts';

/** Confirms an email address with the link sent to it. */
export const confirmEmail = (token: string) => call(accessCalls.confirmEmail, { body: { token } });

/** The change of address that a link in an email is about. */
export const emailChangeQuery = (token: string) => ({
  ...apiQuery(accessCalls.verifyEmailChange, { body: { token } }),
  retry: false,
});
export const stopEmailChange = (token: string) => call(accessCalls.stopEmailChange, { body: { token } });
export const agreeToEmailChange = (token: string) => call(accessCalls.agreeToEmailChange, { body: { token } });

/** A school with its first admin, whose email address is also the school's. */
type NewSchool = Omit<BodyInputOf<typeof schoolDetailsCalls.registerSchool>, 'contact'> & {
  contact: Omit<BodyInputOf<typeof schoolDetailsCalls.registerSchool>['contact'], 'email'>;
};

/** Registers a school with its first admin, and signs the admin in. */
export async function registerNewSchool({ contact, ...body }: NewSchool, idempotencyKey: string): Promise<User> {
  try {
    await call(schoolDetailsCalls.registerSchool, {
      body: { ...body, contact: { ...contact, email: body.user.email } },
      idempotencyKey,
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'duplicate_email') throw error;
    // The API names an account's field; in this form it is one of the admin's.
    throw error.reworded({ errors: { 'user.email': [error.error] } });
  }
  return signIn({ email: body.user.email, password: body.user.password });
}

interface OwnSchool {
  school: BodyInputOf<typeof schoolDetailsCalls.createSchool>;
  contact: BodyInputOf<typeof schoolDetailsCalls.updateContact>['contact'];
}

/**
 * Registers a school for the signed-in user, who accepts its terms. If the school was created before the rest failed,
 * it is not created again: the next login asks for what is missing.
 */
export async function registerOwnSchool({ school, contact }: OwnSchool, idempotencyKey: string): Promise<void> {
  const { enterprise: created } = await call(schoolDetailsCalls.createSchool, { body: school, idempotencyKey });
  const params = { id: created.id };
  await call(schoolDetailsCalls.updateContact, { params, body: { contact } });
  await call(schoolDetailsCalls.acceptTerms, { params });
}

/** Sets the password of a user who must choose one. The server ends the old session and starts a new one. */
export async function chooseFirstPassword(email: string, password: string): Promise<void> {
  await call(accessCalls.updateMe, { body: { password } });
  // Replaces the session in one step, so that no screen renders without one.
  await call(accessCalls.logOut).catch(() => undefined);
  try {
    await signIn({ email, password });
  } catch (error) {
    if (!secondStepOf(error)) throw error;
    // The login form takes the second step.
    endAtLogin(paths.login({ action: 'password-changed' }));
  }
}
