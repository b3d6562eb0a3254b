import { monthsBefore } from '../clock.ts';
import { BATCH_SIZE, type Cleanup, runCleanups } from '../database/batches.ts';
import type { Database } from '../database/database.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { isTimeTrusted } from '../database/trusted-time.ts';
import type { Services } from '../context.ts';
import type { Job } from '../jobs/queue.ts';
import { endAlarm, mailAlarms, raiseAlarm } from './audit-alarms.queries.ts';
import { type Anchor, anchorOf, appendAnchors, formatAnchor, readAnchorsIn } from './audit-anchors.service.ts';
import { compareAnchor, listRestarts } from './audit-chain.queries.ts';
import { findHead, isSigned, restartChain } from './audit-head.queries.ts';
import {
  CHAIN_BATCH_SIZE,
  type ChainWork,
  checkHead,
  hasSchool,
  listSchools,
  listSchoolsToPrune,
  listSchoolsToSeal,
  pruneEntries,
  sealPending,
  sealMissed,
} from './seal-audit.queries.ts';

export const AUDIT_LOG_MONTHS = 24;

/** Schools whose work fails before a run gives up: the database is away. */
const MAX_FAILURES = 20;
/** Schools that one statement finds. On a cluster it asks every machine. */
const PAGE_SIZE = 200;

/**
 * Works on one school after the other, each batch in a transaction. A school whose work fails does not stop the others.
 * @param list a page of schools after an ID
 * @param work returns whether the school is done
 */
async function forSchools(
  { database }: Pick<Services, 'database'>,
  signal: AbortSignal | undefined,
  list: (db: PlatformDb, after: number, limit: number) => Promise<number[]>,
  work: (db: PlatformDb, schoolId: number) => Promise<boolean>,
): Promise<void> {
  const errors: unknown[] = [];
  let page: number[] = [];
  let current: number | undefined;
  let last = 0;
  const next: Cleanup = async (db) => {
    current ??= page.shift();
    if (current === undefined) {
      page = await list(db, last, PAGE_SIZE);
      last = page.at(-1) ?? last;
      return page.length > 0 ? BATCH_SIZE : 0;
    }
    if (await work(db, current)) current = undefined;
    return BATCH_SIZE;
  };
  for (let isDone = false; !isDone;)
    try {
      await runCleanups(database, [next], signal);
      isDone = true;
    } catch (error) {
      signal?.throwIfAborted();
      current = undefined;
      isDone = errors.push(error) >= MAX_FAILURES;
    }
  if (errors.length > 0) throw new AggregateError(errors, `The audit logs of ${errors.length} schools failed`);
}

/** Raises the alarm of a school that shows a breach. Returns whether the school is done. */
async function settle(db: PlatformDb, schoolId: number, { count, breach }: ChainWork, now: Date): Promise<boolean> {
  if (breach !== undefined) await raiseAlarm(db, schoolId, breach, now);
  return breach !== undefined || count < CHAIN_BATCH_SIZE;
}

/** Runs `work` in one transaction. */
const runOnce = (database: Database, work: (db: PlatformDb) => Promise<unknown>, signal?: AbortSignal): Promise<void> =>
  runCleanups(
    database,
    [
      async (db) => {
        await work(db);
        return 0;
      },
    ],
    signal,
  ).catch((error: AggregateError) => {
    throw error.errors[0];
  });

const sendAlarms = ({ database, config, clock }: Services, signal?: AbortSignal): Promise<void> =>
  runOnce(database, (db) => mailAlarms(db, config.productName, config.publicUrl, clock.now()), signal);

/** Seals the entries that wait, in all schools. For the job, and for a process that starts or stops. */
export async function sealAuditLogs(services: Services, signal?: AbortSignal): Promise<void> {
  const { config, clock } = services;
  await forSchools(services, signal, listSchoolsToSeal, async (db, schoolId) =>
    settle(db, schoolId, await sealPending(db, config, schoolId, clock.now()), clock.now()),
  );
}

/** Adds new entries of the audit logs to their chains. docs/decisions/audit-chain.md */
export const auditSealingJob = (services: Services): Job => ({
  name: 'audit-sealing',
  schedule: '*/5 * * * *',
  run: async (_data, signal) => {
    try {
      await sealAuditLogs(services, signal);
    } finally {
      await sendAlarms(services, signal);
    }
  },
});

/** Each night: deletes the entries of the audit logs that are past their retention period. */
export const auditPruningJob = (services: Services): Job => ({
  name: 'audit-pruning',
  schedule: '42 3 * * *',
  canRunLate: true,
  run: (_data, signal) => {
    const { config, clock } = services;
    const before = monthsBefore(clock.now(), AUDIT_LOG_MONTHS);
    return forSchools(
      services,
      signal,
      async (db, after, limit) =>
        (await isTimeTrusted(db, clock)) ? listSchoolsToPrune(db, before, after, limit) : [],
      async (db, schoolId) => settle(db, schoolId, await pruneEntries(db, config, schoolId, before), clock.now()),
    );
  },
});

/** Writes a line of the log. */
export type WriteLog = (fields: object, message: string) => void;

/**
 * Each night, in every school: compares the chain with the head of the last night, seals entries that no one noted, and
 * adds the head to the file beside the backups and to the log, unless nothing has changed.
 */
export const auditHeadsJob = (services: Services, log: WriteLog): Job => ({
  name: 'audit-heads',
  schedule: '5 2 * * *',
  canRunLate: true,
  run: async (_data, signal) => {
    const { config, clock } = services;
    const anchors = config.backupDir ? await readAnchorsIn(config.backupDir) : undefined;
    /** One for each school that has changed since the last night. */
    const added: Anchor[] = [];
    try {
      await forSchools(services, signal, listSchools, async (db, schoolId) => {
        const now = clock.now();
        const alarm = async (text: string) => {
          await raiseAlarm(db, schoolId, text, now);
          return true;
        };
        const { head, breach } = await checkHead(db, config, schoolId);
        if (breach !== undefined) return alarm(breach);
        const [difference] = await compareAnchor(db, schoolId, head, anchors);
        if (difference !== undefined) return alarm(difference);
        const { count } = await sealMissed(db, config, schoolId, now);
        // The next batch, or the head with what was sealed.
        if (count > 0) return false;
        await endAlarm(db, schoolId);
        const anchor = anchorOf('head', schoolId, head, now);
        const known = anchors?.heads.get(schoolId);
        if (anchor.number !== known?.number || anchor.erased !== known.erased) added.push(anchor);
        return true;
      });
    } finally {
      if (config.backupDir) await appendAnchors(config.backupDir, added);
      for (const anchor of added) log({ auditHead: formatAnchor(anchor) }, 'head of an audit log');
      await sendAlarms(services, signal);
    }
  },
});

/** After a restore: notes in the file beside the backups which chains go on from an earlier entry. */
export const noteRestart = (database: Database, folder: string, now: Date): Promise<void> =>
  runOnce(database, async (db) => {
    const anchors = await readAnchorsIn(folder);
    if (anchors) await appendAnchors(folder, await listRestarts(db, anchors, now));
  });

type ChainServices = Pick<Services, 'database' | 'config' | 'clock'>;

async function beginAgain(db: PlatformDb, { config, clock }: ChainServices, schoolId: number): Promise<void> {
  const now = clock.now();
  const head = await restartChain(db, config, schoolId, now);
  await endAlarm(db, schoolId);
  if (config.backupDir) await appendAnchors(config.backupDir, [anchorOf('restart', schoolId, head, now)]);
}

/** Begins the chain of a school again after a breach that an operator has looked into, and ends its alarm. */
export const beginChainAgain = (services: ChainServices, schoolId: number): Promise<void> =>
  runOnce(services.database, async (db) => {
    if (!(await hasSchool(db, schoolId))) throw new Error(`There is no school ${schoolId}.`);
    await beginAgain(db, services, schoolId);
  });

/**
 * Begins the chains again that none of the keys signed, after a key was lost, and ends their alarms. Returns how many
 * there were.
 */
export async function beginUnsignedChains(services: ChainServices): Promise<number> {
  let count = 0;
  await forSchools(services, undefined, listSchools, async (db, schoolId) => {
    const head = await findHead(db, schoolId);
    if (head && isSigned(services.config, schoolId, head)) return true;
    await beginAgain(db, services, schoolId);
    count += 1;
    return true;
  });
  return count;
}
