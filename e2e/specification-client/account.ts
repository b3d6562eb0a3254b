import { expect, mailedLink, PASSWORD } from '../portal.ts';
import type { Journey } from './journey.ts';
import { createAddress, type School } from './registration.ts';

const SECOND_PASSWORD = 'kettle over 7 hills';
const THIRD_PASSWORD = 'nine green kettles';

/** Changes the admin's own account, with every way to a new password. Ends logged in with the first one. */
export async function manageAccount(journey: Journey, { admin, email, id }: School): Promise<void> {
  const details = { first_name: 'Olivia', last_name: 'Oak', email, weekly_school_digest_optin: 1 as const };
  const currentPassword = () => {
    const operation = journey.outside('currentPassword').describe('POST', '/v1/users/me');
    if (!operation.fields.includes('current_password'))
      throw journey.createError('the OpenAPI document no longer describes current_password.');
    return operation;
  };

  await journey.step('Edit the account', async () => {
    await admin.call('POST users/me', [], details);
    const { user } = await admin.call('GET users/me', []);
    expect(user).toMatchObject({ first_name: 'Olivia', full_name: 'Olivia Oak' });
    expect(user.weekly_school_digest_optin_at).not.toBeNull();
    await admin.expectError(422, 'POST users/me', [], { ...details, password: SECOND_PASSWORD });
    const fields = { ...details, password: SECOND_PASSWORD, current_password: PASSWORD };
    await admin.callDocumented(currentPassword(), [], fields);
    await admin.logIn(email, SECOND_PASSWORD);
  });

  await journey.step('Set a forgotten password', async () => {
    const guest = journey.client();
    const unknown = { email: createAddress('unknown'), isSchool: 1 as const };
    const { error } = await guest.expectError(404, 'POST users/resetpassword', [], unknown);
    expect(error).toBe('User not found');
    await guest.call('POST users/resetpassword', [], { email, isSchool: 1 });
    const link = new URL(await mailedLink(journey.portal, email, '/password/reset'));
    const token = link.searchParams.get('token') ?? '';
    await guest.call('POST users/password/verify', [], { token });
    await guest.call('POST users/password/update', [], { token, password: PASSWORD });
    await guest.expectError(404, 'POST users/password/verify', [], { token });
    const failed = await guest.expectError(401, 'POST auth', [], { email, password: SECOND_PASSWORD });
    expect(failed.error).not.toBe('Unauthorised');
    await admin.logIn(email, PASSWORD);
  });

  await journey.step('Choose the new password that a login requires', async () => {
    await journey.portal.edit(`update users set require_password_reset = true where email = '${email}'`);
    expect((await admin.logIn(email, PASSWORD)).require_password_reset).toBe(true);
    await admin.call('POST users/me', [], { password: THIRD_PASSWORD });
    expect((await admin.logIn(email, THIRD_PASSWORD)).require_password_reset).toBe(false);
    const { enterprise } = await admin.call('GET enterprises/{id}', [id]);
    expect(enterprise.user_manages).toBe(true);
    const fields = { password: PASSWORD, current_password: THIRD_PASSWORD };
    await admin.callDocumented(currentPassword(), [], fields);
    await admin.logIn(email, PASSWORD);
  });
}

/** Makes the calls that need no session. */
export async function callAsGuest(journey: Journey, { admin, email }: School): Promise<void> {
  await journey.step('Ask for a call about a subscription', async () => {
    const request = { time: 10, contact_number: '+442079460000', email, contact_preference: 'phone' } as const;
    for (const action of ['start', 'renew'])
      await journey.client().call('POST contactus/subscriptions/{action}', [action], request);
  });

  await journey.step('Read the version file', async () => {
    journey.outside('versionFilePath');
    const response = await admin.openUrl(`${journey.portal.url}/version.json?t=${Date.now()}`);
    expect(response.ok, 'the version file').toBe(true);
    const version = (await response.json()) as { hash?: string };
    expect(version.hash).toMatch(/./);
  });
}

export async function logOut(journey: Journey, { admin }: School): Promise<void> {
  await journey.step('Log out', async () => {
    await admin.call('DELETE auth', []);
    const { error } = await admin.expectError(401, 'GET users/me', []);
    expect(error).toBe('Unauthorised');
  });
}
