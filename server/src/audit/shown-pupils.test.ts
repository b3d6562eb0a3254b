import { api } from '#contract/api.ts';
import { type Call, isInSchool } from '#contract/call.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { pupilTagCalls } from '#contract/calls/pupil-tags.ts';
import { subjectRequestCalls } from '#contract/calls/subject-requests.ts';
import { childDataOf, markChildData } from '#contract/record-views.ts';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { openSubjectRequest } from '../testing/subject-requests.ts';
import { FileReply } from '../file-reply.ts';
import { compileShownPupils } from './shown-pupils.ts';

const app = testApp();
let school: BuiltSchool;
let pupilId: number;
beforeEach(async () => {
  // A Wednesday of a week in which the pupil read.
  app.setTime('2026-11-18T12:00:10.000Z');
  school = await app.build.school();
  pupilId = school.ownClass.pupils[0]!.id;
  await app.build.reading(school, pupilId, [{ started_at: '2026-11-18T09:00:00.000Z' }]);
});

const calls = Object.values<Call>(api);
const days = { start_date: '2026-11-01', end_date: '2026-11-18' };
const ofPupils = 'readers_read_books_by_reading_level';

interface Request {
  query?: Record<string, string>;
  params?: Record<string, number>;
  body?: object;
  token?: string;
}

/** A request to each call whose reply shows data about the pupil, and a second one for its file. */
const requests: Record<string, () => Request[] | Promise<Request[]>> = {
  listReadingNeeds: () => [{}, { query: { output: 'pdf' } }],
  listLowestFifth: async () => {
    await app.build.reading(school, pupilId, [{ started_at: '2026-11-17T09:00:00.000Z', words_attempted: 100 }]);
    const inYear3 = { year_group: '3', year_group_since: '2026-09-01' } as const;
    await app.database.kysely.updateTable('pupils').set(inYear3).where('id', '=', pupilId).execute();
    return [{}];
  },
  listPupilNeeds: () => [{}],
  respondToNeed: () => [{ body: { need: 'nothing_assigned', response: 'done', remark: null } }],
  downloadPupilReports: () => [{ query: { reader_ids: String(pupilId), ...days } }],
  getPupilAccuracy: () => [{ query: days }],
  getPupilProgress: () => [{ query: days }, { query: { ...days, output: 'pdf' } }],
  getPupilSummary: () => [{}],
  getPupilBook: () => [{ params: { bookId: 101 } }],
  exportPupilSessions: () => [{ query: { output: 'csv' } }],
  listPupilWords: () => {
    const query = { reader_ids: String(pupilId), ...days };
    return [{ query }, { query: { ...query, output: 'sheet' } }];
  },
  getClassReading: () => [{}],
  exportClassReading: () => [{ query: { output: 'csv' } }],
  getReadingLine: () => [{ query: { group_id: String(school.ownClass.id), week: '2026-11-18' } }],
  getChart: () => {
    const query = { name: ofPupils, ...days };
    return [{ query }, { query: { ...query, output: 'csv' } }];
  },
  compareFigures: () => [{ query: { ...days, reader_id: String(pupilId) } }],
  downloadCharts: () => [{ query: days }, { query: { ...days, reader_id: String(pupilId) } }],
  listPupilNotes: () => [{}],
  addPupilNote: () => [{ body: { text: 'Reads well' } }],
  listPupils: () => [{}],
  listReading: async () => {
    await receivedBefore();
    return [{ token: (await app.build.program(school)).token }];
  },
  getPupil: () => [{}],
  renamePupil: () => [{ body: { name: 'Ada Baker' } }],
  getClass: () => [{}],
  listPupilTags: async () => {
    await addTag();
    return [{}, { query: { reader_id: String(pupilId) } }];
  },
  exportPupils: async () => {
    await addTag();
    return [{ query: { output: 'csv', include_tags: '1' } }];
  },
  exportSchool: () => [{}],
  listBooksForPupil: () => [{}],
  listBookReaders: async () => {
    await app.build.assign(school, { classId: school.ownClass.id }, [101]);
    return [{ params: { bookId: 101 } }];
  },
  listBookStates: () => [{ query: { reader_ids: String(pupilId) } }],
  listSubjectTexts: async () => {
    const { requestId } = await openSubjectRequest(app, school, { makesFile: false });
    return [{ params: { requestId } }];
  },
  downloadSubjectFile: async () => {
    const { requestId } = await openSubjectRequest(app, school, { makesFile: true });
    await app.runJobs();
    return [{ params: { requestId } }];
  },
  renderCertificates: () => {
    const query = { certificate: 'book-worm', reason: 'For reading' };
    return [
      { query: { ...query, reader_id: String(pupilId) } },
      { query: { ...query, group_id: String(school.ownClass.id) } },
    ];
  },
};

/** Makes what the portal has received old enough for programs. */
const receivedBefore = () =>
  app.database.kysely
    .updateTable('reading_sessions')
    .set({ received_at: new Date('2026-11-18T11:00:00.000Z') })
    .execute();

async function addTag() {
  const admin = { params: { id: school.id }, token: school.admin.token };
  const { id } = (await app.call(pupilTagCalls.createPupilTag, { ...admin, body: { name: 'Reading club' } })).reply;
  await app.call(pupilTagCalls.tagPupils, { ...admin, body: { changes: [{ tag_id: id, add: [pupilId] }] } });
}

const listRows = async () => {
  await app.fastify.recordViews.flush();
  return app.database.kysely.selectFrom('daily_views').selectAll().where('school_id', '=', school.id).execute();
};

/** Every schema in a schema, found by the properties of its definition. */
function listSchemas(schema: z.core.$ZodType, known = new Set<z.core.$ZodType>()): Set<z.core.$ZodType> {
  if (known.has(schema)) return known;
  known.add(schema);
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('_zod' in value) listSchemas(value as z.core.$ZodType, known);
    else for (const part of Object.values(value)) visit(part);
  };
  visit(schema._zod.def);
  return known;
}

test('every call whose reply has marked fields, and every call with files about pupils, is requested here', () => {
  const marked = calls.filter(({ reply }) => [...listSchemas(reply)].some((schema) => childDataOf(schema)));
  const inFiles = calls.filter(({ files, noViews }) => files.length > 0 && noViews === undefined);
  expect([...new Set([...marked, ...inFiles].map(({ name }) => name))].sort()).toEqual(Object.keys(requests).sort());
  expect(
    calls
      .filter(({ views }) => views)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(requests).sort());
});

test.each(Object.keys(requests))('%s records a view of the pupil whose data it returns', async (name) => {
  const call = (api as unknown as Record<string, Call>)[name]!;
  const own: Record<string, number> = { id: school.id, readerId: pupilId, groupId: school.ownClass.id };
  for (const { query = {}, params, body, token = school.admin.token } of await requests[name]!()) {
    await app.fastify.recordViews.flush();
    await app.database.kysely.deleteFrom('daily_views').execute();
    const needed = Object.keys(call.params.shape).map((key) => [key, { ...own, ...params }[key]]);
    const sent = await app.call(call, {
      params: Object.fromEntries(needed) as never,
      query: query,
      token,
      ...(body && { body: body }),
    });
    expect(sent.status).toBe(200);
    const isFile = sent.headers['content-disposition'] !== undefined;
    const what = isFile ? 'file' : call.method === 'GET' ? call.views!.what : 'change';
    const isAlone = 'readerId' in call.params.shape || Object.keys(query).some((key) => /^reader_ids?$/.test(key));
    const rows = await listRows();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      what,
      screen: (isAlone && call.views!.screenAlone) || call.views!.screen,
      user_id: school.admin.id,
      pupil_ids: expect.arrayContaining([pupilId]),
    });
    if (isAlone) expect(rows[0]).toMatchObject({ about: 'pupil', about_id: pupilId, pupil_ids: [pupilId] });
  }
});

/** Names of fields that say something about a child, wherever they appear. */
const CHILD_FIELDS =
  /^(accuracy|words|needs|hidden|improved|history|reason|remark|reading_time\w*|reading_level|last_read\w*|played_words|skipped_words|heatmap|notes|text|has_opened|has_completed|books_completed|weeks)$/;

/** Objects that have such a field and are about no child. */
const ABOUT_NO_CHILD: Record<string, string> = {
  listClassBooks: 'The level of a book.',
  listInvites: 'The words of a mail server about an invitation.',
  listMailDeliveries: 'The words of a mail server about an email to staff.',
  resendInvite: 'The words of a mail server about an invitation.',
  listHardWords: 'Words of three or more pupils together.',
  getReadingSummary: 'Figures of a school, a class or a year group.',
  getSchoolRecordsRun: 'Names and classes of school records, and why a row waits.',
  getRun: 'Names of pupils and classes, and why they would not be undone.',
  undoRun: 'Names of pupils and classes, and why they were not undone.',
  previewPupils: 'Names and classes of a file, and what is wrong with a row.',
  testSchoolRecordsConnection: 'Counts of school records.',
};

test('every call of a school that returns a field with reading, notes, reasons or words marks it', () => {
  const unmarked = calls
    .filter((call) => isInSchool(call) && call.permission !== 'reader' && !call.views)
    .filter(({ reply }) =>
      [...listSchemas(reply)].some(
        (schema) => schema instanceof z.ZodObject && Object.keys(schema.shape).some((key) => CHILD_FIELDS.test(key)),
      ),
    );
  expect(unmarked.map(({ name }) => name).sort()).toEqual(Object.keys(ABOUT_NO_CHILD).sort());
});

const callWith = (reply: z.ZodType, more: Partial<Call> = {}) =>
  compileShownPupils({ ...pupilNoteCalls.listPupilNotes, reply, ...more });
const handled = (shown?: readonly number[]) => ({ params: {}, query: {}, shown });
const pupil = markChildData(z.strictObject({ id: z.number(), note: z.string().nullable() }), {
  pupil: 'id',
  fields: ['note'],
});

test('the search for pupils in a reply finds the pupils with data, in lists and objects that may be missing', () => {
  const findShown = callWith(z.strictObject({ page: z.strictObject({ list: z.array(pupil).nullable() }).optional() }))!;
  const found = findShown(
    {
      page: {
        list: [
          { id: 1, note: null },
          { id: 2, note: 'x' },
          { id: 2, note: 'y' },
        ],
      },
    },
    handled(),
  );
  expect(found).toMatchObject({ about: 'list', aboutId: 0, pupilIds: [2] });
  expect(findShown({ page: { list: null } }, handled())).toBeUndefined();
  expect(findShown({}, handled())).toBeUndefined();
});

test('the search for pupils in a reply costs nothing for a call without marked fields', () => {
  const { views: _, ...call } = pupilNoteCalls.listPupilNotes;
  expect(compileShownPupils({ ...call, reply: z.strictObject({ name: z.string() }) })).toBeUndefined();
});

test('the search for pupils fails at the start for marked fields without a label, a label without them, and fields it cannot find', () => {
  const { views: _, ...call } = pupilNoteCalls.listPupilNotes;
  expect(() => compileShownPupils({ ...call, reply: z.array(pupil) })).toThrow('declares no views');
  expect(() => callWith(z.strictObject({}))).toThrow('returns no data about pupils');
  expect(() => callWith(z.union([pupil, z.null()]))).toThrow('in a union');
  expect(() => callWith(z.record(z.string(), pupil))).toThrow('in a record');
});

test('the search for pupils fails for a reply or a file that does not say whose data it contains', () => {
  const unnamed = markChildData(z.strictObject({ text: z.string() }), { fields: ['text'] });
  const findShown = callWith(z.strictObject({ texts: z.array(unnamed) }))!;
  const answer = { texts: [{ text: 'Likes otters' }] };
  expect(() => findShown(answer, handled())).toThrow('does not name the pupils');
  expect(findShown(answer, handled([7]))).toMatchObject({ pupilIds: [7] });
  expect(findShown({ texts: [] }, handled())).toBeUndefined();
  const file = new FileReply('application/pdf', 'a.pdf', '');
  expect(() => findShown(file, handled())).toThrow('does not name the pupils');
  expect(findShown(file, handled([]))).toBeUndefined();
  expect(findShown(file, { params: { readerId: 4 }, query: {}, shown: undefined })).toMatchObject({ pupilIds: [4] });
});

test('a repeated request with the same key, which receives the first reply, is recorded too', async () => {
  const request = {
    params: { id: school.id, readerId: pupilId },
    body: { text: 'Reads well' },
    token: school.admin.token,
    headers: { 'idempotency-key': 'a-key-of-16-letters' },
  };
  await app.call(pupilNoteCalls.addPupilNote, request);
  app.setTime('2026-11-18T13:00:00.000Z');
  await app.call(pupilNoteCalls.addPupilNote, request);
  expect(await listRows()).toMatchObject([{ what: 'change', count: 2 }]);
});

test('the texts of a request without any text about the pupil are no view', async () => {
  const { requestId } = await openSubjectRequest(app, school, { makesFile: false });
  await listRows();
  await app.database.kysely.deleteFrom('daily_views').execute();
  await app.database.kysely.deleteFrom('pupil_notes').execute();
  const at = { params: { id: school.id, requestId }, query: {}, token: school.admin.token };
  expect((await app.call(subjectRequestCalls.listSubjectTexts, at)).status).toBe(200);
  expect(await listRows()).toEqual([]);
});
