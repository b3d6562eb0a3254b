import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveCalls } from '#contract/calls/archive.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { pupilAssistantCalls } from '#contract/calls/pupil-assistants.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { pupilTagCalls } from '#contract/calls/pupil-tags.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { sql } from 'kysely';
import { schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tableEntries } from '../registry/registry.public.ts';
import { inPlatform } from '../../../database/platform.ts';
import { inSchool } from '../../../database/school.ts';
import { insertMail } from '../../../mail/outbox.queries.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { dumpDatabase } from '../../../testing/dump.ts';
import { transferFile } from '../../../testing/oneroster.ts';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { readErasureList } from './erasure-list.service.ts';

const folder = await mkdtemp(join(tmpdir(), 'erasures-'));
const app = testApp({ BACKUP_DIR: folder, BACKUP_DAYS: '7', DATA_DIR: join(folder, 'data') });
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A name that occurs nowhere else, in texts or usernames. */
const CANARY = /quaglino|xanthippe/i;
let school: BuiltSchool;
let admin: { token: string };
beforeAll(() => app.setTime('2026-11-18T12:00:00.000Z'));
beforeEach(async () => {
  school = await app.build.school();
  admin = { token: school.admin.token };
});
const at = () => ({ params: { id: school.id }, ...admin });

/** Every text that the installation stores: tables with the job queue, and files. */
async function readEverything(): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  );
  return [await dumpDatabase(app.database), ...texts].flatMap((text) => text.split('\n'));
}

/** A pupil with a row in every table that has a column for pupils. */
async function addCanary(): Promise<number> {
  const [pupil] = await app.build.pupils(school, school.ownClass.id, ['Xanthippe Quaglino']);
  const { id, username } = pupil!;
  await app.call(readingAppCalls.logInPupil, { body: { username, password: PASSWORD } });
  const aboutPupil = { params: { id: school.id, readerId: id }, ...admin };
  await app.build.reading(school, id, [
    {
      started_at: '2026-11-16T09:00:00Z',
      has_completed_book: true,
      last_page: 9,
      skipped_words: ['quaglino'],
      words: [{ word: 'Quaglino', outcome: 'skipped', milliseconds: 900 }],
    },
  ]);
  await app.build.assign(school, { pupilId: id }, [101]);
  await app.call(pupilNoteCalls.addPupilNote, { ...aboutPupil, body: { text: 'Xanthippe likes otters' } });
  const now = app.services.clock.now();
  await app.database.kysely
    .insertInto('need_responses')
    .values({
      school_id: school.id,
      pupil_id: id,
      need: 'not_read',
      response: 'done',
      remark: 'Spoke to Mrs Quaglino',
      reason: 'Has not read',
      responded_by: school.admin.id,
      responded_at: now,
      until: now,
    })
    .execute();
  await app.call(pupilNoteCalls.listPupilNotes, aboutPupil);
  await app.fastify.recordViews.flush();
  const tag = await app.call(pupilTagCalls.createPupilTag, { ...at(), body: { name: `Choir ${id}` } });
  await app.call(pupilTagCalls.tagPupils, {
    ...at(),
    body: { changes: [{ tag_id: tag.reply.id, add: [id], remove: [] }] },
  });
  const { id: userId } = await app.build.staff(school, 'teaching_assistant');
  const helps = { params: { id: school.id, readerId: id, userId }, ...admin };
  await app.call(pupilAssistantCalls.addPupilAssistant, helps);
  await addToRecords(id);
  const mail = { kind: 'weekly_digest', subject: 's', html: 'h', text: 'Xanthippe Quaglino read' } as const;
  await inSchool(app.database, school.id, (db) =>
    insertMail(
      db,
      { ...mail, recipient: school.admin.email },
      { users: [school.admin.id], pupils: [id] },
      app.services.clock.now(),
    ),
  );
  // The class of the pupil is deleted, and can be restored.
  await app.call(classCalls.removeClass, { params: { id: school.id, groupId: school.ownClass.id }, ...admin });
  return id;
}

/** Links a pupil with a file of school records, and uploads another file that waits. */
async function addToRecords(pupilId: number): Promise<void> {
  const xml = transferFile([{ forename: 'Xanthippe', surname: 'Quaglino', birth: '2018-03-04' }]);
  const propose = async () => {
    const runId = (await app.call(schoolRecordsCalls.planSchoolRecords, { ...at(), body: { xml } })).reply.run_id ?? 0;
    const call = { params: { id: school.id, runId }, ...admin };
    return { call, ...(await app.call(schoolRecordsCalls.getSchoolRecordsRun, call)).reply };
  };
  const { call, plan, version } = await propose();
  const merges = [{ source_id: plan?.questions[0]?.source_id ?? '', pupil: pupilId }];
  await app.call(schoolRecordsCalls.applySchoolRecordsRun, { ...call, body: { version: version ?? '', merges } });
  await propose();
}

const erase = async (pupilId: number) => {
  await app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: [pupilId] } });
  return app.call(archiveCalls.erasePupil, { params: { id: school.id, readerId: pupilId }, ...admin });
};
const listErasures = async () => (await app.call(privacyCalls.listErasures, { ...at(), query: {} })).reply.erasures;

test('an erased pupil is in no table, queue, file or email, and the receipt counts every table', async () => {
  const id = await addCanary();
  const lines = await readEverything();
  const holding = new Set(lines.filter((line) => CANARY.test(line)).map((line) => line.split(':')[0]));
  for (const table of ['pupils', 'reading_sessions', 'word_days', 'pupil_notes', 'need_responses', 'outbox'])
    expect([...holding]).toContain(table);
  const { status, reply } = await erase(id);
  expect(status).toBe(200);
  await app.runJobs();
  expect((await readEverything()).filter((line) => CANARY.test(line))).toEqual([]);

  const { counts } = await app.database.kysely
    .selectFrom('erasures')
    .select('counts')
    .where('id', '=', reply.erasure_id)
    .executeTakeFirstOrThrow();
  // Sessions end when the pupil is archived.
  const empty = tableEntries.filter(([table, { pupil }]) => pupil && table !== 'sessions' && !counts[table]);
  expect(empty.map(([table]) => table)).toEqual([]);
  expect(counts.outbox).toBe(1);
  expect(counts.daily_views).toBeGreaterThan(0);
});

test('the receipt of an erasure is a PDF with counts, the digest and the day the last backup expires, and no name', async () => {
  const { reply } = await erase(await addCanary());
  await app.runJobs();
  const [erasure] = await listErasures();
  expect(erasure).toMatchObject({ id: reply.erasure_id, kind: 'pupil', is_automatic: false });
  // The backup of the night before is deleted in the first night in which it is older than seven days.
  expect(erasure?.backups_expire_on).toBe('2026-11-26');
  const receipt = await app.call(privacyCalls.getErasureReceipt, {
    params: { id: school.id, erasureId: reply.erasure_id },
    ...admin,
  });
  expect(receipt.headers['content-type']).toBe('application/pdf');
  const text = (await extractText(await getDocumentProxy(new Uint8Array(receipt.bytes)), { mergePages: true })).text;
  const [listed] = (await readErasureList(folder)).slice(-1);
  for (const part of ['Receipt of erasure', school.name, '26 November 2026', listed!.digest])
    expect(text).toContain(part);
  expect(text).toMatch(/\b1 entry\b.*\b\d+ entries\b/s);
  expect(text).not.toMatch(CANARY);
  expect(listed).toMatchObject({ kind: 'pupil', schoolId: school.id });
});

test('the receipt of an erasure is for admins of the school alone', async () => {
  const { reply } = await erase(await addCanary());
  const other = await app.build.school();
  const params = { id: other.id, erasureId: reply.erasure_id };
  expect((await app.call(privacyCalls.getErasureReceipt, { params, token: other.admin.token })).status).toBe(404);
  const own = { id: school.id, erasureId: reply.erasure_id };
  expect((await app.call(privacyCalls.getErasureReceipt, { params: own, token: school.teacher.token })).status).toBe(
    403,
  );
});

test('an admin can erase a former member of staff with everything that names them, and no one else’s', async () => {
  const other = await app.build.school();
  const { id } = school.teacher;
  const person = { first_name: 'Xanthippe', last_name: 'Quaglino', email: 'xanthippe@quaglino.example' };
  await app.database.kysely
    .updateTable('users')
    .set({ ...person, email_key: person.email })
    .where('id', '=', id)
    .execute();
  await sql`insert into invites (school_id, id, email, email_key, name, role, status, created_at, expires_at)
    values (${school.id}, gen_random_uuid(), ${person.email}, ${person.email}, 'Xanthippe Quaglino', 'teacher', 'accepted', now(), now())`.execute(
    app.database.kysely,
  );
  const mail = { kind: 'account_changed', subject: 's', html: 'h', text: 't' } as const;
  await inPlatform(app.database, (db) =>
    insertMail(db, { ...mail, recipient: person.email }, { users: [id] }, app.services.clock.now()),
  );
  const eraseMember = (userId: number) =>
    app.call(privacyCalls.eraseFormerMember, { params: { id: school.id, userId }, ...admin });
  expect((await eraseMember(id)).status).toBe(404);
  expect((await eraseMember(other.teacher.id)).status).toBe(404);
  await app.call(teacherCalls.removeTeacher, { params: { id: school.id, userId: id }, ...admin });
  const listFormer = async () =>
    (await app.call(privacyCalls.getDataAndPrivacy, at())).reply.former_staff.map((former) => [
      former.email,
      former.left_on,
    ]);
  expect(await listFormer()).toEqual([[person.email, '2026-11-18']]);

  expect((await eraseMember(id)).status).toBe(200);
  await app.runJobs();
  expect((await readEverything()).filter((line) => CANARY.test(line))).toEqual([]);
  expect(await listFormer()).toEqual([]);
  expect((await listErasures())[0]).toMatchObject({ kind: 'staff' });
  const log = await app.call(schoolCalls.listAuditLog, at());
  expect(log.reply.entries.find(({ action }) => action === 'account_erased')?.subject_id).toBe(String(id));
  expect((await eraseMember(id)).status).toBe(404);
});

test('an erasure that fails halfway changes neither the pupil nor the list of erasures', async () => {
  const id = await addCanary();
  const raw = (text: string) => sql.raw(text).execute(app.database.kysely);
  await raw(`create function fail_receipt() returns trigger language plpgsql as 'begin raise exception ''no''; end'`);
  await raw('create trigger fail_receipt before insert on erasures execute function fail_receipt()');
  const before = await readErasureList(folder);
  expect((await erase(id)).status).toBe(500);
  await raw('drop function fail_receipt() cascade');
  await app.runJobs();
  expect(await readErasureList(folder)).toEqual(before);
  const { reply } = await app.call(archiveCalls.listArchive, at());
  expect(reply.readers.map((pupil) => pupil.id)).toEqual([id]);
});
