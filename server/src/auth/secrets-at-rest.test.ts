import { accessCalls } from '#contract/calls/access.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { passwordResetJob } from '../features/access/password-reset.jobs.ts';
import { resetLinkToken } from '../features/login-cards/login-sheets.service.ts';
import { testApp } from '../testing/app.ts';
import { dumpDatabase } from '../testing/dump.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { unseal } from './sealing.ts';

const app = testApp();
let school: BuiltSchool;
/** What people hold: each opens something, which shows that the attempts below would notice. */
const held: Record<string, string> = {};

beforeAll(async () => {
  school = await app.build.school();
  const operator = await app.build.operator();
  const { token } = school.admin;
  const at = { params: { id: school.id }, token };
  held.session = token;
  held.set_up = await app.build.link('set_up', school.teacher.id);

  await app.call(passwordCalls.requestPasswordReset, { body: { email: school.admin.email } });
  await app.runJobs();
  held.password_reset = /token=([\w-]+)/.exec(app.mails.at(-1)?.text ?? '')?.[1] ?? '';
  // A mail that waits to be delivered.
  await passwordResetJob(app.services).run({ userId: school.teacher.id });

  // An invite that was mailed, one whose mail waits to be delivered, one that waits for its sender's address.
  const invite = (email: string) => app.call(inviteCalls.sendInvites, { ...at, body: { email: [email] } });
  await invite('mailed@test.example');
  await app.runJobs();
  const mailed = app.mails.find(({ recipient }) => recipient === 'mailed@test.example');
  held.invite = /invite\/([\w-]+)/.exec(mailed?.text ?? '')?.[1] ?? '';
  await app.database.kysely
    .updateTable('users')
    .set({ email_confirmed_at: null })
    .where('id', '=', school.admin.id)
    .execute();
  await invite('held@test.example');
  await app.call(accessCalls.resendConfirmation, { token });
  await app.runJobs();
  held.email_confirmation = /email\/([\w-]+)/.exec(app.mails.at(-1)?.text ?? '')?.[1] ?? '';

  const code = await app.call(operatorCalls.mintImpersonation, {
    token: operator.token,
    body: { user_id: school.teacher.id, reason: 'A question of theirs' },
    headers: { 'idempotency-key': 'e3b5ba0c-59c5-4c0e-9d5b-0d0d2e7f6a10' },
  });
  held.impersonation = code.reply.code;
  const created = await app.call(pupilImportCalls.createPupils, {
    ...at,
    body: { readers: [{ name: 'Wren Fletcher' }] },
    headers: { 'idempotency-key': '5f1c8d4e-7c39-4f7e-a3f4-6f1b7c1b2d11' },
  });
  held.sheet = /files\/([\w-]+)\.pdf/.exec(created.reply.links?.logins ?? '')?.[1] ?? '';
  const reset = await app.call(loginCardCalls.resetPasswords, {
    ...at,
    body: { reader_ids: [school.unplaced.id] },
    headers: { 'idempotency-key': '9a7c2f52-0f3b-4d3d-8a55-3a1d2d1f9c12' },
  });
  held.reset = reset.reply.reset.id;
  const cards = await app.call(loginCardCalls.makeLoginCards, {
    ...at,
    body: { reader_ids: [school.unplaced.id] },
    headers: { 'idempotency-key': '7d2b1c44-7b0e-4b55-9a0c-1f3e5a7c9d14' },
  });
  held.cards = cards.reply.reset.id;
  // Done and mailed; the mails of the teacher and of an invite wait on.
  await app.runJobs();
  await app.build.invite(school, 'waits@test.example');
  await passwordResetJob(app.services).run({ userId: school.teacher.id });
});

/** Whatever could be a token: long words as they stand, and bytes in the forms in which tokens travel. */
function candidates(text: string): Set<string> {
  const found = new Set(text.match(/[\w-]{16,}/g));
  for (const [, hex = ''] of text.matchAll(/x((?:[0-9a-f]{2}){16,64})\b/g)) {
    const bytes = Buffer.from(hex, 'hex');
    for (const form of [hex, bytes.toString('base64url'), bytes.toString('base64')]) found.add(form);
  }
  return found;
}

let addresses = 0;
/** Each attempt from an address of its own, so that no limit hides what it would open. */
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

/** What a string opens, of all that exchanges one for a session or a password. */
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
  if ((await attempt('GET', `/enterprises/invites/${name}`)).statusCode === 200) open.push('invite');
  if ((await attempt('POST', '/auth/impersonate', undefined, { code: secret })).statusCode === 200)
    open.push('impersonation');
  if ((await attempt('GET', `/files/${name}.xlsx`, school.admin.token)).statusCode === 200) open.push('file');
  if (unseals(sealed.sheets, secret, 'login sheet')) open.push('sheet');
  if (unseals(sealed.sheets, resetLinkToken(secret), 'login sheet')) open.push('reset');
  if (unseals(sealed.replies, secret, 'idempotency reply')) open.push('reply');
  return open;
}

describe('somebody who can read the whole database', () => {
  test('finds nothing that opens a session, a password or a kept reply', async () => {
    const text = await dumpDatabase(app.database);
    // The dump has what it should be searched in.
    expect(text).toContain(school.admin.email);
    for (const secret of Object.values(held)) expect(text).not.toContain(secret);
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

  test('would be noticed: what people hold does open', async () => {
    const sealed = await readSealed();
    expect(await opens(held.session ?? '', sealed)).toEqual(['session']);
    expect(await opens(held.password_reset ?? '', sealed)).toEqual(['password_reset']);
    expect(await opens(held.impersonation ?? '', sealed)).toEqual(['impersonation']);
    expect(await opens(held.set_up ?? '', sealed)).toEqual(['set_up']);
    expect(await opens(held.invite ?? '', sealed)).toEqual(['invite']);
    expect(await opens(held.email_confirmation ?? '', sealed)).toEqual(['email_confirmation']);
    expect(await opens(held.sheet ?? '', sealed)).toEqual(['file', 'sheet']);
    expect(await opens(held.reset ?? '', sealed)).toEqual(['reset']);
    expect(await opens(held.cards ?? '', sealed)).toEqual(['reset']);
    expect(await opens('9a7c2f52-0f3b-4d3d-8a55-3a1d2d1f9c12', sealed)).toEqual(['reply']);
    expect((await app.call(operatorCalls.impersonate, { body: { code: held.impersonation ?? '' } })).status).toBe(404);
  });

  test('finds no text of a mail that was delivered', async () => {
    const sent = await app.database.kysely.selectFrom('outbox').selectAll().where('sent_at', 'is not', null).execute();
    expect(sent.map(({ kind, recipient }) => [kind, recipient])).toContainEqual(['password_reset', school.admin.email]);
    for (const { subject, html, text, headers, link } of sent)
      expect({ subject, html, text, headers, link }).toEqual({
        subject: null,
        html: null,
        text: null,
        headers: null,
        link: null,
      });
  });
});
