import { readingCalls } from '#contract/calls/reading.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import type { Call } from '#contract/call.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApp } from '../app.ts';
import { inSchool } from '../database/school.ts';
import { eventCounts } from '../logging/event-counts.ts';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { MAX_WAITING_PUPILS_PER_SCHOOL, RecordViews } from './record-views.ts';
import { storeViews } from './record-views.queries.ts';
import type { ShownPupils } from './shown-pupils.ts';

const app = testApp();
let school: BuiltSchool;
let pupilId: number;
beforeEach(async () => {
  app.setTime('2026-11-18T12:00:10.000Z');
  school = await app.build.school();
  pupilId = school.ownClass.pupils[0]!.id;
});
afterEach(() => vi.useRealTimers());

const logged: unknown[] = [];
const log = { error: (...given: unknown[]) => void logged.push(given) } as never;
beforeEach(() => void logged.splice(0));

const page = (id: number): ShownPupils => ({
  what: 'page',
  screen: 'pupil',
  about: 'pupil',
  aboutId: id,
  pupilIds: [id],
});
const lost = () => eventCounts().record_view_lost;
const newViews = () =>
  new RecordViews((id, rows) => inSchool(app.services.database, id, (db) => storeViews(db, rows)), log);
const record = (views: RecordViews, shown: ShownPupils = page(pupilId), schoolId = school.id) =>
  views.record(
    shown,
    { userId: school.teacher.id, schoolId, impersonatorId: null, program: null },
    app.services.clock.now(),
  );
const see = (call: Call) =>
  app.call(call, { params: { id: school.id, readerId: pupilId }, query: {}, token: school.teacher.token });
const rows = () =>
  app.database.kysely.selectFrom('daily_views').selectAll().where('school_id', '=', school.id).execute();

test('views are stored five seconds after the first', async () => {
  const views = newViews();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  record(views);
  vi.advanceTimersByTime(4999);
  expect(views.waitingCount).toBe(1);
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  await expect.poll(() => views.waitingCount).toBe(0);
  expect(await rows()).toHaveLength(1);
});

test('views that wait are stored when the server stops', async () => {
  const second = await createApp(app.services);
  record(second.recordViews);
  await second.close();
  expect(await rows()).toHaveLength(1);
});

test('two processes that store the same view at once count it once', async () => {
  const processes = [newViews(), newViews()];
  for (const views of processes) record(views);
  await Promise.all(processes.map((views) => views.close()));
  expect(await rows()).toMatchObject([{ count: 1, pupil_ids: [pupilId] }]);
});

test('a view does not delay its request, even while the table is locked', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let begun = () => {};
  const isLocked = new Promise<void>((resolve) => (begun = resolve));
  const holder = app.database.kysely.transaction().execute(async (tx) => {
    if (app.database.engine.kind === 'server') await sql`lock table daily_views in exclusive mode`.execute(tx);
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
  await app.fastify.recordViews.flush();
  expect(await rows()).toHaveLength(2);
});

test('views of a school that the database rejects wait again, and those of other schools are stored', async () => {
  const other = await app.build.school();
  const otherPupil = other.ownClass.pupils[0]!.id;
  const failing = school.id;
  let isFailing = true;
  const views = new RecordViews(async (id, batch) => {
    if (isFailing && id === failing) throw new Error('The machine of this school is away.');
    await inSchool(app.services.database, id, (db) => storeViews(db, batch));
  }, log);
  record(views);
  record(views, page(otherPupil), other.id);
  await views.flush();
  expect(views.waitingCount).toBe(1);
  expect(logged).toHaveLength(1);
  const stored = await app.database.kysely.selectFrom('daily_views').select('school_id').execute();
  expect(stored.map(({ school_id: id }) => id)).toContain(other.id);
  // A view that follows meanwhile is added to the one that waits.
  app.setTime('2026-11-18T12:10:00.000Z');
  record(views);
  expect(views.waitingCount).toBe(1);
  isFailing = false;
  await views.flush();
  expect(views.waitingCount).toBe(0);
  expect(await rows()).toMatchObject([{ count: 2 }]);
});

test('a school whose machine does not answer delays no other school', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const stored: number[] = [];
  const views = new RecordViews(async (id) => {
    if (id === 1) await answered;
    stored.push(id);
  }, log);
  for (const id of [1, 2, 3, 4, 5, 6]) record(views, page(id), id);
  const flushed = views.flush();
  await expect.poll(() => stored).toEqual([2, 3, 4, 5, 6]);
  answer();
  await flushed;
  expect(stored).toEqual([2, 3, 4, 5, 6, 1]);
});

test('a failing school is tried half as often after each failure', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let tries = 0;
  const views = new RecordViews(() => {
    tries += 1;
    return Promise.reject(new Error('away'));
  }, log);
  record(views);
  const triesAfter: number[] = [];
  for (let flush = 0; flush < 12; flush += 1) {
    await vi.advanceTimersByTimeAsync(5000);
    triesAfter.push(tries);
  }
  expect(triesAfter).toEqual([1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3]);
});

test('views of a school that fails never fill the memory, and leave room for other schools', () => {
  const views = new RecordViews(() => Promise.reject(new Error('away')), log);
  const before = lost();
  const list = (first: number, count: number): ShownPupils => ({
    ...page(0),
    about: 'list',
    pupilIds: Array.from({ length: count }, (_, index) => first + index),
  });
  record(views, list(1, MAX_WAITING_PUPILS_PER_SCHOOL));
  // A pupil who is in the list already needs no room.
  record(views, list(1, 10));
  expect(lost() - before).toBe(0);
  record(views, page(pupilId));
  expect(lost() - before).toBe(1);
  record(views, page(1), school.id + 1);
  expect(lost() - before).toBe(1);
  // Of eleven more schools with as many pupils, eight fit into the memory of the process.
  for (let id = 2; id <= 12; id += 1) record(views, list(1, MAX_WAITING_PUPILS_PER_SCHOOL), school.id + id);
  expect(lost() - before).toBe(4);
});

test('views that a stop drops are counted and logged', async () => {
  const views = new RecordViews(() => Promise.reject(new Error('away')), log);
  const before = lost();
  record(views);
  record(views, page(1), school.id + 1);
  await views.close();
  expect(lost() - before).toBe(2);
  expect(logged.at(-1)).toEqual([{ views: 2, schools: 2 }, 'stopped before all views of pupils were stored']);
});

test('a stop waits three seconds for a database that does not answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const views = new RecordViews(() => new Promise(() => undefined), log);
  const before = lost();
  record(views);
  const closed = views.close();
  await vi.advanceTimersByTimeAsync(3000);
  await closed;
  expect(lost() - before).toBe(1);
});
