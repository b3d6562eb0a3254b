import { expect, it } from 'vitest';
import type { LoginStep } from '#contract/login-step.ts';
import { openGuestPage, submitGuestForm } from '../../../testing/guest-page.ts';
import { makeUser } from '../../../testing/make-school.ts';

const LOG_IN = 'POST /v1/auth';
const FACTOR = 'POST /v1/auth/factor';
const PASSKEY = 'POST /v1/auth/passkey';
const URL_OF_STEP = '/login/second-step?redirect=%2Fpupils';

const keep = (...methods: LoginStep['methods']) => ({ step: JSON.stringify({ token: 'a-token', methods }) });
const succeed = () => ({ user: makeUser(), meta: { token: 'secret' } });
const askFor = (code: string, methods: string[]) => ({
  status: 401,
  error: 'One more step',
  error_type: 'authentication',
  code,
  second_factor: { token: 'a-token', methods },
});

it('a login with a second factor goes on to its second step, whose token no URL has', async () => {
  const replies = { [LOG_IN]: () => askFor('second_factor_required', ['authenticator']) };
  const { reply } = await submitGuestForm(
    '/login?redirect=%2Fpupils',
    { email: 'a@b.example', password: 'x' },
    { replies },
  );
  expect(reply).toEqual({ kind: 'redirect', to: URL_OF_STEP, keep: keep('authenticator') });
});

it('a login that must add its first factor goes on to the enrolment', async () => {
  const replies = { [LOG_IN]: () => askFor('enrolment_required', []) };
  const { to } = await submitGuestForm('/login', { email: 'a@b.example', password: 'x' }, { replies });
  expect(to).toBe('/login/enrolment#step=a-token');
});

it('the code completes the login and forgets the step', async () => {
  const given = { kept: keep('authenticator', 'recovery_code'), replies: { [FACTOR]: succeed } };
  const { sent, reply } = await submitGuestForm(URL_OF_STEP, { code: '123456' }, given);
  expect(sent[FACTOR]).toEqual([{ token: 'a-token', code: '123456' }]);
  expect(reply).toEqual({ kind: 'redirect', to: '/pupils', keep: { step: null } });
});

it('a wrong code shows the error at its field', async () => {
  const text = 'This code is not correct.';
  const wrong = { status: 401, error: text, error_type: 'authentication', errors: { code: [text] } };
  const given = { kept: keep('authenticator'), replies: { [FACTOR]: () => wrong } };
  const { page } = await submitGuestForm(URL_OF_STEP, { code: '000000' }, given);
  expect([page?.status, page?.problems]).toEqual([401, [text]]);
  expect([page?.valueOf('code') ?? '', page?.link('Start again')]).toEqual(['', '/login?redirect=%2Fpupils']);
});

it.each([
  [keep('authenticator', 'recovery_code'), ['Code'], 0],
  [keep('recovery_code', 'passkey'), ['Recovery code'], 1],
  [keep('passkey'), [], 1],
])('the second step %j asks for %j', async (kept, labels, passkeys) => {
  const page = await openGuestPage(URL_OF_STEP, { kept });
  expect(page.labels).toEqual(labels);
  expect(page.queryAllByRole('button', { name: 'Use a passkey' })).toHaveLength(passkeys);
});

it('the second step asks for digits, or for a recovery code at its own address, without JavaScript', async () => {
  const given = { kept: keep('authenticator', 'recovery_code') };
  const page = await openGuestPage(URL_OF_STEP, given);
  expect(page.field('code')?.getAttribute('inputmode')).toBe('numeric');
  const recovery = page.link('Use a recovery code')!;
  const other = await openGuestPage(recovery, given);
  expect(other.labels).toEqual(['Recovery code']);
  expect(other.field('code')?.getAttribute('inputmode')).toBe('text');
  expect(other.main.querySelector('form')?.getAttribute('action')).toBe(recovery);
  expect(other.link('Use your authenticator app')).toBe(URL_OF_STEP);
});

it('the second step without recovery codes does not offer one', async () => {
  const page = await openGuestPage(`${URL_OF_STEP}&code=recovery`, { kept: keep('authenticator') });
  expect(page.labels).toEqual(['Code']);
  expect(page.queryByRole('link', { name: 'Use a recovery code' })).toBeNull();
});

it('the second step without a first leads to the login', async () => {
  await expect(openGuestPage(URL_OF_STEP)).rejects.toThrow('/login?redirect=%2Fpupils');
  expect((await submitGuestForm(URL_OF_STEP, { code: '1' })).to).toBe('/login?redirect=%2Fpupils');
});

it('a passkey logs in from the login page', async () => {
  const passkey = { id: 'abc', type: 'public-key' };
  const fields = { passkey: JSON.stringify(passkey) };
  const { sent, to } = await submitGuestForm('/login/passkey', fields, { replies: { [PASSKEY]: succeed } });
  expect([sent[PASSKEY], to]).toEqual([[{ passkey }], '/']);
});

it.each([
  ['Log in', {}],
  ['One more step', keep('passkey')],
])('a passkey that does not work leads back to the page “%s”, which says so', async (title, kept) => {
  const failed = { status: 401, error: 'This passkey does not work here.', error_type: 'authentication' };
  const given = { kept, replies: { [PASSKEY]: () => failed } };
  const { page } = await submitGuestForm('/login/passkey', { passkey: 'no JSON' }, given);
  expect(page?.title).toContain(title);
  expect([page?.status, page?.problems]).toEqual([401, [failed.error]]);
});
