import { randomUUID } from 'node:crypto';
import { programCalls } from '#contract/calls/programs.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { inSchool } from '../../../database/school.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, makeSession } from '../../../testing/builder.ts';
import { ingestSessions, parseSessions } from './reading-app.public.ts';

const app = testApp();
/** The answer about a pupil who is not found. */
const NOT_FOUND = { status: 404, error: { error: 'We could not find this pupil in your school.' } };
const NOW = '2026-11-18T12:00:00.000Z';
let school: BuiltSchool;
let otherSchool: BuiltSchool;
let token: string;
beforeAll(async () => {
  ({ school, otherSchool } = await app.build.twoSchools());
  ({ token } = await app.build.program(school, { scopes: ['intake'] }));
});
beforeEach(() => app.setTime(NOW));

type Pupil = BuiltSchool['unplaced'];
const newPupil = async (classId: number | null = school.ownClass.id): Promise<Pupil> =>
  (await app.build.pupils(school, classId, ['Robin Reader']))[0] ?? school.unplaced;
const session = (given: Parameters<typeof makeSession>[0] | object = {}) =>
  makeSession({ started_at: '2026-11-18T09:00:00.000Z', ...given });
const send = (pupilId: number, sessions: readonly unknown[], by = token, schoolId = school.id) =>
  app.call(programCalls.storePupilSessions, {
    params: { id: schoolId, readerId: pupilId },
    body: { sessions: [...sessions] },
    token: by,
  });
const stored = (pupilId: number) =>
  app.database.kysely
    .selectFrom('reading_sessions')
    .select(['id', 'school_id', 'received_at'])
    .where('pupil_id', '=', pupilId)
    .execute();
const totals = (pupilId: number) =>
  app.database.kysely
    .selectFrom('reading_days')
    .select(['day', 'reading_time'])
    .where('pupil_id', '=', pupilId)
    .execute();

test('sessions that a program sends are stored for the pupil and count towards the daily totals', async () => {
  const { id } = await newPupil();
  const sent = session({ reading_time: 90 });
  expect(await send(id, [sent])).toMatchObject({ status: 200, reply: { accepted: 1, duplicates: 0, rejected: [] } });
  expect(await stored(id)).toEqual([{ id: sent.id, school_id: school.id, received_at: new Date(NOW) }]);
  expect(await totals(id)).toEqual([{ day: '2026-11-18', reading_time: 90 }]);
});

test('a session that the reading app and a program both send counts once', async () => {
  const pupil = await newPupil();
  const sent = session({ reading_time: 90 });
  expect((await send(pupil.id, [sent, sent])).reply).toEqual({ accepted: 1, duplicates: 1, rejected: [] });
  const again = { token: pupil.token, body: { sessions: [sent] } };
  expect((await app.call(readingAppCalls.storeSessions, again)).reply.duplicates).toBe(1);
  expect((await send(pupil.id, [sent])).reply).toEqual({ accepted: 0, duplicates: 1, rejected: [] });
  expect(await totals(pupil.id)).toEqual([{ day: '2026-11-18', reading_time: 90 }]);
});

test('a session with a fault is rejected alone, and so is one with the ID of another pupil’s session', async () => {
  const [pupil, classmate] = [await newPupil(), await newPupil()];
  const taken = session();
  await send(classmate.id, [taken]);
  const [good, bad, unknown] = [session(), session({ words_correct: 61 }), session({ book_id: 999_999 })];
  const { status, reply } = await send(pupil.id, [bad, good, taken, unknown, 7]);
  expect(status).toBe(200);
  expect(reply).toMatchObject({ accepted: 1, duplicates: 0 });
  expect(new Map(reply.rejected.map(({ id, error }) => [id, error]))).toEqual(
    new Map([
      [bad.id, expect.stringContaining('words_correct')],
      [null, expect.any(String)],
      [unknown.id, 'There is no book with this book_id.'],
      [taken.id, 'Another pupil has a session with this id. Generate a new one.'],
    ]),
  );
  expect((await stored(pupil.id)).map(({ id }) => id)).toEqual([good.id]);
});

test('a pupil of another school is not found, and a program cannot send to another school', async () => {
  const { id } = otherSchool.unplaced;
  expect(await send(id, [session()])).toMatchObject(NOT_FOUND);
  expect((await send(id, [session()], token, otherSchool.id)).status).toBe(404);
  expect((await send(id, [session()], otherSchool.admin.token, otherSchool.id)).status).toBe(403);
  expect(await stored(id)).toEqual([]);
});

test('an archived pupil is not found, also when every session has a fault', async () => {
  const { id } = await newPupil(null);
  await app.database.kysely
    .updateTable('pupils')
    .set({ archived_at: new Date(NOW) })
    .where('id', '=', id)
    .execute();
  for (const sent of [session(), 'no session']) expect(await send(id, [sent])).toMatchObject(NOT_FOUND);
  expect(await stored(id)).toEqual([]);
});

test('a program that is limited to a class sends sessions of its pupils alone', async () => {
  const limited = await app.build.program(school, { classIds: [school.ownClass.id] });
  const [own, other, unplaced] = [await newPupil(), await newPupil(school.otherClass.id), await newPupil(null)];
  expect((await send(own.id, [session()], limited.token)).status).toBe(200);
  for (const { id } of [other, unplaced]) {
    expect(await send(id, [session()], limited.token)).toMatchObject(NOT_FOUND);
    expect(await stored(id)).toEqual([]);
  }
});

test('a program without the scope to send in reading stores nothing', async () => {
  const { id } = await newPupil();
  const other = await app.build.program(school, { scopes: ['read_pupils', 'read_reading', 'write_pupils', 'books'] });
  expect(await send(id, [session()], other.token)).toMatchObject({
    status: 403,
    error: { code: 'program_scope_missing' },
  });
  expect(await stored(id)).toEqual([]);
});

test('a pupil who is erased while a program sends their sessions is not found', async () => {
  const { id } = await newPupil();
  const parsed = await parseSessions([session()]);
  await app.database.kysely.deleteFrom('pupils').where('id', '=', id).execute();
  const ingest = inSchool(app.database, school.id, (db) =>
    ingestSessions(db, id, parsed, new Date(NOW), 'pupil_not_found'),
  );
  await expect(ingest).rejects.toMatchObject({ kind: 'pupil_not_found' });
});

test('a program can repeat a request with its Idempotency-Key, and gets the first reply', async () => {
  const { id } = await newPupil();
  const request = {
    params: { id: school.id, readerId: id },
    body: { sessions: [session()] },
    token,
    headers: { 'idempotency-key': randomUUID() },
  };
  const first = await app.call(programCalls.storePupilSessions, request);
  expect(first.reply.accepted).toBe(1);
  expect((await app.call(programCalls.storePupilSessions, request)).reply).toEqual(first.reply);
});
