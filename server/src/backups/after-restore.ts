import { sql } from 'kysely';
import { type Database, prepareDatabase } from '../database/database.ts';
import { requireServer } from '../database/embedded.ts';
import { inPlatform, readInPlatform } from '../database/platform.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import {
  continueNumbers,
  findLastChange,
  holdUnsentMails,
  type LastNumbers,
  listMissingNumbers,
  listOpenInvoices,
  type MissingNumbers,
  raiseGenerationTo,
} from './generation.queries.ts';
import { clearMark, databaseIn, setMark } from './named-databases.ts';
import { checkInvariants, countEverything, type Finding } from '../database/invariants.queries.ts';

/** Checks something outside the database that the restored rows need. */
export type Check = (db: PlatformDb) => Promise<Finding>;

/** Runs a check of an open database. */
export const runCheck = <T extends Finding>(database: Database, check: (db: PlatformDb) => Promise<T>): Promise<T> =>
  readInPlatform(database, check);

/** What the caller contributes to the steps after a restore. */
export interface RestoreSteps {
  checks?: readonly Check[];
  /** Returns how many people were erased again. */
  reapplyErasures?: (database: Database) => Promise<number>;
  /** The record beside the backups. Without it the numbers stay as they are in the restored database. */
  lastNumbers?: LastNumbers | undefined;
  /** The database stays a copy beside the live one, which no portal with the live `BACKUP_DIR` serves. */
  isCopy?: boolean;
}

/** The result of the steps after a restore. */
export interface RestoreReport {
  counts: { schools: number; pupils: number; sessions: number };
  findings: Finding[];
  /** People who were erased again: they had been erased since the restored moment. */
  erasedAgain: number;
  /** Mails that were unsent at the restored moment, by kind. */
  heldMails: { kind: string; count: number }[];
  missingNumbers: MissingNumbers[];
  openInvoices: { count: number; numbers: string[] };
  /** The latest change of the generation: the restored moment is at most five minutes later. Null if unknown. */
  lastChange: Date | null;
}

/** More numbers would not be read. */
const MAX_LISTED_INVOICES = 20;

/** Throws while a process of the portal uses the database. */
export async function assertNotInUse({ kysely }: Database): Promise<void> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'school-portal %'`.execute(
    kysely,
  );
  if (rows.length > 0) throw new Error('The portal still uses the database. Stop all its processes first.');
}

/**
 * Brings a restored database to where the portal may serve it. Processes of the portal that start meanwhile wait. Each
 * step can be repeated, and the last one allows the portal to start, so an interrupted run is repeated as a whole.
 */
export const finishRestore = (
  database: Database,
  { checks = [], reapplyErasures, lastNumbers, isCopy = false }: RestoreSteps = {},
): Promise<RestoreReport> =>
  prepareDatabase(database, async () => {
    const heldMails = await inPlatform(database, holdUnsentMails);
    const erasedAgain = (await reapplyErasures?.(database)) ?? 0;
    if (lastNumbers) await inPlatform(database, (db) => continueNumbers(db, lastNumbers));
    const report = await readInPlatform(database, async (db) => ({
      erasedAgain,
      heldMails,
      missingNumbers: await listMissingNumbers(db),
      openInvoices: await listOpenInvoices(db, MAX_LISTED_INVOICES),
      lastChange: await findLastChange(db),
      counts: await countEverything(db),
      findings: [...(await checkInvariants(db)), ...(await Promise.all(checks.map((check) => check(db))))],
    }));
    if (isCopy) await setMark(database.kysely, databaseIn(requireServer(database).directUrl), 'copy');
    else {
      if (lastNumbers) await inPlatform(database, (db) => raiseGenerationTo(db, lastNumbers.generation));
      await clearMark(database);
    }
    return report;
  });
