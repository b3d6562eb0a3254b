import { Secret, TOTP } from 'otpauth';
import { expect, PASSWORD } from '../portal.ts';
import type { Journey } from './journey.ts';
import { chooseScreen, confirmAddress, readState, type School } from './registration.ts';

/** Sends the password of an account that needs a second factor, and returns the token for the next step. */
async function beginLogin(journey: Journey, email: string, code: string): Promise<string> {
  const guest = journey.client();
  const reply = await guest.readDocumented('POST auth', [], { email, password: PASSWORD }, 401);
  expect(reply).toMatchObject({ code });
  return (reply as { second_factor: { token: string } }).second_factor.token;
}

/** The states of a school after eight days, after its trial and after fifteen days. */
export async function reachLaterStates(journey: Journey, school: School): Promise<void> {
  const { id, admin, email } = school;

  await journey.step('Come back on day 8 without a confirmed address', async () => {
    await journey.portal.edit(`update users set created_at = now() - interval '8 days' where email = '${email}'`);
    await readState(journey, school);
    const list = ['GET enterprises/{id}/readers', [id], { 'search[value]': 'Amara', length: 50 }] as const;
    const { code } = await admin.expectError(409, ...list);
    expect(code).toBe('email_not_confirmed');
    journey.outside('unconfirmedFromDay8').findOperation('Access', /^Email the confirmation link again$/);
    await confirmAddress(journey, admin, email);
    await admin.call(...list);
  });

  await journey.step('Come back after the trial', async () => {
    await journey.portal.edit(
      `update subscriptions set starts_at = now() - interval '40 days', expires_at = now() - interval '1 day' where school_id = ${id}`,
    );
    const state = await readState(journey, school);
    expect(state.subscription?.has_expired).toBe(true);
    expect(chooseScreen(state)).toBe('/select-subscription');
    await admin.expectError(402, 'GET enterprises/{id}/groups/{groupId}', [id, 1]);
  });

  await journey.step('Come back on day 15 without a second factor', async () => {
    await journey.portal.edit(`update schools set admins_factor_from = current_date - 1 where id = ${id}`);
    const login = journey.outside('secondFactor');
    const token = await beginLogin(journey, email, 'enrolment_required');
    const guest = journey.client();
    const begin = login.findOperation('Access', /^Begin to add an authenticator app during a login$/);
    const { secret } = await guest.callDocumented(begin, [], { token });
    const code = new TOTP({ secret: Secret.fromBase32(secret as string) }).generate();
    const add = login.findOperation('Access', /^Add the authenticator app and log in$/);
    const { recovery_codes } = await guest.callDocumented(add, [], { token, code, name: 'Phone' });
    const finish = login.findOperation('Access', /^Finish a login with a code$/);
    const fields = {
      token: await beginLogin(journey, email, 'second_factor_required'),
      code: (recovery_codes as string[])[0],
    };
    const { meta } = await admin.callDocumented(finish, [], fields);
    admin.useToken((meta as { token: string }).token);
    await readState(journey, school);
  });
}
