import { accessCalls, type User } from '#contract/calls/access.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import type { BodyInputOf } from '#contract/call.ts';
import { call } from '../../shared/api-client.ts';
import { ApiError } from '../../shared/api-error.ts';
import { startSession } from '../../shared/session.ts';
import { signIn } from './access.api.ts';

/** Makes an account and signs it in. */
export async function registerAccount(body: BodyInputOf<typeof accessCalls.register>): Promise<User> {
  const { user } = await call(accessCalls.register, { body });
  startSession(user);
  return user;
}

/** Confirms the address that a link was mailed to. */
export const confirmEmail = (token: string) => call(accessCalls.confirmEmail, { body: { token } });

/** A school with its first admin, to whose address mail to the school goes. */
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
    // The reply names the field of an account; in this form it stands among the admin's.
    throw error.reworded({ errors: { 'user.email': [error.error] } });
  }
  return signIn({ email: body.user.email, password: body.user.password });
}

interface OwnSchool {
  school: BodyInputOf<typeof schoolDetailsCalls.createSchool>;
  contact: BodyInputOf<typeof schoolDetailsCalls.updateContact>['contact'];
}

/**
 * Registers a school for the signed-in person, who accepts its terms. A school that was made before the rest
 * failed is not made twice: whatever is missing is asked for at the next login.
 */
export async function registerOwnSchool({ school, contact }: OwnSchool, idempotencyKey: string): Promise<void> {
  const { enterprise: created } = await call(schoolDetailsCalls.createSchool, { body: school, idempotencyKey });
  const params = { id: created.id };
  await call(schoolDetailsCalls.updateContact, { params, body: { contact } });
  await call(schoolDetailsCalls.acceptTerms, { params });
}

/**
 * Sets the password of somebody who has to choose one: the old session is ended, and a new one begun with it.
 */
export async function chooseFirstPassword(email: string, password: string): Promise<void> {
  await call(accessCalls.updateMe, { body: { password } });
  // The old session ends on the server; here the new one takes its place, so that no screen sees a gap.
  await call(accessCalls.logOut).catch(() => undefined);
  await signIn({ email, password });
}
