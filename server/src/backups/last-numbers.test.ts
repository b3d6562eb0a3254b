import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveCalls } from '#contract/calls/archive.ts';
import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inPlatform, readInPlatform, withPlatform } from '../database/platform.ts';
import { inSchool } from '../database/school.ts';
import { enqueue, LAST_NUMBERS_JOB } from '../jobs/queue.ts';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { raiseGeneration, readNumbers } from './generation.queries.ts';
import {
  assertNotRestored,
  lastNumbersJob,
  LAST_NUMBERS_FILE,
  readLastNumbers,
  recordLastNumbers,
  watchGeneration,
  writeLastNumbers,
} from './last-numbers.ts';

const folder = mkdtempSync(join(tmpdir(), 'last-numbers-'));
const app = testApp({ BACKUP_DIR: folder });
const file = join(folder, LAST_NUMBERS_FILE);
const now = new Date('2026-11-18T12:00:00.000Z');
let school: BuiltSchool;
beforeAll(async () => void (school = await app.build.school()));
beforeEach(async () => {
  await app.runJobs();
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

const numbersOfDatabase = () => readInPlatform(app.database, readNumbers);
const setGeneration = (generation: number) =>
  app.database.kysely.updateTable('database_generation').set({ generation }).execute();

test('the record beside the backups has the highest number of each kind when many processes write at once', async () => {
  const records = Array.from({ length: 12 }, (_, index) => ({
    generation: (index * 5) % 12,
    invoice: (index * 7) % 12,
    credit_note: 11 - index,
  }));
  await Promise.all(records.map((numbers) => writeLastNumbers(folder, numbers)));
  expect(await readLastNumbers(folder)).toEqual({ generation: 11, invoice: 11, credit_note: 11 });
  expect(readdirSync(folder)).toEqual([LAST_NUMBERS_FILE]);
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
});

test('each invoice and credit note is recorded beside the backups after the commit', async () => {
  const { number } = await app.build.invoice(school);
  await app.runJobs();
  const issued = await numbersOfDatabase();
  expect(number).toBe(`INV-${String(issued.invoice).padStart(6, '0')}`);
  expect(await readLastNumbers(folder)).toEqual(issued);
  const { token } = await app.build.operator();
  const credited = await app.call(billingConsoleCalls.creditInvoice, {
    token,
    params: { invoiceNumber: number },
    body: { reason: 'Ordered twice' },
  });
  expect(credited.status).toBe(200);
  await app.runJobs();
  expect((await readLastNumbers(folder))?.credit_note).toBe(issued.credit_note + 1);
});

test('no number of an invoice whose transaction is rolled back is recorded beside the backups', async () => {
  await recordLastNumbers(app.database, folder, now);
  const before = await readLastNumbers(folder);
  const work = inSchool(app.services.database, school.id, (db) =>
    withPlatform(db, async (platform) => {
      await platform.tx.updateTable('document_numbers').set({ last: 900 }).execute();
      await enqueue(platform, LAST_NUMBERS_JOB, {});
      throw new Error('rolled back');
    }),
  );
  await expect(work).rejects.toThrow('rolled back');
  await app.runJobs({ scheduled: true });
  const { invoice, credit_note } = before!;
  expect(await readLastNumbers(folder)).toMatchObject({ invoice, credit_note });
});

test('each erasure raises the generation, so that a restore from before is recognised', async () => {
  const [pupil] = await app.build.pupils(school, school.ownClass.id, ['Gone Soon']);
  const { generation } = await numbersOfDatabase();
  const { token } = school.admin;
  const params = { id: school.id };
  await app.call(archiveCalls.archivePupils, { token, params, body: { reader_ids: [pupil!.id] } });
  await app.call(archiveCalls.erasePupil, { token, params: { ...params, readerId: pupil!.id } });
  await app.runJobs();
  await setGeneration(generation);
  await expect(assertNotRestored(app.database, folder)).rejects.toThrow('restored from an earlier moment');
});

test('the generation and its record rise every five minutes, without any invoice or erasure', async () => {
  expect(lastNumbersJob(app.services, folder).schedule).toBe('*/5 * * * *');
  const { generation } = await numbersOfDatabase();
  await app.runJobs({ scheduled: true });
  const after = await numbersOfDatabase();
  expect(after.generation).toBeGreaterThan(generation);
  expect(await readLastNumbers(folder)).toEqual(after);
});

test('two processes that raise the generation at once leave the same generation in the database and beside the backups', async () => {
  await Promise.all(Array.from({ length: 5 }, () => recordLastNumbers(app.services.database, folder, now)));
  expect(await readLastNumbers(folder)).toEqual(await numbersOfDatabase());
  await assertNotRestored(app.database, folder);
});

test('a crash before the record beside the backups is written is not mistaken for a restore', async () => {
  await recordLastNumbers(app.database, folder, now);
  await inPlatform(app.database, (db) => raiseGeneration(db, now));
  await assertNotRestored(app.database, folder);
});

test.each(['generation', 'invoice', 'credit_note'] as const)(
  'a start recognises a restored database by a lower %s, and names the command to run',
  async (name) => {
    await recordLastNumbers(app.database, folder, now);
    const numbers = await numbersOfDatabase();
    writeFileSync(file, JSON.stringify({ ...numbers, [name]: numbers[name] + 1 }));
    await expect(assertNotRestored(app.database, folder)).rejects.toThrow('npm run after-restore');
  },
);

test('a start without the record beside the backups cannot recognise a restored database', async () => {
  await assertNotRestored(app.database, undefined);
  await assertNotRestored(app.database, mkdtempSync(join(folder, 'new-')));
});

test.each(['', '{"generation":', '{"generation":-1,"invoice":1,"credit_note":0}', '[]'])(
  'a start reports the damaged record %j with what to write, and does not change the file',
  async (text) => {
    writeFileSync(file, text);
    await expect(assertNotRestored(app.database, folder)).rejects.toThrow(`${file} is damaged`);
    await expect(recordLastNumbers(app.database, folder, now)).rejects.toThrow('write the last numbers into it');
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);

test('a running process notices once that the database was restored', async () => {
  const errors: string[] = [];
  const stop = watchGeneration(app.services.database, ({ message }) => errors.push(message), 1);
  try {
    let generation = 1000;
    const restore = async (): Promise<number> => {
      await setGeneration((generation -= 1));
      return errors.length;
    };
    await expect.poll(restore).toBe(1);
    expect(errors[0]).toContain('was restored while the portal was running');
  } finally {
    stop();
  }
});
