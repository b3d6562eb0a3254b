import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WorkOwner } from '../bounded-queue.ts';
import { runInRequest } from '../logging/request-scope.ts';
import { readList } from '../spreadsheets/read-upload.ts';
import { FILE_LIMITS, runInWorker, WorkerLimitExceeded } from './worker-pool.ts';

const UPLOAD_HEAP_MB = 160;
const readStaff = () =>
  readList('readStaffFile', { source: 'Email\nada@school.example', ownDomains: new Set<string>() });
/** The workers that have received a task. */
const used = new Set<Worker>();
/** How many were running when each upload was sent to one. */
const runningAtUpload: number[] = [];
/** The numbers of those that have not ended. */
const listRunning = (): number[] => [...used].map(({ threadId }) => threadId).filter((id) => id !== -1);

async function endWorkers(): Promise<void> {
  for (const worker of used) await worker.terminate();
  used.clear();
}

beforeEach(() => {
  const send = Worker.prototype.postMessage;
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...message) {
    used.add(this);
    if (this.resourceLimits?.maxOldGenerationSizeMb === UPLOAD_HEAP_MB) runningAtUpload.push(listRunning().length);
    send.apply(this, message);
  });
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await endWorkers();
});

const sheet = { name: 'Pupils', headers: ['Name'], rows: [['Ada']], widths: [10] };
const writeSheet = () => runInWorker('writeXlsx', sheet, FILE_LIMITS);
const writeZip = () => runInWorker('writeZip', [{ name: 'a.txt', content: 'a' }], FILE_LIMITS);
const runAs = <T>(owner: WorkOwner, work: () => Promise<T>) => runInRequest({ requestId: 'test', owner }, work);
const teacherOf = (school: number): WorkOwner => ({ school, person: 'teacher' });

/** A file that takes about as long as starting a worker. */
const longSheet = { ...sheet, rows: Array.from({ length: 20_000 }, (_, n) => [`Pupil ${n}`]) };
const writeLongSheet = () => runInWorker('writeXlsx', longSheet, FILE_LIMITS);

beforeEach(async () => {
  // Those that other tests of this process have left.
  await Promise.all([runAs(teacherOf(1), writeSheet), runAs(teacherOf(2), writeSheet)]);
  await endWorkers();
});

test("a worker for the portal's own data runs the next task of any kind", async () => {
  await writeSheet();
  const worker = listRunning();
  await writeZip();
  await writeSheet();
  expect(listRunning()).toEqual(worker);
});

test('a worker that has read an upload ends, and an idle one remains', async () => {
  await writeSheet();
  const worker = listRunning();
  await readStaff();
  expect(listRunning()).toEqual(worker);
});

test('an upload takes the place of an idle worker, so that there are never more than two', async () => {
  await Promise.all([runAs(teacherOf(1), writeSheet), runAs(teacherOf(2), writeSheet)]);
  expect(listRunning()).toHaveLength(2);
  runningAtUpload.length = 0;
  await runAs(teacherOf(1), readStaff);
  expect(runningAtUpload).toEqual([2]);
  expect(listRunning()).toHaveLength(1);
});

test('an idle worker ends after a minute, and one that was used meanwhile a minute after that', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await writeSheet();
  const worker = listRunning();
  for (let uses = 0; uses < 2; uses += 1) {
    await vi.advanceTimersByTimeAsync(45_000);
    await writeSheet();
  }
  expect(listRunning()).toEqual(worker);
  await vi.advanceTimersByTimeAsync(61_000);
  await expect.poll(listRunning).toHaveLength(0);
});

test('a worker that is large after its task ends', async () => {
  const measured = { total_heap_size: 150 * 1024 * 1024, external_memory: 20 * 1024 * 1024 };
  vi.spyOn(Worker.prototype, 'getHeapStatistics').mockResolvedValue(measured as never);
  await writeSheet();
  expect(listRunning()).toHaveLength(0);
});

test('a task over its limit of processor time ends its worker, and the next one runs', async () => {
  const endless = runInWorker('writeXlsx', { ...sheet, rows: longSheet.rows.concat(longSheet.rows) }, { cpuMs: 1 });
  await expect(endless).rejects.toThrow(WorkerLimitExceeded);
  expect(listRunning()).toHaveLength(0);
  await writeSheet();
  expect(listRunning()).toHaveLength(1);
});

test('one person uses one worker and four of their files wait, while another school’s file starts at once', async () => {
  const finished: string[] = [];
  const greedy = Array.from({ length: 5 }, (_, n) =>
    runAs(teacherOf(1), writeLongSheet).then(() => finished.push(`greedy ${n}`)),
  );
  await expect(runAs(teacherOf(1), writeSheet)).rejects.toMatchObject({ kind: 'busy', details: { retryAfter: 5 } });
  await runAs(teacherOf(2), writeSheet);
  expect(finished.length).toBeLessThanOrEqual(1);
  await Promise.all(greedy);
  expect(listRunning().length).toBeLessThanOrEqual(2);
});
