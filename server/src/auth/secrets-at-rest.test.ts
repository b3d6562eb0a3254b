import { accessCalls } from '#contract/calls/access.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { CARDS_AT_ONCE } from '#contract/limits.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { passwordResetJob } from '../features/accounts/access/access.jobs.ts';
import { resetLinkToken } from '../features/school/login-cards/login-sheets.service.ts';
import { testApp } from '../testing/app.ts';
import { dumpDatabase } from '../testing/dump.ts';
import { type BuiltSchool, PASSWORD } from '../testing/builder.ts';
import { unseal } from './sealing.ts';

const app = testApp();
let school: BuiltSchool;
/**
 * Secrets that people have. Each gives access to something, which shows that the attempts below would succeed with it.
 */
const secrets: Record<string, string> = {};

beforeAll(async () => {
  school = await app.build.school();
  const operator = await app.build.operator();
  const { token } = school.admin;
  const at = { params: { id: school.id }, token };
  secrets.session = token;
  secrets.set_up = await app.build.link('set_up', school.teacher.id);

  await app.call(passwordCalls.requestPasswordReset, { body: { email: school.admin.email } });
  await app.runJobs();
  secrets.password_reset = /token=([\w-]+)/.exec(app.mails.at(-1)?.text ?? '')?.[1] ?? '';
  // A mail that is waiting to be delivered.
  await passwordResetJob(app.services).run({ userId: school.teacher.id });

  // An invite that was mailed, one whose mail is waiting to be delivered, and one that waits for its sender's address
  // to be confirmed.
  const invite = (email: string) => app.call(inviteCalls.sendInvites, { ...at, body: { email: [email] } });
  await invite('mailed@test.example');
  await app.runJobs();
  const mailed = app.mails.find(({ recipient }) => recipient === 'mailed@test.example');
  secrets.invite = /invite\/([\w-]+)/.exec(mailed?.text ?? '')?.[1] ?? '';
  await app.database.kysely
    .updateTable('users')
    .set({ email_confirmed_at: null })
    .where('id', '=', school.admin.id)
    .execute();
  await invite('secrets@test.example');
  await app.call(accessCalls.resendConfirmation, { token });
  await app.runJobs();
  secrets.email_confirmation = /email\/([\w-]+)/.exec(app.mails.at(-1)?.text ?? '')?.[1] ?? '';

  await app.call(accessCalls.logIn, { body: { email: school.teacher.email, password: PASSWORD } });
  await app.runJobs();
  secrets.end_session = /end-session\/([\w-]+)/.exec(app.mails.at(-1)?.text ?? '')?.[1] ?? '';

  const code = await app.call(operatorCalls.mintImpersonation, {
    token: operator.token,
    body: { user_id: school.teacher.id, reason: 'A question of theirs' },
    headers: { 'idempotency-key': 'e3b5ba0c-59c5-4c0e-9d5b-0d0d2e7f6a10' },
  });
  secrets.impersonation = code.reply.code;
  const created = await app.call(pupilImportCalls.createPupils, {
    ...at,
    body: { readers: [{ name: 'Wren Fletcher' }] },
    headers: { 'idempotency-key': '5f1c8d4e-7c39-4f7e-a3f4-6f1b7c1b2d11' },
  });
  secrets.sheet = /files\/([\w-]+)\.pdf/.exec(created.reply.links?.logins ?? '')?.[1] ?? '';
  const many = await app.build.pupils(
    school,
    null,
    Array.from({ length: CARDS_AT_ONCE }, () => 'Ada Baker'),
  );
  // One more than a request makes itself, so that a job makes these.
  const reset = await app.call(loginCardCalls.resetPasswords, {
    ...at,
    body: { reader_ids: [school.unplaced, ...many].map(({ id }) => id) },
    headers: { 'idempotency-key': '9a7c2f52-0f3b-4d3d-8a55-3a1d2d1f9c12' },
  });
  secrets.reset = reset.reply.reset.id;
  const cards = await app.call(loginCardCalls.resetPasswords, {
    ...at,
    body: { reader_ids: [school.unplaced.id] },
    headers: { 'idempotency-key': '7d2b1c44-7b0e-4b55-9a0c-1f3e5a7c9d14' },
  });
  secrets.cards = cards.reply.reset.id;
  // This mail is delivered; the mails of the teacher and of an invite are still waiting.
  await app.runJobs();
  await app.build.invite(school, 'waits@test.example');
  await passwordResetJob(app.services).run({ userId: school.teacher.id });
});

/** Whatever could be a token: long words, and bytes in the encodings in which tokens are sent. */
function candidates(text: string): Set<string> {
  const found = new Set(text.match(/[\w-]{16,}/g));
  for (const [, hex = ''] of text.matchAll(/x((?:[0-9a-f]{2}){16,64})\b/g)) {
    const bytes = Buffer.from(hex, 'hex');
    for (const form of [hex, bytes.toString('base64url'), bytes.toString('base64')]) found.add(form);
  }
  return found;
}

let addresses = 0;
/** Each attempt comes from another address, so that no rate limit hides a success. */
const attempt = (method: 'GET' | 'POST', path: string, token?: string, payload?: object) => {
  addresses += 1;
  return app.fastify.inject({
    method,
    url: `/v1${path}`,
    remoteAddress: `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`,
    ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
    ...(payload ? { payload } : {}),
  });
};

interface Sealed {
  sheets: Buffer[];
  replies: Buffer[];
}
async function readSealed(): Promise<Sealed> {
  const sheets = await app.database.kysely.selectFrom('login_sheets').select('sealed').execute();
  const replies = await app.database.kysely.selectFrom('idempotency_keys').select('sealed_reply').execute();
  return {
    sheets: sheets.map(({ sealed }) => Buffer.from(sealed)),
    replies: replies.map(({ sealed_reply }) => Buffer.from(sealed_reply ?? '')),
  };
}
const unseals = (list: readonly Buffer[], secret: string, purpose: string) =>
  list.some((sealed) => {
    try {
      return unseal(sealed, secret, purpose).length > 0;
    } catch {
      return false;
    }
  });

/** What a string gives access to, through every call that exchanges a token for a session or a password. */
async function opens(secret: string, sealed: Sealed): Promise<string[]> {
  const open: string[] = [];
  const name = encodeURIComponent(secret);
  if ((await attempt('GET', '/users/me', secret)).statusCode === 200) open.push('session');
  if ((await attempt('GET', '/reader/books', secret)).statusCode === 200) open.push("pupil's session");
  if ((await attempt('POST', '/users/password/verify', undefined, { token: secret })).statusCode === 200)
    open.push('password_reset');
  if ((await attempt('POST', '/users/setup/exchange', undefined, { token: secret })).statusCode === 200)
    open.push('set_up');
  if ((await attempt('POST', '/users/email/confirm', undefined, { token: secret })).statusCode === 200)
    open.push('email_confirmation');
  if ((await attempt('POST', '/users/sessions/end', undefined, { token: secret })).statusCode === 200)
    open.push('end_session');
  if ((await attempt('GET', `/enterprises/invites/${name}`)).statusCode === 200) open.push('invite');
  if ((await attempt('POST', '/auth/impersonate', undefined, { code: secret })).statusCode === 200)
    open.push('impersonation');
  if ((await attempt('GET', `/files/${name}.xlsx`, school.admin.token)).statusCode === 200) open.push('file');
  if (unseals(sealed.sheets, secret, 'login sheet')) open.push('sheet');
  if (unseals(sealed.sheets, resetLinkToken(secret), 'login sheet')) open.push('reset');
  if (unseals(sealed.replies, secret, 'idempotency reply')) open.push('reply');
  return open;
}

describe('access to the whole database', () => {
  test('the whole database reveals nothing that gives access to a session, a password or a stored reply', async () => {
    const text = await dumpDatabase(app.database);
    // The dump contains the data to search.
    expect(text).toContain(school.admin.email);
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
    const sealed = await readSealed();
    expect([sealed.sheets.length, sealed.replies.length]).toEqual([3, 4]);
    const strings = candidates(text);
    expect(strings.size).toBeGreaterThan(20);
    const opened: [string, string[]][] = [];
    for (const secret of strings) {
      const open = await opens(secret, sealed);
      if (open.length > 0) opened.push([secret, open]);
    }
    expect(opened).toEqual([]);
  });

  test('the secrets that people have give access, so the search of the database would find them', async () => {
    const sealed = await readSealed();
    expect(await opens(secrets.session ?? '', sealed)).toEqual(['session']);
    expect(await opens(secrets.password_reset ?? '', sealed)).toEqual(['password_reset']);
    expect(await opens(secrets.impersonation ?? '', sealed)).toEqual(['impersonation']);
    expect(await opens(secrets.end_session ?? '', sealed)).toEqual(['end_session']);
    expect(await opens(secrets.invite ?? '', sealed)).toEqual(['invite']);
    expect(await opens(secrets.sheet ?? '', sealed)).toEqual(['file', 'sheet']);
    expect(await opens(secrets.reset ?? '', sealed)).toEqual(['reset']);
    expect(await opens(secrets.cards ?? '', sealed)).toEqual(['reset']);
    expect(await opens('9a7c2f52-0f3b-4d3d-8a55-3a1d2d1f9c12', sealed)).toEqual(['reply']);
    // Last, because these end the sessions and other links of their users.
    expect(await opens(secrets.email_confirmation ?? '', sealed)).toEqual(['email_confirmation']);
    expect(await opens(secrets.set_up ?? '', sealed)).toEqual(['set_up']);
    expect((await app.call(operatorCalls.impersonate, { body: { code: secrets.impersonation ?? '' } })).status).toBe(
      404,
    );
  });
});
