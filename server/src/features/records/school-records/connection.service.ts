import type {
  SchoolRecordsConnection,
  SchoolRecordsConnectionSettings,
  ConnectionTest,
  schoolRecordsConnectionBody,
} from '#contract/school-records-connection.ts';
import { yearNumber } from '#contract/year-group.ts';
import { IMPORT_ROWS } from '#contract/calls/pupil-import.ts';
import type { z } from 'zod';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { connectionPurpose } from '../../../auth/keyed-columns.ts';
import { sealSecret, unsealSecret } from '../../../auth/secrets-key.ts';
import { dayIn } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { readOneRosterServer } from './oneroster-rest.service.ts';
import { toUnchanged } from './oneroster-rows.service.ts';
import { MAX_CLASSES } from './read-school-records.service.ts';
import {
  claimConnection,
  type ConnectionRow,
  deleteConnection,
  endClaim,
  findConnection,
  saveConnection,
  updateConnection,
} from './connection.queries.ts';
import { type FileReading, type SchoolRecordsFile, SchoolRecordsFileError } from './file-content.service.ts';

/** How long a check may take while someone waits for it, and at night. */
export const CHECK_MS = 60_000;
export const NIGHTLY_CHECK_MS = 5 * 60_000;
/** A check that has not ended by itself by then counts as lost. */
export const CLAIM_MARGIN_MS = 60_000;

/** The connection as it is shown. It has no secret. */
export const toConnection = (row: ConnectionRow): SchoolRecordsConnection => ({
  url: row.url,
  token_url: row.token_url,
  client_id: row.client_id,
  school: row.school,
  classes: row.classes,
  school_years: row.school_years,
  is_automatic: row.is_automatic,
  is_paused: row.is_paused,
  checked_at: row.checked_at?.toISOString() ?? null,
  failure: row.result && 'failure' in row.result ? row.result.failure : null,
  found: row.result && 'pupils' in row.result ? row.result : null,
});

/** Throws `not_found`. */
export async function getConnection(db: SchoolDb): Promise<SchoolRecordsConnection> {
  const row = await findConnection(db);
  if (!row) throw new AppError('not_found');
  return toConnection(row);
}

/** Stores the address and the sealed secret. Throws `validation` for an address without https. */
export async function storeConnection(
  db: SchoolDb,
  me: StaffSession,
  { client_secret: secret, ...address }: z.infer<typeof schoolRecordsConnectionBody>,
  { config, now }: { config: Config; now: Date },
): Promise<SchoolRecordsConnection> {
  for (const field of ['url', 'token_url'] as const)
    if (!config.allowsPrivateProviders && !/^https:/i.test(address[field]))
      throw fieldError(field, 'The address must begin with https://.');
  const sealed = sealSecret(config, connectionPurpose(db.schoolId), Buffer.from(secret));
  await saveConnection(db, { ...address, secret: sealed }, now);
  await recordChange(db, me, now, {
    action: 'school_records_connection_saved',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { host: new URL(address.url).host },
  });
  return getConnection(db);
}

/** Changes what is given. Throws `not_found`. */
export async function changeConnection(
  db: SchoolDb,
  me: StaffSession,
  settings: SchoolRecordsConnectionSettings,
  now: Date,
): Promise<SchoolRecordsConnection> {
  if (!(await updateConnection(db, settings))) throw new AppError('not_found');
  const { school, is_automatic, is_paused, classes, school_years } = await getConnection(db);
  await recordChange(db, me, now, {
    action: 'school_records_connection_changed',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: {
      is_automatic,
      is_paused,
      ...(school && { school: school.name.slice(0, 100) }),
      classes: classes.length,
      school_years: school_years.length,
    },
  });
  return getConnection(db);
}

/** Forgets the address and the secret. Pupils, classes and planned runs stay. Throws `not_found`. */
export async function removeConnection(db: SchoolDb, me: StaffSession, now: Date): Promise<void> {
  const removed = await deleteConnection(db);
  if (!removed) throw new AppError('not_found');
  await recordChange(db, me, now, {
    action: 'school_records_connection_removed',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { host: new URL(removed.url).host },
  });
}

type Write = <T>(work: (db: SchoolDb) => Promise<T>) => Promise<T>;

/** Claims the connection for one check. Throws `not_found`, `school_records_checking`. */
export async function claim(db: SchoolDb, now: Date, maxMs: number) {
  const claimed = await claimConnection(db, now, new Date(now.getTime() + maxMs + CLAIM_MARGIN_MS));
  if (claimed) return claimed;
  throw new AppError((await findConnection(db)) ? 'school_records_checking' : 'not_found');
}

/**
 * Reads everything from the server of a connection, outside any transaction. Throws a SchoolRecordsFileError.
 * @param signal ends the reading
 */
export async function readServer(
  row: ConnectionRow,
  { config, now, signal }: { config: Config; now: Date; signal: AbortSignal },
): Promise<FileReading> {
  let clientSecret: string;
  try {
    clientSecret = unsealSecret(config, connectionPurpose(row.school_id), row.secret).toString();
  } catch {
    throw new SchoolRecordsFileError('We can no longer read the client secret. Save the connection again with it.');
  }
  return readOneRosterServer(
    { url: row.url, tokenUrl: row.token_url, clientId: row.client_id, clientSecret },
    {
      allowsPrivate: config.allowsPrivateProviders,
      signal,
      now,
      today: dayIn('Europe/London', now),
      school: row.school?.source_id ?? null,
    },
  );
}

/** What a check may use: the pupils of the chosen school. Throws a SchoolRecordsFileError if it must be chosen first. */
export function assertSchoolChosen({ schools, file }: FileReading, { school }: ConnectionRow): SchoolRecordsFile {
  if (file) return file;
  throw new SchoolRecordsFileError(
    school
      ? `There are no pupils of the school that you chose (${school.name}) any more. Test the connection, and choose the school again.`
      : `This server has pupils of ${schools.length} schools. Test the connection, and choose yours.`,
  );
}

/** The pupils of a file who are at the school now. */
const listPresent = ({ pupils }: SchoolRecordsFile) => pupils.filter(({ isGone, name }) => !isGone && name !== null);

/**
 * Leaves the pupils outside the chosen classes and year groups as they are in the school. Throws a SchoolRecordsFileError when
 * nothing is left, or a chosen class has no pupils any more.
 */
export function chooseRows(
  file: SchoolRecordsFile,
  { classes, school_years: years }: Pick<ConnectionRow, 'classes' | 'school_years'>,
): SchoolRecordsFile {
  const chosen = new Set(classes.map(({ source_id: id }) => id));
  const isChosenClass = (id: string) => chosen.size === 0 || chosen.has(id);
  const missing = classes.find(({ source_id: id }) => !file.classes.some(({ sourceId }) => sourceId === id));
  if (missing)
    throw new SchoolRecordsFileError(
      `There are no pupils in a class that you chose (${missing.name}) any more. Test the connection, and choose the classes again.`,
    );
  const pupils = file.pupils.map((pupil) => {
    const classIds = pupil.classIds.filter(isChosenClass);
    const isChosen =
      (chosen.size === 0 || classIds.length > 0) &&
      (years.length === 0 || years.some((year) => year === yearNumber(pupil.yearGroup)));
    return isChosen || pupil.isGone ? { ...pupil, classIds } : toUnchanged(pupil.sourceId ?? '');
  });
  const used = new Set(pupils.flatMap(({ classIds }) => classIds));
  const result = { ...file, pupils, classes: file.classes.filter(({ sourceId }) => used.has(sourceId)) };
  const present = listPresent(result).length;
  if (present === 0)
    throw new SchoolRecordsFileError('There are no pupils in what you chose. Test the connection, and choose again.');
  if (present > IMPORT_ROWS || result.classes.length > MAX_CLASSES)
    throw new SchoolRecordsFileError(
      `There are more than ${IMPORT_ROWS.toLocaleString('en-GB')} pupils or ${MAX_CLASSES} classes. Choose the classes or year groups that use the portal.`,
    );
  return result;
}

/** How much a file contains. */
export const countFound = (file: SchoolRecordsFile) => ({
  pupils: listPresent(file).length,
  classes: file.classes.length,
});

function describe({ schools, file }: FileReading): ConnectionTest {
  if (!file) return { schools, needs_school: true, pupils: 0, classes: [], school_years: [], notes: [] };
  const present = listPresent(file);
  const years = Map.groupBy(present, ({ yearGroup }) => yearNumber(yearGroup));
  const inClass = new Map<string, number>();
  for (const id of present.flatMap(({ classIds }) => classIds)) inClass.set(id, (inClass.get(id) ?? 0) + 1);
  const byName = new Intl.Collator('en-GB', { numeric: true }).compare;
  return {
    schools,
    needs_school: false,
    pupils: present.length,
    classes: file.classes
      .map(({ sourceId, name }) => ({ source_id: sourceId, name, pupils: inClass.get(sourceId) ?? 0 }))
      .sort((a, b) => byName(a.name, b.name)),
    school_years: [...years]
      .flatMap(([year, pupils]) => (year === null ? [] : [{ school_year: year, pupils: pupils.length }]))
      .sort((a, b) => a.school_year - b.school_year),
    notes: file.notes,
  };
}

/** Reads everything and describes it. Throws `not_found`, `school_records_checking`, `school_records_unreadable`. */
export async function testConnection(write: Write, context: { config: Config; now: Date }): Promise<ConnectionTest> {
  const { claimId, connection } = await write((db) => claim(db, context.now, CHECK_MS));
  try {
    return describe(await readServer(connection, { ...context, signal: AbortSignal.timeout(CHECK_MS) }));
  } catch (error) {
    throw error instanceof SchoolRecordsFileError
      ? new AppError('school_records_unreadable', { text: error.failure })
      : error;
  } finally {
    await write((db) => endClaim(db, claimId, undefined));
  }
}
