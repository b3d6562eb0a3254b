import { accessCalls } from '#contract/calls/access.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { expect, test } from 'vitest';
import { carryOutRetention } from '../retention/retention.public.ts';
import { inPlatform } from '../../../database/platform.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { insertMail, NO_PEOPLE } from '../../../mail/outbox.queries.ts';
import { testApp } from '../../../testing/app.ts';
import { makeSession, PASSWORD } from '../../../testing/builder.ts';
import { dumpDatabase } from '../../../testing/dump.ts';

const app = testApp();
/** Names that occur nowhere else, in usernames either. */
const CANARY = /zuleika|quaglino|xanthippe/i;

let keys = 0;
const key = () => ({ 'idempotency-key': `11111111-1111-4111-8111-${String((keys += 1)).padStart(12, '0')}` });

test('no table names a pupil 30 days after the deletion, whatever happened to them before', async () => {
  const school = await app.build.school();
  const { token } = school.admin;
  const at = { params: { id: school.id }, token };
  await app.call(accessCalls.updateMe, { token, body: { weekly_school_digest_optin: true } });

  const created = await app.call(pupilImportCalls.createPupils, {
    ...at,
    headers: key(),
    file: { name: 'pupils.csv', content: `Name,Class\nZuleika Quaglino,${school.ownClass.name}\n` },
  });
  const [pupil] = created.reply.readers;
  if (!pupil) throw new Error(created.text);
  expect(pupil.username).toMatch(CANARY);
  const params = { id: school.id, readerId: pupil.id };
  await app.call(pupilCalls.renamePupil, { params, token, body: { name: 'Zuleika Xanthippe' }, headers: key() });
  await app.call(classMembershipCalls.movePupils, {
    params: { id: school.id, groupId: school.otherClass.id },
    token,
    body: { reader_ids: [pupil.id], source: school.ownClass.id },
    headers: key(),
  });
  const [, file = ''] = /files\/([\w.-]+)$/.exec(created.reply.links?.spreadsheet ?? '') ?? [];
  expect((await app.call(loginCardCalls.getFile, { params: { token: file }, token })).status).toBe(200);

  const reset = await app.call(loginCardCalls.resetPasswords, {
    ...at,
    body: { reader_ids: [pupil.id] },
    headers: key(),
  });
  await app.runJobs();
  const done = await app.call(loginCardCalls.getPasswordReset, {
    params: { id: school.id, resetId: reply(reset).id },
    token,
  });
  const [, card = ''] = /files\/([\w.-]+)$/.exec(done.reply.reset.links?.spreadsheet ?? '') ?? [];
  const { password } = await readCard(card, token);
  expect(
    (await app.call(readingAppCalls.logInPupil, { body: { username: pupil.username, password: 'wrong one' } })).status,
  ).toBe(401);
  const login = await app.call(readingAppCalls.logInPupil, { body: { username: pupil.username, password } });
  const stored = await app.call(readingAppCalls.storeSessions, {
    token: login.reply.meta.token,
    headers: key(),
    body: { sessions: [makeSession({ started_at: '2026-11-18T09:00:00Z' })] },
  });
  expect(stored.reply.accepted).toBe(1);
  await app.call(downloadCalls.exportPupils, { ...at, query: { output: 'csv' } });

  app.setTime('2026-11-23T07:00:00.000Z');
  await inPlatform(app.database, (db) => enqueue(db, 'weekly-digest', {}));
  await app.runJobs();
  expect(app.mails.at(-1)?.text).toMatch(CANARY);
  expect(await dumpDatabase(app.database)).toMatch(CANARY);

  expect((await app.call(classMembershipCalls.deletePupil, { params, token, headers: key() })).status).toBe(200);
  app.setTime('2026-12-24T04:00:00.000Z');
  await carryOutRetention(app.services);
  app.setTime('2026-11-23T07:00:00.000Z');
  const text = await dumpDatabase(app.database);
  expect(text.split('\n').filter((row) => CANARY.test(row))).toEqual([]);

  // The session had ended by then.
  const adminLogin = await app.call(accessCalls.logIn, { body: { email: school.admin.email, password: PASSWORD } });
  const log = await app.call(schoolCalls.listAuditLog, { ...at, token: adminLogin.reply.meta.token });
  expect(log.reply.entries[0]).toMatchObject({ action: 'pupil_deleted', subject_id: String(pupil.id) });
  expect(log.reply.entries.find(({ action }) => action === 'pupils_moved')?.pupils).toEqual({
    total: 1,
    first: [{ id: pupil.id, name: null }],
  });
  expect(log.text).not.toMatch(CANARY);
});

const reply = (answer: { reply: { reset: { id: string } } }) => answer.reply.reset;

async function readCard(name: string, token: string): Promise<{ password: string }> {
  const { read, utils } = await import('@e965/xlsx');
  const { bytes } = await app.call(loginCardCalls.getFile, { params: { token: name }, token });
  const book = read(bytes);
  const [row] = utils.sheet_to_json<Record<string, string>>(book.Sheets[book.SheetNames[0] ?? ''] ?? {});
  return { password: row?.Password ?? '' };
}

test('the nightly jobs delete the text of an email after a day, the email after 90 days and a change after 24 months', async () => {
  const school = await app.build.school();
  app.setTime('2026-11-18T12:00:00.000Z');
  const { token } = school.admin;
  const [pupil] = school.ownClass.pupils;
  await app.call(pupilCalls.renamePupil, {
    params: { id: school.id, readerId: pupil?.id ?? 0 },
    token,
    body: { name: 'New Name' },
  });
  const mail = { kind: 'weekly_digest', recipient: 'gone@test.example', subject: 's', html: 'h', text: 't' } as const;
  const id = await inPlatform(app.database, (db) =>
    insertMail(db, mail, NO_PEOPLE, new Date('2026-11-18T12:00:00.000Z')),
  );
  const outbox = () =>
    app.database.kysely.selectFrom('outbox').select(['text', 'recipient']).where('id', '=', id).executeTakeFirst();
  const changes = async () =>
    (await app.database.kysely.selectFrom('audit_log').select('id').where('school_id', '=', school.id).execute())
      .length;
  const nightOf = async (timestamp: string) => {
    app.setTime(timestamp);
    await app.runJobs({ scheduled: true });
  };
  await nightOf('2026-11-19T11:59:59.000Z');
  expect([await outbox(), await changes()]).toEqual([{ text: 't', recipient: mail.recipient }, 1]);
  await nightOf('2026-11-19T12:00:00.000Z');
  expect(await outbox()).toEqual({ text: null, recipient: mail.recipient });
  await nightOf('2027-02-16T12:00:00.000Z');
  expect(await outbox()).toBeUndefined();
  await nightOf('2028-11-18T11:59:59.000Z');
  expect(await changes()).toBe(1);
  await nightOf('2028-11-18T12:00:00.000Z');
  expect(await changes()).toBe(0);
});
