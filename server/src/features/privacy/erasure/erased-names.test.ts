import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessCalls } from '#contract/calls/access.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';

import pino from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { verifyAuditLog } from '../../../audit/audit-chain.queries.ts';
import { readInPlatform } from '../../../database/platform.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { dumpDatabase } from '../../../testing/dump.ts';

const folder = await mkdtemp(join(tmpdir(), 'erased-names-'));
const app = testApp({ DATA_DIR: folder, LOG_LEVEL: 'trace' });
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Everything that the colleague of these tests was ever called, in any spelling. */
const CANARY = /xanthippe|maidenname|quaglino/i;
/** The admin's, with a login of the last minutes. */
let token: string;
let counter = 0;
let invited: string;
let second: string;
let pending: string;

let school: BuiltSchool;
beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  school = await app.build.school();
  counter += 1;
  invited = `Xanthippe.MaidenName@Kites-${counter}.example`;
  second = `X.Quaglino@Kites-${counter}.example`;
  pending = `Xanthippe@Quaglino-${counter}.example`;
  await app.runJobs();
  app.mails.length = 0;
  token = school.admin.token;
});
const logIn = async (email: string) =>
  (await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } })).reply.meta.token;
/** Moves the clock, and logs the admin in again. */
async function moveTo(timestamp: string): Promise<void> {
  app.setTime(timestamp);
  token = await logIn(school.admin.email);
}
const asAdmin = () => ({ token, params: { id: school.id } });
const linkIn = (recipient: string, path: string): string =>
  app.mails
    .filter((mail) => mail.recipient === recipient)
    .flatMap(({ text }) => new RegExp(`${path}/([\\w-]+)`).exec(text)?.[1] ?? [])
    .at(-1) ?? '';
const listChanges = async (query: { search?: string } = {}) =>
  (await app.call(schoolCalls.listAuditLog, { ...asAdmin(), query })).reply.entries;
const sentenceValues = async (action: string) =>
  (await listChanges()).filter((entry) => entry.action === action).map(({ details }) => details);

/** Every text that the installation stores: tables with the job queue, and files. */
async function findCanary(): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  );
  const lines = [await dumpDatabase(app.database), ...texts].flatMap((text) => text.split('\n'));
  return lines.filter((line) => CANARY.test(line));
}

const invite = () =>
  app.call(inviteCalls.sendInvites, {
    ...asAdmin(),
    body: { email: [invited], name: ['Xanthippe MaidenName'] },
    headers: { 'idempotency-key': crypto.randomUUID() },
  });

/** A colleague who joins by the second invitation, with the address in lower case. */
async function joinByInvite(): Promise<{ id: number; token: string }> {
  await invite();
  await app.runJobs();
  await moveTo('2026-12-03T12:00:00.000Z');
  await invite();
  await app.runJobs();
  const email = invited.toLowerCase();
  const body = { first_name: 'Xanthippe', last_name: 'MaidenName', email, password: PASSWORD } as const;
  const { reply } = await app.call(accessCalls.register, { body: { ...body, user_type: 'enterprise' } });
  const accepted = await app.call(inviteCalls.acceptInvite, {
    token: reply.meta.token,
    params: { inviteId: linkIn(invited, 'invite') },
  });
  expect(accepted.status).toBe(200);
  return { id: reply.user.id, token: await logIn(email) };
}

/** Marries, changes the address, and asks for another change that waits. */
async function rename(member: string): Promise<void> {
  await app.call(accessCalls.updateMe, { token: member, body: { last_name: 'Quaglino' } });
  await app.call(accessCalls.updateMe, { token: member, body: { email: second, current_password: PASSWORD } });
  await app.runJobs();
  await app.call(accessCalls.confirmEmail, { token: member, body: { token: linkIn(second, 'confirm/email') } });
  await moveTo('2026-12-04T12:10:00.000Z');
  await app.runJobs({ scheduled: true });
  const again = await logIn(second);
  const { status } = await app.call(accessCalls.updateMe, {
    token: again,
    body: { email: pending, current_password: PASSWORD },
  });
  expect(status).toBe(200);
}

async function impersonate(userId: number, reason: string): Promise<void> {
  const operator = await app.build.operator();
  const mint = { token: operator.token, body: { user_id: userId, reason } };
  const minted = await app.call(operatorCalls.mintImpersonation, mint);
  expect((await app.call(operatorCalls.impersonate, { body: { code: minted.reply.code } })).status).toBe(200);
  // A second code stays unused.
  await app.call(operatorCalls.mintImpersonation, mint);
}

/** A file of school records that waits for a decision and proposes to invite the colleague. */
async function addWaitingFile(): Promise<void> {
  const records = { classes: [], staff: [{ name: 'Xanthippe Quaglino', email: second }] };
  const now = app.services.clock.now();
  const { id } = await app.database.kysely
    .insertInto('school_records_sources')
    .values({ school_id: school.id, kind: 'oneroster', created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.database.kysely
    .insertInto('runs')
    .values({
      school_id: school.id,
      source_id: id,
      kind: 'oneroster',
      origin: 'file',
      state: 'planned',
      created_at: now,
      records: JSON.stringify(records),
    })
    .execute();
}

test('no table, queue, file, mail or log line has a former name or address of an erased colleague, in any spelling', async () => {
  const written: string[] = [];
  Object.assign(app.fastify.log, { [pino.symbols.streamSym]: { write: (line: string) => written.push(line) } });
  const member = await joinByInvite();
  const inClass = { token, params: { id: school.id, groupId: school.ownClass.id } };
  await app.call(classCalls.addClassTeacher, { ...inClass, params: { ...inClass.params, userId: member.id } });
  await rename(member.token);
  await app.call(classCalls.removeClassTeacher, { ...inClass, params: { ...inClass.params, userId: member.id } });
  await impersonate(school.admin.id, 'Mrs QUAGLINO cannot log in');
  await impersonate(member.id, 'Reports are empty');
  await app.runJobs({ scheduled: true });
  await impersonate(school.teacher.id, 'xanthippe is missing');
  await addWaitingFile();
  const tables = (await findCanary()).map((line) => line.split(':')[0]);
  expect(tables).toEqual(
    expect.arrayContaining(['audit_log', 'email_changes', 'one_time_links', 'outbox', 'runs', 'users']),
  );

  const params = { id: school.id, userId: member.id };
  await app.call(teacherCalls.removeTeacher, { token, params });
  await impersonate(school.admin.id, 'Where did Mrs Quaglino go?');
  const erased = await app.call(privacyCalls.eraseFormerMember, { token, params });
  expect(erased.status).toBe(200);
  await app.runJobs({ scheduled: true });
  expect(await findCanary()).toEqual([]);
  expect(written.length).toBeGreaterThan(10);
  expect(written.filter((line) => CANARY.test(line))).toEqual([]);
  expect(
    await readInPlatform(app.database, (db) => verifyAuditLog(db, app.services.clock.now(), app.services.config)),
  ).toMatchObject({ breaches: [] });

  const former = `a former colleague (no. ${member.id})`;
  expect(await sentenceValues('teacher_assigned')).toEqual([{ name: school.ownClass.name, teacher: former }]);
  const reasons = (await listChanges()).filter(({ action }) => action === 'impersonation_started');
  expect(reasons.map(({ details }) => details)).toEqual([{}, {}, {}, {}]);
});

test('the log of changes names colleagues and invited people as they are called now', async () => {
  await invite();
  expect(await sentenceValues('teacher_invited')).toEqual([{ invited }]);
  expect((await listChanges({ search: `kites-${counter}` })).map(({ action }) => action)).toEqual(['teacher_invited']);
  const member = await joinByInvite();
  const params = { id: school.id, groupId: school.ownClass.id, userId: member.id };
  await app.call(classCalls.addClassTeacher, { token, params });
  await app.call(accessCalls.updateMe, { token: member.token, body: { last_name: 'Quaglino' } });
  expect(await sentenceValues('teacher_assigned')).toEqual([
    { name: school.ownClass.name, teacher: 'Xanthippe Quaglino' },
  ]);
  expect(await sentenceValues('teacher_invited')).toContainEqual({ invited: 'Xanthippe Quaglino' });
  const found = (await listChanges({ search: 'quaglino' })).map(({ action }) => action);
  expect(found).toEqual(expect.arrayContaining(['teacher_assigned', 'teacher_invited']));
  await app.call(teacherCalls.removeTeacher, { token, params });
  expect(await sentenceValues('teacher_assigned')).toEqual([
    { name: school.ownClass.name, teacher: 'Xanthippe Quaglino' },
  ]);
});

test('an accepted invitation stores only who accepted it, and its list shows their current name and address', async () => {
  const { id } = await joinByInvite();
  const rows = await app.database.kysely
    .selectFrom('invites')
    .select(['status', 'user_id', 'email', 'email_key', 'name'])
    .where('school_id', '=', school.id)
    .execute();
  const accepted = { status: 'accepted', user_id: id, email: '', email_key: '', name: '' };
  expect(rows).toEqual([accepted, accepted]);
  const list = async () =>
    (await app.call(inviteCalls.listInvites, asAdmin())).reply.invites.map(({ name, email }) => ({ name, email }));
  const shown = { name: 'Xanthippe MaidenName', email: invited.toLowerCase() };
  expect(await list()).toEqual([shown, shown]);
  await app.call(teacherCalls.removeTeacher, { token, params: { id: school.id, userId: id } });
  expect((await list())[0]).toEqual({ ...shown, email: '' });
  expect(await invite()).toMatchObject({ status: 200, reply: { sent: [{ email: invited }] } });
});

test('a colleague who is erased leaves an invitation and mails to someone else alone', async () => {
  const { id } = await joinByInvite();
  await app.call(inviteCalls.sendInvites, { ...asAdmin(), body: { email: ['other@kites.example'], name: ['Other'] } });
  await app.call(teacherCalls.removeTeacher, { token, params: { id: school.id, userId: id } });
  await app.call(privacyCalls.eraseFormerMember, { token, params: { id: school.id, userId: id } });
  const { reply } = await app.call(inviteCalls.listInvites, asAdmin());
  expect(reply.invites.map(({ email }) => email)).toEqual(['other@kites.example']);
  await app.runJobs();
  expect(app.mails.at(-1)?.recipient).toBe('other@kites.example');
});
