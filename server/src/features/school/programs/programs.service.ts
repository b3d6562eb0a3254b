import type { Program, programBody, programChangeBody } from '#contract/calls/programs.ts';
import { DAYS_LISTED_AFTER_END, MAX_PROGRAMS, PROGRAM_TOKEN_PREFIX } from '#contract/programs.ts';
import type { z } from 'zod';
import { namePeople, recordChange } from '../../../audit/audit-log.queries.ts';
import { hashToken, newToken } from '../../../auth/tokens.ts';
import { DAY_MS } from '../../../clock.ts';
import type { StaffSession } from '../../../context.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import {
  countPrograms,
  endPrograms,
  findProgram,
  insertProgram,
  listPrograms,
  lockProgram,
  nameClasses,
  type ProgramRow,
  type ProgramSettings,
  updateProgram,
} from './programs.queries.ts';

/** The classes of a program by name; null for the whole school. */
export const showClasses = ({ class_ids }: Pick<ProgramRow, 'class_ids'>, names: ReadonlyMap<number, string>) =>
  class_ids && class_ids.flatMap((id) => (names.has(id) ? [{ id, name: names.get(id) ?? '' }] : []));

async function show(db: SchoolDb, rows: readonly ProgramRow[]): Promise<Program[]> {
  const classes = await nameClasses(db, [...new Set(rows.flatMap(({ class_ids }) => class_ids ?? []))]);
  const people = await namePeople(
    db,
    rows.flatMap(({ made_by, responsible_id }) => [made_by, responsible_id]),
  );
  const person = (id: number) => (people.has(id) ? { id, name: people.get(id) ?? '' } : null);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    groups: showClasses(row, classes),
    made_at: row.made_at.toISOString(),
    made_by: person(row.made_by),
    responsible: person(row.responsible_id),
    confirm_by: row.confirm_by?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    other_network_at: row.other_network_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    ended_because: row.ended_because,
  }));
}

const showOne = async (db: SchoolDb, id: number): Promise<Program> => {
  const row = await findProgram(db, id);
  if (!row) throw new AppError('program_not_found');
  const [program] = await show(db, [row]);
  return program as Program;
};

/** The programs of the school, with those that have ended. */
export const describePrograms = async (db: SchoolDb): Promise<Program[]> =>
  show(db, await listPrograms(db, new Date(0)));

/** The programs of the school, with those that have ended in the last 30 days. */
export const describeRecentPrograms = async (db: SchoolDb, now: Date): Promise<Program[]> =>
  show(db, await listPrograms(db, new Date(now.getTime() - DAYS_LISTED_AFTER_END * DAY_MS)));

/** Throws `program_needs_factor` unless the caller has a second factor: a token is as good as a login. */
function assertFactor({ hasFactor }: StaffSession): void {
  if (!hasFactor) throw new AppError('program_needs_factor');
}

/** Throws `class_not_found` unless the school has all these classes. */
async function readSettings(
  db: SchoolDb,
  { name, scopes, group_ids: classIds }: z.output<typeof programChangeBody>,
): Promise<ProgramSettings> {
  const ids = classIds && [...new Set(classIds)];
  if (ids && (await nameClasses(db, ids)).size < ids.length) throw new AppError('class_not_found');
  return { name, scopes, class_ids: ids };
}

const record = (
  db: SchoolDb,
  me: StaffSession,
  now: Date,
  action: 'program_made' | 'program_changed' | 'program_confirmed' | 'program_revoked',
  name: string,
) => recordChange(db, me, now, { action, subjectKind: 'school', subjectId: db.schoolId, details: { name } });

/**
 * Makes a program. Returns it with its token, which is stored nowhere. Throws `program_needs_factor`, `programs_full` or
 * `class_not_found`.
 */
export async function makeProgram(
  db: SchoolDb,
  me: StaffSession,
  { days, ...chosen }: z.output<typeof programBody>,
  now: Date,
): Promise<{ program: Program; token: string }> {
  assertFactor(me);
  await lockSchool(db);
  if ((await countPrograms(db)) >= MAX_PROGRAMS) throw new AppError('programs_full');
  const settings = await readSettings(db, chosen);
  const token = `${PROGRAM_TOKEN_PREFIX}${newToken()}`;
  const expiresAt = new Date(now.getTime() + days * DAY_MS);
  const id = await insertProgram(
    db,
    { ...settings, made_by: me.userId, made_at: now, expires_at: expiresAt },
    hashToken(token),
  );
  await record(db, me, now, 'program_made', settings.name);
  return { program: await showOne(db, id), token };
}

async function getToChange(db: SchoolDb, id: number, now: Date): Promise<ProgramRow> {
  const program = await lockProgram(db, id, now);
  if (!program) throw new AppError('program_not_found');
  return program;
}

/** Changes what a program can do. Throws `program_needs_factor`, `program_not_found` or `class_not_found`. */
export async function changeProgram(
  db: SchoolDb,
  me: StaffSession,
  id: number,
  chosen: z.output<typeof programChangeBody>,
  now: Date,
): Promise<Program> {
  await getToChange(db, id, now);
  assertFactor(me);
  const settings = await readSettings(db, chosen);
  await updateProgram(db, id, settings);
  await record(db, me, now, 'program_changed', settings.name);
  return showOne(db, id);
}

/** Makes the caller the one who answers for a program. Throws `program_needs_factor` or `program_not_found`. */
export async function confirmProgram(db: SchoolDb, me: StaffSession, id: number, now: Date): Promise<Program> {
  const { name } = await getToChange(db, id, now);
  assertFactor(me);
  await updateProgram(db, id, { responsible_id: me.userId, confirm_by: null, confirm_sent_at: null });
  await record(db, me, now, 'program_confirmed', name);
  return showOne(db, id);
}

/** Ends a program with its token. Throws `program_not_found`. */
export async function revokeProgram(db: SchoolDb, me: StaffSession, id: number, now: Date): Promise<void> {
  const { name } = await getToChange(db, id, now);
  await endPrograms(db, [id], 'revoked', now);
  await record(db, me, now, 'program_revoked', name);
}
