import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { inPlatform, readInPlatform } from '../database/platform.ts';
import type { Services } from '../context.ts';
import { type Job, LAST_NUMBERS_JOB } from '../jobs/queue.ts';
import { readIfPresent, replaceFile } from './backup.ts';
import { readMark } from './named-databases.ts';
import { type LastNumbers, raiseGeneration, readNumbers } from './generation.queries.ts';

/*
 * The last numbers that the database gave, in a file beside the backups. A database with a lower one was restored from an
 * earlier moment. docs/decisions/restored-databases.md
 */

/** The name of the file in the folder of the backups. */
export const LAST_NUMBERS_FILE = 'last-numbers.json';

const number = z.int().nonnegative();
const schema = z.object({ generation: number, invoice: number, credit_note: number });

const NAMES = ['generation', 'invoice', 'credit_note'] as const satisfies (keyof LastNumbers)[];

/** The higher of two records, number by number. */
export const highestOf = (a: LastNumbers, b: LastNumbers): LastNumbers => ({
  generation: Math.max(a.generation, b.generation),
  invoice: Math.max(a.invoice, b.invoice),
  credit_note: Math.max(a.credit_note, b.credit_note),
});

function parse(text: string): LastNumbers | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The record in a folder; undefined if the folder has none. Throws, with a text for the operator, if it is damaged. */
export async function readLastNumbers(folder: string): Promise<LastNumbers | undefined> {
  const path = join(folder, LAST_NUMBERS_FILE);
  const text = await readIfPresent(path);
  if (text === undefined) return undefined;
  const numbers = parse(text);
  if (!numbers)
    throw new Error(
      `${path} is damaged. Replace it with a copy, or write the last numbers into it, for example {"generation":0,"invoice":42,"credit_note":3}.`,
    );
  return numbers;
}

/** Long enough for a slow disk; a process that dies leaves the lock for this long. */
const LOCK_STALE_MS = 10_000;
const LOCK_RETRIES = { retries: 150, minTimeout: 100, maxTimeout: 100, factor: 1 };

/** Raises the record in a folder to these numbers. Never lowers one, so that processes may write in any order. */
export async function writeLastNumbers(folder: string, numbers: LastNumbers): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const release = await lock(folder, {
    lockfilePath: join(folder, `${LAST_NUMBERS_FILE}.lock`),
    stale: LOCK_STALE_MS,
    retries: LOCK_RETRIES,
    // Another process that takes over an expired lock writes numbers that are at least as high.
    onCompromised: () => undefined,
  });
  try {
    const before = await readLastNumbers(folder);
    const after = before ? highestOf(before, numbers) : numbers;
    if (before && NAMES.every((name) => before[name] === after[name])) return;
    await replaceFile(join(folder, LAST_NUMBERS_FILE), `${JSON.stringify(after)}\n`);
  } finally {
    await release().catch(() => undefined);
  }
}

/**
 * Raises the generation of the database, then writes its last numbers into the folder. The file is written after the
 * commit, so that a crash in between leaves the file behind the database, which is not mistaken for a restore.
 */
export async function recordLastNumbers(database: Database, folder: string, now: Date): Promise<void> {
  const numbers = await inPlatform(database, async (db) => {
    await raiseGeneration(db, now);
    return readNumbers(db);
  });
  await writeLastNumbers(folder, numbers);
}

/** Records the last numbers every five minutes, and after each invoice, credit note and erasure. */
export const lastNumbersJob = ({ database, clock }: Services, folder: string): Job => ({
  name: LAST_NUMBERS_JOB,
  schedule: '*/5 * * * *',
  run: () => recordLastNumbers(database, folder, clock.now()),
});

const describeRestored = ({ generation }: LastNumbers, recorded: LastNumbers, folder: string) =>
  `This database was restored from an earlier moment: its generation is ${generation}, and ${join(folder, LAST_NUMBERS_FILE)} says ${recorded.generation}.
Run npm run after-restore before you start the portal. It erases again the people who were erased since, continues the invoice numbers and holds the emails that may have been sent.
If the database was not restored, BACKUP_DIR is the folder of another portal: choose another folder.`;

/** The answer to a start and to `after-restore`. */
export const INCOMPLETE = 'The restore into this database is not complete. Repeat npm run restore -- FILE --into NAME.';

const describeCopy = (folder: string) =>
  `This database is a copy beside the portal whose BACKUP_DIR is ${folder}.
To make it the live one, stop that portal and run npm run after-restore before you start the portal. To look into the copy, set another BACKUP_DIR, or none.`;

/**
 * Throws, with a text for the operator, if the database is behind the record in the folder, or a copy beside the portal
 * of that folder. Without a folder or a record a database that was restored by other tools cannot be recognised.
 */
export async function assertNotRestored(database: Database, folder: string | undefined): Promise<void> {
  const mark = await readMark(database);
  if (mark === 'incomplete') throw new Error(INCOMPLETE);
  const recorded = folder === undefined ? undefined : await readLastNumbers(folder);
  if (folder === undefined || !recorded) return;
  const numbers = await readInPlatform(database, readNumbers);
  if (mark === 'copy') throw new Error(describeCopy(folder));
  if (NAMES.some((name) => numbers[name] < recorded[name]))
    throw new Error(describeRestored(numbers, recorded, folder));
}

/** How often a process looks whether the database was restored while it ran. */
const WATCH_INTERVAL_MS = 5000;

/**
 * Calls `onRestored` once if the generation falls below one that this process has seen. A database that is away is asked
 * again later. Returns a function that stops it.
 */
export function watchGeneration(
  database: Database,
  onRestored: (error: Error) => void,
  intervalMs = WATCH_INTERVAL_MS,
): () => void {
  let highest = 0;
  let isAsking = false;
  const check = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    try {
      const { generation } = await readInPlatform(database, readNumbers);
      if (generation < highest) {
        clearInterval(timer);
        onRestored(
          new Error(
            `The database was restored while the portal was running: its generation was ${highest} and is now ${generation}. Stop all processes, then run npm run after-restore.`,
          ),
        );
      }
      highest = Math.max(highest, generation);
    } catch {
      // The health check and the metrics report a database that is away.
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(() => void check(), intervalMs);
  timer.unref();
  void check();
  return () => clearInterval(timer);
}
