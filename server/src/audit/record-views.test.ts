import { api } from '#contract/api.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { bookCalls } from '#contract/calls/books.ts';
import { chartCalls } from '#contract/calls/charts.ts';
import { classReadingCalls } from '#contract/calls/class-reading.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { hardWordCalls } from '#contract/calls/hard-words.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { readingCalls } from '#contract/calls/reading.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { recordViewCalls } from '#contract/calls/record-views.ts';
import { supportAccessCalls } from '#contract/calls/support-access.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { type Call, isInSchool } from '#contract/call.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let pupilId: number;
let otherId: number;
beforeEach(async () => {
  app.setTime('2026-11-18T12:00:10.000Z');
  school = await app.build.school();
  [pupilId, otherId] = (await app.build.pupils(school, school.ownClass.id, ['Ada Baker', 'Ben Carr'])).map(
    ({ id }) => id,
  ) as [number, number];
});

const params = (id = pupilId) => ({ id: school.id, readerId: id });
const see = (call: Call, token = school.teacher.token, query: object = {}) =>
  app.call(call, { params: { ...params(), groupId: school.ownClass.id }, query: query as never, token });
const whoLooked = async (query: object = {}, id = pupilId) => {
  await app.fastify.recordViews.flush();
  const answer = await app.call(recordViewCalls.listRecordViews, {
    params: params(id),
    query: query,
    token: school.admin.token,
  });
  expect(answer.status).toBe(200);
  return answer.reply;
};
const rows = () =>
  app.database.kysely.selectFrom('daily_views').selectAll().where('school_id', '=', school.id).execute();
const count = async () => (await rows()).length;
const words = { start_date: '2026-09-01', end_date: '2026-10-31' };

test('Who looked is one row per person, thing and day, with a count and the first and last time, the latest first', async () => {
  await see(readingCalls.getPupilSummary);
  await see(pupilNoteCalls.listPupilNotes);
  app.setTime('2026-11-18T14:30:00.000Z');
  await see(readingCalls.getPupilSummary);
  await app.fastify.recordViews.flush();
  app.setTime('2026-11-18T15:00:00.000Z');
  await see(readingCalls.getPupilSummary);
  app.setTime('2026-11-18T16:00:00.000Z');
  await see(pupilProgressCalls.getPupilProgress, school.admin.token, { ...words, output: 'pdf' });
  const { views, meta } = await whoLooked();
  const alone = {
    about: 'pupil',
    group: null,
    pupils: 1,
    day: '2026-11-18',
    is_support: false,
    program: null,
    screen: 'pupil',
  };
  const teacher = { ...alone, viewer: { id: school.teacher.id, name: 'Morgan Teacher' } };
  const at = (time: string) => `2026-11-18T${time}.000Z`;
  expect(views).toEqual([
    {
      ...alone,
      viewer: { id: school.admin.id, name: 'Morgan Admin' },
      what: 'file',
      count: 1,
      first_at: at('16:00:00'),
      last_at: at('16:00:00'),
    },
    { ...teacher, what: 'page', count: 3, first_at: at('12:00:10'), last_at: at('15:00:00') },
    { ...teacher, what: 'notes', count: 1, first_at: at('12:00:10'), last_at: at('12:00:10') },
  ]);
  expect(meta).toMatchObject({ total: 3, page: 1 });
  expect((await whoLooked({ page: 2, per_page: 10 })).views).toEqual([]);
});

test('Who looked counts all calls of a page within a minute as one view, also those of several processes', async () => {
  await see(readingCalls.getPupilSummary);
  await app.fastify.recordViews.flush();
  app.setTime('2026-11-18T12:01:09.000Z');
  await see(readingCalls.getPupilSummary);
  await see(pupilCalls.getPupil);
  expect((await whoLooked()).views).toMatchObject([{ what: 'page', count: 1, last_at: '2026-11-18T12:01:09.000Z' }]);
  app.setTime('2026-11-18T12:02:10.000Z');
  await see(readingCalls.getPupilSummary);
  expect((await whoLooked()).views).toMatchObject([{ what: 'page', count: 2 }]);
});

test('Who looked begins a new row on each day of the school, in its time zone', async () => {
  app.setTime('2026-07-01T22:59:00.000Z');
  await see(readingCalls.getPupilSummary);
  app.setTime('2026-07-01T23:00:00.000Z');
  await see(readingCalls.getPupilSummary);
  expect((await whoLooked()).views.map(({ day, count: times }) => [day, times])).toEqual([
    ['2026-07-02', 1],
    ['2026-07-01', 1],
  ]);
});

test('Who looked has one row for a list of a class, which only the pupils find whose reading it shows', async () => {
  await app.build.reading(school, pupilId, [{}]);
  await see(classCalls.getClass);
  const { id, name } = school.ownClass;
  expect((await whoLooked()).views).toMatchObject([
    { about: 'class', group: { id, name }, pupils: 1, screen: 'class', what: 'page' },
  ]);
  // In the list as a name alone.
  expect((await whoLooked({}, otherId)).views).toEqual([]);
  await see(classReadingCalls.getClassReading);
  expect((await whoLooked({}, otherId)).views).toMatchObject([{ about: 'class', screen: 'class_reading' }]);
  expect(await count()).toBe(2);
});

test('Who looked adds the pupils of a later page to the row of the same list', async () => {
  for (const id of [pupilId, otherId]) await app.build.reading(school, id, [{}]);
  const list = (search: string) =>
    app.call(pupilCalls.listPupils, { params: { id: school.id }, query: { search }, token: school.teacher.token });
  await list('Ada');
  await app.fastify.recordViews.flush();
  expect((await whoLooked({}, otherId)).views).toEqual([]);
  app.setTime('2026-11-18T13:00:00.000Z');
  await list('Ben');
  const seen = [{ about: 'list', group: null, screen: 'pupils', pupils: 2, count: 2 }];
  expect((await whoLooked()).views).toMatchObject(seen);
  expect((await whoLooked({}, otherId)).views).toMatchObject(seen);
  expect(await count()).toBe(1);
});

test('Who looked has one row for a selection of pupils, and a row of the pupil for a selection of one', async () => {
  const query = { reader_ids: `${pupilId},${otherId}`, ...words };
  expect((await see(hardWordCalls.listPupilWords, school.teacher.token, query)).status).toBe(200);
  expect((await whoLooked()).views).toMatchObject([{ about: 'list', pupils: 2, screen: 'words' }]);
  expect(await count()).toBe(1);
  await see(hardWordCalls.listPupilWords, school.teacher.token, { ...query, reader_ids: String(otherId) });
  expect((await whoLooked({ about: 'pupil' }, otherId)).views).toMatchObject([{ about: 'pupil', pupils: 1 }]);
  expect((await whoLooked({ about: 'list' }, otherId)).views).toMatchObject([{ about: 'list', pupils: 2 }]);
  expect((await whoLooked({}, otherId)).meta.total).toBe(2);
});

test('Who looked contains a colleague who follows a pupil through the needs list, its PDF, a comparison and the workbook', async () => {
  const figures = { reader_id: String(pupilId), ...words };
  for (const [call, query] of [
    [readingNeedsCalls.listReadingNeeds, {}],
    [readingNeedsCalls.listReadingNeeds, { output: 'pdf' }],
    [chartCalls.compareFigures, figures],
    [chartCalls.downloadCharts, figures],
    [pupilCalls.getPupil, {}],
  ] as const)
    expect((await see(call, school.teacher.token, query)).status).toBe(200);
  expect((await whoLooked()).views.map(({ what, screen, about }) => [what, screen, about]).toSorted()).toEqual([
    ['file', 'needs', 'list'],
    ['file', 'pupil', 'pupil'],
    ['page', 'needs', 'list'],
    ['page', 'pupil', 'pupil'],
  ]);
});

test('Who looked contains nothing for a list of names, for figures of a class as a whole, for a HEAD request or a prefetch', async () => {
  await app.build.reading(school, pupilId, [{}]);
  const { token } = school.admin;
  const id = { params: { id: school.id }, token };
  const names = [
    app.call(pupilCalls.listPupilLogins, { ...id, query: {} }),
    app.call(archiveCalls.listArchive, id),
    app.call(downloadCalls.exportPupils, { ...id, query: { output: 'csv' } }),
    app.call(chartCalls.compareFigures, { token, query: { ...words, group_id: String(school.ownClass.id) } }),
    app.call(chartCalls.getReadingSummary, { token, query: words }),
    app.call(bookCalls.listClassBooks, { params: { ...params(), groupId: school.ownClass.id }, query: {}, token }),
  ];
  expect((await Promise.all(names)).map(({ status }) => status)).toEqual(names.map(() => 200));
  const url = `/v1/enterprises/${school.id}/readers/${pupilId}/notes`;
  const headers = { authorization: `Bearer ${token}` };
  const head = await app.fastify.inject({ method: 'HEAD', url, headers });
  const early = await app.fastify.inject({ method: 'GET', url, headers: { ...headers, 'sec-purpose': 'prefetch' } });
  expect([head.statusCode, early.statusCode]).toEqual([200, 503]);
  expect((await whoLooked()).views).toEqual([]);
});

test('Who looked calls the reply to a change a change', async () => {
  await app.call(pupilNoteCalls.addPupilNote, {
    params: params(),
    body: { text: 'Reads well' },
    token: school.teacher.token,
  });
  expect((await whoLooked()).views).toMatchObject([{ about: 'pupil', what: 'change', screen: 'pupil' }]);
});

test('Who looked contains no view that was rejected', async () => {
  const stranger = await app.build.staff(school, 'teacher');
  expect((await see(pupilNoteCalls.listPupilNotes, stranger.token)).status).toBe(409);
  expect((await whoLooked()).views).toEqual([]);
});

test('Who looked is for admins of the school alone', async () => {
  const other = await app.build.school();
  expect((await see(recordViewCalls.listRecordViews, school.teacher.token)).status).toBe(403);
  expect((await see(recordViewCalls.listRecordViews, other.admin.token)).status).toBe(404);
  const foreign = { id: other.id, readerId: pupilId };
  expect(
    (await app.call(recordViewCalls.listRecordViews, { params: foreign, query: {}, token: other.admin.token })).status,
  ).toBe(404);
});

test('Who looked marks our support team', async () => {
  const operator = await app.build.operator();
  const body = { user_id: school.admin.id, reason: 'Ticket 4711: a class is missing' };
  const { code } = (await app.call(operatorCalls.mintImpersonation, { token: operator.token, body })).reply;
  const { token } = (await app.call(operatorCalls.impersonate, { body: { code } })).reply.meta;
  expect((await see(readingCalls.getPupilSummary, token)).status).toBe(409);
  await app.call(supportAccessCalls.allowSupportAccess, { token: school.admin.token, params: { id: school.id } });
  expect((await see(readingCalls.getPupilSummary, token)).status).toBe(200);
  await see(readingCalls.getPupilSummary, school.admin.token);
  expect((await whoLooked()).views.map(({ is_support }) => is_support).toSorted()).toEqual([false, true]);
});

test('Who looked loses the name of a viewer whose account is erased, and keeps the view', async () => {
  await see(readingCalls.getPupilSummary);
  const at = { params: { id: school.id, userId: school.teacher.id }, token: school.admin.token };
  await app.call(teacherCalls.removeTeacher, at);
  expect((await whoLooked()).views).toMatchObject([{ viewer: { name: 'Morgan Teacher' } }]);
  expect((await app.call(privacyCalls.eraseFormerMember, at)).status).toBe(200);
  expect((await whoLooked()).views).toMatchObject([{ viewer: null, what: 'page' }]);
});

test('Who looked is removed after 12 months', async () => {
  await see(readingCalls.getPupilSummary);
  await app.fastify.recordViews.flush();
  app.setTime('2027-11-18T11:00:00.000Z');
  await app.runJobs({ scheduled: true });
  expect(await count()).toBe(1);
  app.setTime('2027-11-18T13:00:00.000Z');
  await app.runJobs({ scheduled: true });
  expect(await count()).toBe(0);
});

test('Who looked loses an erased pupil from lists, and the rows that were about the pupil alone', async () => {
  const { token } = school.admin;
  const query = { reader_ids: `${pupilId},${otherId}`, ...words };
  await see(hardWordCalls.listPupilWords, school.teacher.token, query);
  await see(readingCalls.getPupilSummary);
  await app.fastify.recordViews.flush();
  // Not stored before the pupil is erased.
  await see(hardWordCalls.listPupilWords, token, query);
  await see(pupilNoteCalls.listPupilNotes);
  await app.call(archiveCalls.archivePupils, { params: { id: school.id }, body: { reader_ids: [pupilId] }, token });
  expect((await app.call(archiveCalls.erasePupil, { params: params(), token })).status).toBe(200);
  await app.fastify.recordViews.flush();
  expect((await rows()).map(({ about, pupil_ids: ids }) => [about, ids])).toEqual([
    ['list', [otherId]],
    ['list', [otherId]],
  ]);
  await app.call(archiveCalls.archivePupils, { params: { id: school.id }, body: { reader_ids: [otherId] }, token });
  await app.call(archiveCalls.erasePupil, { params: params(otherId), token });
  expect(await count()).toBe(0);
});

describe('files whose download cannot be recorded', () => {
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

  test('every call that returns a file of a school has a test without a recorded download', () => {
    const calls = Object.values<Call>(api).filter((call) => isInSchool(call) && call.files.length > 0);
    // A receipt names no one. Login cards and subject access have tests of their own.
    expect(calls.map(({ name }) => name).sort()).toEqual(
      [...Object.keys(files()), 'downloadSubjectFile', 'getErasureReceipt', 'getFile'].sort(),
    );
  });

  test.each(Object.keys(files()))('%s sends no file when its download cannot be recorded', async (name) => {
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
