import { accessCalls } from '#contract/calls/access.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { auditNamesJob } from '../../../audit/audit-names.jobs.ts';
import { auditSealingJob } from '../../../audit/audit-chain.jobs.ts';
import { verifyAuditLog } from '../../../audit/audit-chain.queries.ts';
import { NO_ACTOR, recordChange } from '../../../audit/audit-log.queries.ts';
import { inPlatform, readInPlatform } from '../../../database/platform.ts';
import { inSchool } from '../../../database/school.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { sendMail } from '../../../mail/mail.ts';
import type { PeopleOfMail } from '../../../mail/outbox.queries.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { eraseSchool } from './school-erasure.service.ts';

const app = testApp();
let school: BuiltSchool;
let other: BuiltSchool;
beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  await app.runJobs();
  app.mails.length = 0;
  ({ school, otherSchool: other } = await app.build.twoSchools());
});
const now = () => app.services.clock.now();
const asAdmin = () => ({ token: school.admin.token, params: { id: school.id } });

const write = (from: BuiltSchool, recipient: string, text: string, people: PeopleOfMail) =>
  inSchool(app.database, from.id, (db) =>
    sendMail(db, { kind: 'weekly_digest', recipient, subject: 's', html: text, text }, people, now()),
  );
const listTexts = async () =>
  (
    await app.database.kysely.selectFrom('outbox').select('text').where('sent_at', 'is', null).orderBy('id').execute()
  ).map(({ text }) => text);

const logIn = async (email: string) =>
  (await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } })).reply.meta.token;

async function erasePupil(id: number, token = school.admin.token) {
  await app.call(archiveCalls.archivePupils, { ...asAdmin(), token, body: { reader_ids: [id] } });
  expect(
    (await app.call(archiveCalls.erasePupil, { ...asAdmin(), token, params: { id: school.id, readerId: id } })).status,
  ).toBe(200);
}
async function eraseMember(userId: number) {
  const params = { id: school.id, userId };
  await app.call(teacherCalls.removeTeacher, { ...asAdmin(), params });
  const { status } = await app.call(privacyCalls.eraseFormerMember, { ...asAdmin(), params });
  expect(status).toBe(200);
}

test('erasing a pupil called June deletes the mails about her, and none about a day in June or from another school', async () => {
  const [june] = await app.build.pupils(school, school.ownClass.id, ['June']);
  const { email, id } = school.admin;
  await write(school, email, 'June read for an hour', { users: [id], pupils: [june!.id] });
  await write(school, email, 'Your package ends on 9 June 2027', { users: [id] });
  await write(school, 'office@school.example', 'June has new words', { users: [], pupils: [june!.id] });
  await write(other, other.admin.email, 'The same ID at another school', {
    users: [other.admin.id],
    pupils: [june!.id],
  });
  await erasePupil(june!.id);
  expect(await listTexts()).toEqual(['Your package ends on 9 June 2027', 'The same ID at another school']);
});

test('a weekly digest that was sent is deleted with the first pupil whom it named', async () => {
  await app.call(accessCalls.updateMe, { token: school.admin.token, body: { weekly_school_digest_optin: true } });
  await inPlatform(app.database, (db) => enqueue(db, 'weekly-digest', {}));
  app.setTime('2026-11-23T07:00:00.000Z');
  await app.runJobs();
  expect(app.mails.map(({ kind }) => kind)).toEqual(['weekly_digest']);
  const digests = () =>
    app.database.kysely
      .selectFrom('outbox')
      .select(['user_ids', 'pupil_ids'])
      .where('kind', '=', 'weekly_digest')
      .where('from_school_id', '=', school.id)
      .execute();
  const [digest] = await digests();
  expect(digest?.user_ids).toEqual([school.admin.id]);
  const named = digest?.pupil_ids ?? [];
  expect(named.length).toBeGreaterThan(1);
  await erasePupil(named.at(-1)!, await logIn(school.admin.email));
  expect(await digests()).toEqual([]);
});

test('erasing a colleague deletes the mails to and about them in every spelling of the address, and no one else’s', async () => {
  const { id, email } = school.teacher;
  const { first_name, last_name } = await app.database.kysely
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const namesake = `To another school: ${first_name} ${last_name}`;
  await write(school, email.toUpperCase(), 'To the colleague', { users: [] });
  await write(school, school.admin.email, 'About the colleague', { users: [school.admin.id, id] });
  await write(school, `not-${email}`, `To a longer address than ${email}`, { users: [] });
  await write(other, other.admin.email, namesake, { users: [other.admin.id] });
  await eraseMember(id);
  expect(await listTexts()).toEqual([`To a longer address than ${email}`, namesake]);
});

test('a colleague who leaves gets no more mails of the school, and still those of their own account', async () => {
  const { id, email } = school.teacher;
  await write(school, email, 'Of the school', { users: [id] });
  await write(school, school.admin.email, 'To the admin about the colleague', { users: [school.admin.id, id] });
  await write(other, email, 'Of another school', { users: [id] });
  await inPlatform(app.database, (db) =>
    sendMail(
      db,
      { kind: 'password_reset', recipient: email, subject: 's', html: 'h', text: 'Of the account' },
      { users: [id] },
      now(),
    ),
  );
  await app.call(teacherCalls.removeTeacher, { ...asAdmin(), params: { id: school.id, userId: id } });
  expect(await listTexts()).toEqual(['To the admin about the colleague', 'Of another school', 'Of the account']);
});

test('erasing a school deletes the mails that it wrote and those of its accounts, and leaves the other schools’', async () => {
  const { email, id } = school.admin;
  await write(school, 'office@shared.example', 'From the school to its contact', { users: [] });
  await write(other, 'office@shared.example', 'From another school to the same contact', { users: [] });
  await write(other, other.admin.email, `Write to ${email} and x${email}`, { users: [other.admin.id] });
  await write(other, other.admin.email, 'About an account of the school', { users: [other.admin.id, id] });
  await eraseSchool(app.database, app.services.config, { schoolId: school.id, now: now(), isAgain: true });
  expect(await listTexts()).toEqual(['From another school to the same contact', `Write to ${email} and x${email}`]);
});

test('erasing someone who registered with a stranger’s address leaves the stranger’s mails alone', async () => {
  const victim = 'victim@mailbox.example';
  await write(other, victim, 'To the victim', { users: [] });
  const body = { first_name: 'Mal', last_name: 'Ory', email: victim, password: PASSWORD } as const;
  const { reply } = await app.call(accessCalls.register, { body: { ...body, user_type: 'enterprise' } });
  const { token } = reply.meta;
  await app.call(accessCalls.updateMe, { token, body: { email: 'mal@ory.example', current_password: PASSWORD } });
  await app.runJobs();
  const text = app.mails.findLast(({ recipient }) => recipient === 'mal@ory.example')?.text ?? '';
  const link = /confirm\/email\/([\w-]+)/.exec(text)?.[1] ?? '';
  expect((await app.call(accessCalls.confirmEmail, { token, body: { token: link } })).status).toBe(200);
  const mails = await app.database.kysely
    .selectFrom('outbox')
    .select('user_ids')
    .where('recipient', '=', victim)
    .where('from_school_id', '=', other.id)
    .execute();
  expect(mails).toEqual([{ user_ids: [] }]);
});

const listReasons = async (token = school.admin.token) =>
  (await app.call(schoolCalls.listAuditLog, { ...asAdmin(), token })).reply.entries
    .filter(({ action }) => action.startsWith('impersonation_'))
    .map(({ details }) => details);
const countCodes = async () =>
  (
    await app.database.kysely
      .selectFrom('one_time_links')
      .select('reason')
      .where('kind', '=', 'impersonation')
      .execute()
  ).length;

test('a reason of support that names a pupil is erased with the pupil, from the log, the mails and the codes', async () => {
  const [pupil] = await app.build.pupils(school, school.ownClass.id, ['Kid Zábranský']);
  const operator = await app.build.operator();
  const mint = (reason: string) =>
    app.call(operatorCalls.mintImpersonation, {
      token: operator.token,
      body: { user_id: school.teacher.id, reason },
    });
  const { reply } = await mint('kid zabransky cannot log in');
  await app.call(operatorCalls.impersonate, { body: { code: reply.code } });
  await mint('The reports are empty');
  expect(await countCodes()).toBe(2);
  expect((await listTexts()).join()).toContain('kid zabransky');
  await auditSealingJob(app.services).run({});
  await erasePupil(pupil!.id);
  await app.runJobs();
  expect(await listReasons()).toEqual([{ reason: 'The reports are empty' }, {}, {}]);
  expect(await countCodes()).toBe(0);
  expect((await listTexts()).join()).not.toContain('kid zabransky');
  expect(app.mails.some(({ text }) => text.includes('kid zabransky'))).toBe(false);
  const { breaches } = await readInPlatform(app.database, (db) => verifyAuditLog(db, now(), app.services.config));
  expect(breaches).toEqual([]);
  const [erasure] = await app.database.kysely
    .selectFrom('erasures')
    .select('counts')
    .where('school_id', '=', school.id)
    .execute();
  expect(erasure?.counts).toMatchObject({ audit_log: 2, outbox: 1 });
});

test('the audit log does not show whom the text of an entry is about, and a search does not find entries by that', async () => {
  await inSchool(app.database, school.id, (db) =>
    recordChange(db, NO_ACTOR, now(), {
      action: 'impersonation_prepared',
      subjectKind: 'user',
      subjectId: school.teacher.id,
      details: { reason: 'The reports are empty' },
    }),
  );
  expect(await listReasons()).toEqual([{ reason: 'The reports are empty' }]);
  const { reply } = await app.call(schoolCalls.listAuditLog, { ...asAdmin(), query: { search: 'about' } });
  expect(reply.entries).toEqual([]);
});

test('an entry with a detail that is not declared is rejected', async () => {
  const details = { email: 'a@school.example' } as object;
  const change = { action: 'teacher_invited', subjectKind: 'invite', subjectId: 'x', details } as const;
  await expect(inSchool(app.database, school.id, (db) => recordChange(db, NO_ACTOR, now(), change))).rejects.toThrow(
    'Declare the detail email of teacher_invited',
  );
});

test('the nightly job empties entries with names from an earlier release, which the chain shows as erased', async () => {
  const insert = (action: string, details: object) =>
    sql`
    insert into audit_log (school_id, at, action, subject_kind, subject_id, details)
    values (${school.id}, ${now()}, ${action}, 'class', ${school.ownClass.id}, ${JSON.stringify(details)}::jsonb)`.execute(
      app.database.kysely,
    );
  await insert('teacher_assigned', { name: 'Owls', teacher: 'Jo Quaglino' });
  await insert('teacher_invited', { email: 'jo@quaglino.example' });
  await insert('import_columns_chosen', { headers: ['jo quaglino'] });
  await insert('impersonation_started', { reason: 'Jo Quaglino cannot log in' });
  await insert('class_renamed', { from: 'Owls', to: 'Wrens' });
  await insert('invoice_credited', { number: 'INV-1', reason: 'Ordered twice' });
  await auditSealingJob(app.services).run({});
  await auditNamesJob(app.services).run({});
  const rows = await app.database.kysely
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('school_id', '=', school.id)
    .orderBy('id')
    .execute();
  expect(rows).toEqual([
    { action: 'teacher_assigned', details: {} },
    { action: 'teacher_invited', details: {} },
    { action: 'import_columns_chosen', details: {} },
    { action: 'impersonation_started', details: {} },
    { action: 'class_renamed', details: { from: 'Owls', to: 'Wrens' } },
    { action: 'invoice_credited', details: { number: 'INV-1', reason: 'Ordered twice' } },
  ]);
  const { breaches } = await readInPlatform(app.database, (db) => verifyAuditLog(db, now(), app.services.config));
  expect(breaches).toEqual([]);
  const { reply } = await app.call(schoolCalls.listAuditLog, asAdmin());
  expect(reply.entries.at(-1)?.details).toEqual({ name: school.ownClass.name });
});
