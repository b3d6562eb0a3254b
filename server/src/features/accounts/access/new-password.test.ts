import { accessCalls } from '#contract/calls/access.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';

const app = testApp();
const GOOD = 'kite harbour 7';
const ADVICE = 'Choose a password without your name, your school’s name or Storylark.';
let school: BuiltSchool;
/** Chooses the password where a person can, and returns the message of its field. */
type Choose = (password: string) => Promise<string | undefined>;

beforeAll(async () => {
  school = await app.build.school({ name: 'Willow Bank Primary' });
  for (const { id } of [school.admin, school.teacher])
    await app.database.kysely
      .updateTable('users')
      .set({ first_name: 'Siân', last_name: 'O’Brien', require_password_reset: id === school.teacher.id })
      .where('id', '=', id)
      .execute();
});

let counter = 0;
const person = (password: string) => ({
  first_name: 'Siân',
  last_name: 'O’Brien',
  email: `someone-${(counter += 1)}@test.example`,
  password,
});
const messageOf = (error: { errors?: Record<string, string[]> }) => Object.values(error.errors ?? {})[0]?.[0];

const register: Choose = async (password) =>
  messageOf((await app.call(accessCalls.register, { body: { ...person(password), user_type: 'enterprise' } })).error);

const registerSchool: Choose = async (password) => {
  const { body } = schoolDetailsCalls.registerSchool.example as { body: { school: object; user: object } };
  const sent = {
    ...body,
    school: { ...body.school, name: 'Willow Bank Primary' },
    user: { ...body.user, ...person(password) },
  };
  return messageOf((await app.call(schoolDetailsCalls.registerSchool, { body: sent as never })).error);
};

const reset: Choose = async (password) => {
  const token = await app.build.link('password_reset', school.admin.id);
  return messageOf((await app.call(passwordCalls.resetPassword, { body: { token, password } })).error);
};

const change: Choose = async (password) => {
  const login = { email: school.admin.email, password: GOOD };
  const { token } = (await app.call(accessCalls.logIn, { body: login })).reply.meta;
  return messageOf((await app.call(accessCalls.updateMe, { token, body: { password, current_password: GOOD } })).error);
};

const setUp: Choose = async (password) =>
  messageOf((await app.call(accessCalls.updateMe, { token: school.teacher.token, body: { password } })).error);

describe.each<[string, Choose, readonly string[]]>([
  ['someone who registers', register, []],
  ['someone who registers a school', registerSchool, ['willowbank1', 'Primary-26']],
  // First, because a reset sets the password that the change needs.
  ['someone who forgot their password', reset, ['willowbank1', 'Primary-26']],
  ['someone who changes their password', change, ['willowbank1', 'Primary-26']],
  ['someone who sets up their account', setUp, ['willowbank1', 'Primary-26']],
])('%s', (_, choose, withSchool) => {
  test('a new password must not be made of the user’s, the product’s or the school’s name', async () => {
    for (const password of [
      'Sian2026',
      'SIÂN-26!',
      'obrien12',
      "o'brien1",
      'Storylark-1',
      'STORYLARK 48',
      ...withSchool,
    ])
      expect([password, await choose(password)]).toEqual([password, ADVICE]);
    // Also with a common password around the name.
    expect(await choose('obrien-12345678')).toBe(ADVICE);
    expect(await choose(GOOD)).toBeUndefined();
  });
});

test('a long phrase may contain a name', async () => {
  expect(await register('Siân sold seven kettles')).toBeUndefined();
});

test('a password that is changed with the name must not be made of the new name', async () => {
  const own = await app.build.school();
  const body = { last_name: 'Kingfisher', password: 'kingfisher1', current_password: PASSWORD };
  const { error } = await app.call(accessCalls.updateMe, { token: own.admin.token, body });
  expect(error.errors).toEqual({ password: [ADVICE] });
});
