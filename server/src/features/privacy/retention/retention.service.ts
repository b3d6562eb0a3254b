import { type Clock, dayIn } from '../../../clock.ts';
import { BATCH_SIZE, iteratePages } from '../../../database/batches.ts';
import { inPlatform, withPlatform } from '../../../database/platform.ts';
import { inSchool, type SchoolDb } from '../../../database/school.ts';
import { type RetentionRule, rulesOf, shortenableRule, tableEntries } from '../registry/registry.public.ts';
import { isTimeTrusted, startNight } from '../../../database/trusted-time.ts';
import type { TableName } from '../../../database/table-kinds.ts';
import type { Services } from '../../../context.ts';
import { eraseOverduePupils, eraseOverdueStaff, recordRemoved } from '../erasure/erasure.public.ts';
import {
  type ChosenPeriod,
  cutoffOf,
  type DueRows,
  findLastRun,
  listChosenPeriods,
  listOverduePeople,
  markRemovedBefore,
  recordRun,
  removeBatch,
} from './retention.queries.ts';

/** People erased in one round: a pupil has thousands of rows. */
const PEOPLE_PER_ROUND = 200;
/** What erases the people that a rule finds. */
const ERASERS = { pupils: eraseOverduePupils, staff: eraseOverdueStaff };
/** Chosen periods read at once. */
const PERIODS_PER_PAGE = 500;

/** The last night in which the job ran; null before the first. */
export const getLastNight = (db: SchoolDb): Promise<string | null> => withPlatform(db, findLastRun);

/** Returns whether a school may be erased by the clock. */
export const canEraseByClock = (db: SchoolDb, clock: Clock): Promise<boolean> =>
  withPlatform(db, (platform) => isTimeTrusted(platform, clock));

/** The night that records belong to. */
const nightOf = (now: Date): string => dayIn('Europe/London', now);

/**
 * Removes everything past its period, by the rules of the registry and then by the shorter periods that schools chose:
 * batch by batch in transactions of their own, so that requests are served in between. A rule that fails does not stop
 * the next ones; the errors are thrown at the end. Removes nothing, and throws, when the clock may have been set ahead.
 * @param signal ends the work before the next batch
 */
export async function carryOutRetention(services: Services, signal?: AbortSignal): Promise<void> {
  const { database, clock } = services;
  const now = clock.now();
  const day = nightOf(now);
  if (!(await inPlatform(database, (db) => startNight(db, clock))))
    throw new Error(
      'Nothing was deleted: the last night was long ago. The portal was stopped, or its clock is wrong. If the clock is right, nothing needs to be done: the next night deletes as usual.',
    );
  const errors: unknown[] = [];
  let tried = 0;
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    tried += 1;
    try {
      await work();
      return true;
    } catch (error) {
      errors.push(error);
      return false;
    }
  };
  for (const [table] of tableEntries) {
    const rules = rulesOf(table).filter((rule) => !rule.column || cutoffOf(rule, now));
    if (rules.length === 0) continue;
    let hasFailed = false;
    for (const rule of rules)
      hasFailed =
        !(await attempt(() => applyRule(services, table, rule, { cutoff: cutoffOf(rule, now) }, signal))) || hasFailed;
    await inPlatform(database, (db) => recordRun(db, table, day, hasFailed));
  }
  const chosenPeriods = iteratePages<ChosenPeriod>((after) =>
    inPlatform(database, (db) => listChosenPeriods(db, after, PERIODS_PER_PAGE)),
  );
  for await (const { school_id: schoolId, table_name: table, days } of chosenPeriods) {
    const rule = shortenableRule(table);
    const cutoff = cutoffOf({ days }, now);
    if (!rule || !cutoff) continue;
    await attempt(async () => {
      // Marked first: a late upload of a session that is being removed would be counted twice.
      await inSchool(database, schoolId, (db) => markRemovedBefore(db, table, cutoff));
      await applyRule(services, table, rule, { cutoff, schoolId }, signal);
    });
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${tried} retention rules failed`);
}

async function applyRule(
  services: Services,
  table: TableName,
  rule: RetentionRule,
  due: DueRows,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (rule.erases) return erasePeople(services, table, { ...rule, erases: rule.erases }, due, signal);
  const { database, clock } = services;
  const day = nightOf(clock.now());
  for (let isDone = false; !isDone;) {
    signal?.throwIfAborted();
    isDone = await inPlatform(database, async (db) => {
      const removed = await removeBatch(db, table, rule, due);
      await recordRemoved(db, table, day, removed);
      return [...removed.values()].reduce((sum, rows) => sum + rows, 0) < BATCH_SIZE;
    });
  }
}

/** Erases people school by school. A school that fails does not stop the others. */
async function erasePeople(
  services: Services,
  table: TableName,
  rule: RetentionRule & Required<Pick<RetentionRule, 'erases'>>,
  due: DueRows,
  signal: AbortSignal | undefined,
): Promise<void> {
  const failures = new Map<number, unknown>();
  for (;;) {
    signal?.throwIfAborted();
    const overdue = await inPlatform(services.database, (db) =>
      listOverduePeople(db, table, rule, due, [...failures.keys()], PEOPLE_PER_ROUND),
    );
    if (overdue.size === 0) break;
    for (const [schoolId, ids] of overdue)
      await ERASERS[rule.erases](services, schoolId, ids, nightOf(services.clock.now())).catch((error: unknown) =>
        failures.set(schoolId, error),
      );
  }
  if (failures.size > 0)
    throw new AggregateError(failures.values(), `The ${rule.erases} of ${failures.size} schools could not be erased`);
}
