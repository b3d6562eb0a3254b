import type { ProgramEnd, ProgramScope } from '#contract/programs.ts';
import { type SqlBool, sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { Database } from '../../../database/database.ts';
import { readInPlatform, withPlatform } from '../../../database/platform.ts';
import type { SchoolDb } from '../../../database/school.ts';

const rows = (db: SchoolDb) =>
  db.tx
    .selectFrom('programs')
    .select([
      'id',
      'name',
      'scopes',
      'class_ids',
      'made_by',
      'made_at',
      'responsible_id',
      'confirm_by',
      'confirm_sent_at',
    ])
    .select(['reminded_at', 'expires_at', 'last_used_at', 'other_network_at', 'ended_at', 'ended_because'])
    .where('school_id', '=', db.schoolId)
    .$narrowType<{ scopes: ProgramScope[]; ended_because: ProgramEnd | null }>();

export type ProgramRow = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;

/** The programs that have not ended by a time, those that have last. */
export const listPrograms = (db: SchoolDb, endedAfter: Date): Promise<ProgramRow[]> =>
  rows(db)
    .where(({ or, eb }) => or([eb('ended_at', 'is', null), eb('ended_at', '>', endedAfter)]))
    .orderBy(sql`ended_at desc nulls first`)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();

/** A program that has not ended, locked until the transaction ends. */
export const lockProgram = (db: SchoolDb, id: number, now: Date): Promise<ProgramRow | undefined> =>
  rows(db)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();

/** All programs that have not been ended, locked until the transaction ends. */
export const lockPrograms = (db: SchoolDb): Promise<ProgramRow[]> =>
  rows(db).where('ended_at', 'is', null).orderBy('id').forUpdate().execute();

export const findProgram = (db: SchoolDb, id: number): Promise<ProgramRow | undefined> =>
  rows(db).where('id', '=', id).executeTakeFirst();

export async function countPrograms(db: SchoolDb): Promise<number> {
  const { count } = await db.tx
    .selectFrom('programs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('school_id', '=', db.schoolId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** The names of these classes of the school; a deleted class has none. */
export async function nameClasses(db: SchoolDb, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const classes = await db.tx
    .selectFrom('classes')
    .select(['id', 'name'])
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .execute();
  return new Map(classes.map(({ id, name }) => [id, name]));
}

/** What an admin chooses about a program. */
export interface ProgramSettings {
  name: string;
  scopes: ProgramScope[];
  class_ids: number[] | null;
}

/** Adds a program with the hash of its token. Returns its ID. */
export async function insertProgram(
  db: SchoolDb,
  program: ProgramSettings & { made_by: number; made_at: Date; expires_at: Date },
  tokenHash: Buffer,
): Promise<number> {
  const { id } = await db.tx
    .insertInto('programs')
    .values({ school_id: db.schoolId, ...program, responsible_id: program.made_by })
    .returning('id')
    .executeTakeFirstOrThrow();
  await withPlatform(db, ({ tx }) =>
    tx.insertInto('program_tokens').values({ token_hash: tokenHash, school_id: db.schoolId, program_id: id }).execute(),
  );
  return id;
}

export async function updateProgram(
  db: SchoolDb,
  id: number,
  change: Partial<ProgramSettings> & {
    responsible_id?: number;
    confirm_by?: Date | null;
    confirm_sent_at?: Date | null;
    reminded_at?: Date;
  },
): Promise<void> {
  await db.tx.updateTable('programs').set(change).where('school_id', '=', db.schoolId).where('id', '=', id).execute();
}

/** Ends programs with their tokens. */
export async function endPrograms(db: SchoolDb, ids: readonly number[], because: ProgramEnd, now: Date): Promise<void> {
  if (ids.length === 0) return;
  await db.tx
    .updateTable('programs')
    .set({ ended_at: now, ended_because: because, network_hash: null })
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .execute();
  await withPlatform(db, ({ tx }) =>
    tx.deleteFrom('program_tokens').where('school_id', '=', db.schoolId).where(inIds('program_id', ids)).execute(),
  );
}

/** The times by which programs are looked at. */
export interface ReviewTimes {
  now: Date;
  /** Tokens that end until then are announced, if they were longer than these days. */
  remindFrom: Date;
  reminderDays: number;
}

/** How many schools one run of the job looks at. */
const MAX_SCHOOLS = 1000;

/** The schools with a program that has ended, ends soon, or whose admin is no longer one or is one again. */
export const listSchoolsToReview = (
  database: Database,
  { now, remindFrom, reminderDays }: ReviewTimes,
): Promise<number[]> =>
  readInPlatform(database, async ({ tx }) => {
    const isAdmin = sql<SqlBool>`exists (select from staff m where m.school_id = p.school_id
      and m.user_id = p.responsible_id and m.role = 'admin' and m.until is null)`;
    const { rows: schools } = await sql<{ school_id: number }>`
      select distinct p.school_id from programs p
      where p.ended_at is null and (p.expires_at <= ${now} or p.confirm_by <= ${now}
        or p.reminded_at is null and p.expires_at <= ${remindFrom}
          and p.expires_at > p.made_at + make_interval(days => ${reminderDays})
        or p.confirm_by is null and not ${isAdmin} or p.confirm_by is not null and (p.confirm_sent_at is null or ${isAdmin}))
      order by p.school_id limit ${MAX_SCHOOLS}`.execute(tx);
    return schools.map(({ school_id: id }) => id);
  });
