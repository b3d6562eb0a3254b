import { api } from '#contract/api.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { bookCalls } from '#contract/calls/books.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { hardWordCalls } from '#contract/calls/hard-words.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { readingCalls } from '#contract/calls/reading.ts';
import { recordViewCalls } from '#contract/calls/record-views.ts';
import { supportAccessCalls } from '#contract/calls/support-access.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { type Call, isInSchool } from '#contract/call.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../app.ts';
import { inPlatform } from '../database/platform.ts';
import { eventCounts } from '../observability/event-counts.ts';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { MAX_WAITING_VIEWS, RecordViews } from './record-views.ts';
import { insertRecordViews } from './record-views.queries.ts';

const app = testApp();
let school: BuiltSchool;
let pupilId: number;
beforeEach(async () => {
  app.setTime('2026-11-18T12:00:10.000Z');
  school = await app.build.school();
  pupilId = (await app.build.pupils(school, school.ownClass.id, ['Ada Baker']))[0]!.id;
});
afterEach(() => vi.useRealTimers());

const params = () => ({ id: school.id, readerId: pupilId });
const see = (call: Call, token = school.teacher.token, query: object = {}) =>
  app.call(call, { params: params(), query: query as never, token });
const newViews = () =>
  new RecordViews((rows) => inPlatform(app.services.database, (db) => insertRecordViews(db, rows)));
const whoLooked = async (query = {}) => {
  await app.fastify.recordViews.flush();
  const answer = await app.call(recordViewCalls.listRecordViews, {
    params: params(),
    query,
    token: school.admin.token,
  });
  expect(answer.status).toBe(200);
  return answer.reply;
};
const count = async () =>
  (await app.database.kysely.selectFrom('record_views').selectAll().where('school_id', '=', school.id).execute())
    .length;

describe('who looked at a pupil’s record', () => {
  test('is stored with the person, the minute, what was seen and the screen, the latest first', async () => {
    await see(readingCalls.getPupilSummary);
    await see(pupilNoteCalls.listPupilNotes);
    app.setTime('2026-11-18T12:03:00.000Z');
    await see(downloadCalls.exportPupilSessions, school.admin.token, { output: 'csv' });
    const { views, meta } = await whoLooked();
    const teacher = { viewer: { id: school.teacher.id, name: 'Morgan Teacher' }, is_support: false };
    expect(views).toEqual([
      {
        at: '2026-11-18T12:03:00.000Z',
        viewer: { id: school.admin.id, name: 'Morgan Admin' },
        is_support: false,
        what: 'file',
        screen: 'pupil',
      },
      { at: '2026-11-18T12:00:00.000Z', ...teacher, what: 'notes', screen: 'pupil' },
      { at: '2026-11-18T12:00:00.000Z', ...teacher, what: 'page', screen: 'pupil' },
    ]);
    expect(meta).toMatchObject({ total: 3, page: 1 });
    expect((await whoLooked({ page: 2, per_page: 10 })).views).toEqual([]);
  });

  test('is one row for the views of a person on one screen within a minute, also in several processes', async () => {
    await see(readingCalls.getPupilSummary);
    await see(readingCalls.getPupilSummary);
    await app.fastify.recordViews.flush();
    const other = newViews();
    const me = { userId: school.teacher.id, schoolId: school.id, impersonatorId: null } as never;
    other.record(
      readingCalls.getPupilSummary,
      { params: params(), query: {}, shown: [], me, now: app.services.clock.now() },
      false,
    );
    await other.close();
    expect(other.waitingCount).toBe(0);
    expect(await count()).toBe(1);
    await see(bookCalls.listBooksForPupil);
    app.setTime('2026-11-18T12:01:00.000Z');
    await see(readingCalls.getPupilSummary);
    expect((await whoLooked()).views.map(({ at, screen }) => [at.slice(11, 16), screen])).toEqual([
      ['12:01', 'pupil'],
      ['12:00', 'books'],
      ['12:00', 'pupil'],
    ]);
  });

  test('lists each pupil of a call about several', async () => {
    const [other] = await app.build.pupils(school, school.ownClass.id, ['Ben Carr']);
    const query = { reader_ids: `${pupilId},${other!.id}`, start_date: '2026-09-01', end_date: '2026-10-31' };
    const answer = await app.call(hardWordCalls.listPupilWords, {
      params: { id: school.id },
      query,
      token: school.teacher.token,
    });
    expect(answer.status).toBe(200);
    expect((await whoLooked()).views).toMatchObject([{ what: 'page', screen: 'words' }]);
    expect(await count()).toBe(2);
  });

  test('contains no view that was rejected', async () => {
    const stranger = await app.build.staff(school, 'teacher');
    expect((await see(pupilNoteCalls.listPupilNotes, stranger.token)).status).toBe(409);
    expect((await whoLooked()).views).toEqual([]);
  });

  test('is for admins of the school alone', async () => {
    const other = await app.build.school();
    expect((await see(recordViewCalls.listRecordViews, school.teacher.token)).status).toBe(403);
    expect((await see(recordViewCalls.listRecordViews, other.admin.token)).status).toBe(404);
    const foreign = { id: other.id, readerId: pupilId };
    expect(
      (await app.call(recordViewCalls.listRecordViews, { params: foreign, query: {}, token: other.admin.token }))
        .status,
    ).toBe(404);
  });

  test('marks our support team', async () => {
    const operator = await app.build.operator();
    const body = { user_id: school.admin.id, reason: 'Ticket 4711: a class is missing' };
    const { code } = (await app.call(operatorCalls.mintImpersonation, { token: operator.token, body })).reply;
    const { token } = (await app.call(operatorCalls.impersonate, { body: { code } })).reply.meta;
    expect((await see(readingCalls.getPupilSummary, token)).status).toBe(409);
    await app.call(supportAccessCalls.allowSupportAccess, { token: school.admin.token, params: { id: school.id } });
    expect((await see(readingCalls.getPupilSummary, token)).status).toBe(200);
    await see(readingCalls.getPupilSummary, school.admin.token);
    expect((await whoLooked()).views.map(({ is_support }) => is_support)).toEqual([false, true]);
  });

  test('loses the name of a viewer whose account is erased, and keeps the view', async () => {
    await see(readingCalls.getPupilSummary);
    const at = { params: { id: school.id, userId: school.teacher.id }, token: school.admin.token };
    await app.call(teacherCalls.removeTeacher, at);
    expect((await whoLooked()).views).toMatchObject([{ viewer: { name: 'Morgan Teacher' } }]);
    expect((await app.call(privacyCalls.eraseFormerMember, at)).status).toBe(200);
    expect((await whoLooked()).views).toMatchObject([{ viewer: null, what: 'page' }]);
  });

  test('is removed after 12 months', async () => {
    await see(readingCalls.getPupilSummary);
    await app.fastify.recordViews.flush();
    app.setTime('2027-11-18T11:00:00.000Z');
    await app.runJobs({ scheduled: true });
    expect(await count()).toBe(1);
    app.setTime('2027-11-18T13:00:00.000Z');
    await app.runJobs({ scheduled: true });
    expect(await count()).toBe(0);
  });
});

test('every call that returns one pupil’s data says what it shows', () => {
  const all = Object.values<Call>(api).filter(
    (call) =>
      call.method === 'GET' &&
      isInSchool(call) &&
      (call.path.includes('{readerId}') || 'reader_ids' in call.query.shape),
  );
  expect(
    all
      .filter(({ views }) => !views)
      .map(({ name }) => name)
      .sort(),
    // The name and class that lists show; the log itself; certificates with a name on them.
  ).toEqual(['getPupil', 'listRecordViews', 'renderCertificates']);
  const others = Object.values<Call>(api).filter((call) => call.views && !all.includes(call));
  // Its handler names the pupil.
  expect(others.map(({ name }) => name)).toEqual(['listSubjectTexts']);
});

describe('views that wait to be stored', () => {
  const me = () => ({ userId: school.teacher.id, schoolId: school.id, impersonatorId: null }) as never;
  const record = (views: RecordViews, id: number) =>
    views.record(
      readingCalls.getPupilSummary,
      { params: { readerId: id }, query: {}, shown: [], me: me(), now: app.services.clock.now() },
      false,
    );

  test('are stored five seconds after the first', async () => {
    const views = newViews();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    record(views, pupilId);
    vi.advanceTimersByTime(4999);
    expect(views.waitingCount).toBe(1);
    vi.advanceTimersByTime(1);
    expect(views.waitingCount).toBe(0);
    vi.useRealTimers();
    await views.close();
    expect(await count()).toBe(1);
  });

  test('are stored when the server stops', async () => {
    const second = await createApp(app.services);
    record(second.recordViews, pupilId);
    await second.close();
    expect(await count()).toBe(1);
  });

  test('do not delay the request, even while the table is locked', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let begun = () => {};
    const isLocked = new Promise<void>((resolve) => (begun = resolve));
    const holder = app.database.kysely.transaction().execute(async (tx) => {
      if (app.database.engine.kind === 'server') await sql`lock table record_views in exclusive mode`.execute(tx);
      begun();
      if (app.database.engine.kind === 'server') await released;
    });
    await isLocked;
    expect((await see(readingCalls.getPupilSummary)).status).toBe(200);
    const flushed = app.fastify.recordViews.flush();
    expect((await see(pupilNoteCalls.listPupilNotes)).status).toBe(200);
    release();
    await holder;
    await flushed;
    expect((await whoLooked()).views).toHaveLength(2);
  });

  test('wait again when the database rejects them', async () => {
    const raw = (text: string) => sql.raw(text).execute(app.database.kysely);
    await raw(`create function fail_views() returns trigger language plpgsql as 'begin raise exception ''no''; end'`);
    await raw('create trigger fail_views before insert on record_views execute function fail_views()');
    const views = newViews();
    record(views, pupilId);
    await views.flush();
    expect(views.waitingCount).toBe(1);
    await raw('drop function fail_views() cascade');
    await views.flush();
    expect(views.waitingCount).toBe(0);
    expect(await count()).toBe(1);
  });

  test('of a pupil who was erased meanwhile are left out, and the others are stored', async () => {
    const [other] = await app.build.pupils(school, school.ownClass.id, ['Ben Carr']);
    const { token } = school.admin;
    await see(readingCalls.getPupilSummary);
    await app.call(readingCalls.getPupilSummary, { params: { id: school.id, readerId: other!.id }, query: {}, token });
    await app.call(archiveCalls.archivePupils, { params: { id: school.id }, body: { reader_ids: [pupilId] }, token });
    expect((await app.call(archiveCalls.erasePupil, { params: params(), token })).status).toBe(200);
    await app.fastify.recordViews.flush();
    const rows = await app.database.kysely.selectFrom('record_views').select('pupil_id').execute();
    expect(rows.map(({ pupil_id }) => pupil_id)).toContain(other!.id);
    expect(rows.map(({ pupil_id }) => pupil_id)).not.toContain(pupilId);
  });

  test('never fill the memory: what does not fit while others are being stored is counted as lost', async () => {
    const views = newViews();
    const before = eventCounts().record_view_lost;
    // The pupils do not exist, so that none is stored.
    for (let id = 1; id <= 2 * MAX_WAITING_VIEWS + 3; id += 1) record(views, 1_000_000_000 + id);
    expect(views.waitingCount).toBe(MAX_WAITING_VIEWS);
    expect(eventCounts().record_view_lost - before).toBe(3);
    await views.close();
    expect(views.waitingCount).toBe(0);
  });
});

describe('a file whose download cannot be recorded is not sent', () => {
  const dates = { start_date: '2026-09-01', end_date: '2026-10-31' };
  const files = (): Record<string, object> => ({
    exportPupils: { output: 'csv' },
    exportClasses: { output: 'csv' },
    exportTeachers: { output: 'csv' },
    exportClassReading: { output: 'csv' },
    exportPupilSessions: { output: 'csv' },
    exportSchoolInvoices: { output: 'csv' },
    exportAuditLog: { output: 'csv' },
    exportSchool: {},
    downloadPupilReports: { reader_ids: String(pupilId), ...dates },
    getPupilProgress: { output: 'pdf', ...dates },
    listHardWords: { output: 'sheet', ...dates },
    listPupilWords: { output: 'sheet', reader_ids: String(pupilId), ...dates },
    listReadingNeeds: { output: 'pdf' },
    renderCertificates: { certificate: 'book-worm', reader_id: String(pupilId), reason: 'For reading' },
    getChart: {
      output: 'csv',
      name: 'readers_read_books_by_reading_level',
      start_date: '2026-11-01T00:00:00.000Z',
      end_date: '2026-11-18T12:00:00.000Z',
    },
    downloadCharts: { start_date: '2026-11-01T00:00:00.000Z', end_date: '2026-11-18T12:00:00.000Z' },
    getReadingSummary: { output: 'pdf', ...dates },
  });

  test('the calls are all that return files of a school', () => {
    const calls = Object.values<Call>(api).filter((call) => isInSchool(call) && call.files.length > 0);
    // A receipt names no one. Login cards and subject access have tests of their own.
    expect(calls.map(({ name }) => name).sort()).toEqual(
      [...Object.keys(files()), 'downloadSubjectFile', 'getErasureReceipt', 'getFile'].sort(),
    );
  });

  test.each(Object.keys(files()))('%s', async (name) => {
    const call = (api as unknown as Record<string, Call>)[name]!;
    const request = {
      params: { ...params(), groupId: school.ownClass.id },
      query: files()[name] as never,
      token: school.admin.token,
    };
    const sent = await app.call(call, request);
    expect([sent.status, sent.headers['content-disposition']]).toEqual([200, expect.stringContaining('attachment')]);
    await failAudit();
    const failed = await app.call(call, request);
    await restoreAudit();
    expect([failed.status, failed.headers['content-disposition']]).toEqual([500, undefined]);
  });
});

test('login cards whose download cannot be recorded are not sent', async () => {
  const { token } = school.admin;
  const body = { readers: [{ name: 'Wren Fletcher' }] };
  const { reply } = await app.call(pupilImportCalls.createPupils, { params: { id: school.id }, body, token });
  const [, file = ''] = /files\/([\w-]+\.pdf)$/.exec(reply.links?.logins ?? '') ?? [];
  await failAudit();
  const failed = await app.call(loginCardCalls.getFile, { params: { token: file }, token });
  await restoreAudit();
  expect([failed.status, failed.headers['content-disposition']]).toEqual([500, undefined]);
  expect((await app.call(loginCardCalls.getFile, { params: { token: file }, token })).status).toBe(200);
});

const raw = (text: string) => sql.raw(text).execute(app.database.kysely);
async function failAudit() {
  await raw(`create function fail_audit() returns trigger language plpgsql as 'begin raise exception ''no''; end'`);
  await raw('create trigger fail_audit before insert on audit_log execute function fail_audit()');
}
const restoreAudit = () => raw('drop function fail_audit() cascade');
