import type { PupilSort, Reader } from '#contract/calls/pupils.ts';
import { stripAccents } from '#contract/fields.ts';
import { type SqlBool, sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { managesPupil } from '../classes/classes.public.ts';

/** A name as it is searched and sorted: no accents, lower case, single spaces. */
export const nameKey = (name: string): string => stripAccents(name).toLowerCase().replace(/\s+/g, ' ').trim();

export interface PupilFilter {
  /** Words that all occur in the name or the username. */
  search: string;
  /** Classes, `none` for pupils without one; undefined for all. */
  groups: readonly (number | 'none')[] | undefined;
  sort: PupilSort;
  direction: 'asc' | 'desc';
  page: number;
  perPage: number;
}

const SORT_COLUMNS = {
  name: 'p.name_key',
  username: 'p.username',
  group: 'c.name_key',
  last_read_at: 'p.last_read_at',
} as const satisfies Record<PupilSort, string>;

const pupilRows = (db: SchoolDb, me: StaffSession) =>
  db.tx
    .selectFrom('pupils as p')
    .leftJoin('classes as c', (join) => join.onRef('c.school_id', '=', 'p.school_id').onRef('c.id', '=', 'p.class_id'))
    .select(['p.id', 'p.name', 'p.username', 'p.class_id', 'c.name as class_name', 'p.last_read_at'])
    .select(({ ref }) => managesPupil(me, ref('p.class_id'), ref('c.manager_id')).as('can_update'))
    .where('p.school_id', '=', db.schoolId);

type PupilRow = Awaited<ReturnType<ReturnType<typeof pupilRows>['executeTakeFirstOrThrow']>>;

const toReader = (row: PupilRow): Reader => ({
  id: row.id,
  name: row.name,
  username: row.username,
  group: row.class_id === null || row.class_name === null ? null : { id: row.class_id, name: row.class_name },
  can_update: row.can_update,
  last_read_at: row.last_read_at?.toISOString() ?? null,
});

/** `%word%` for LIKE, its wildcards taken literally. */
const containing = (word: string): string => `%${word.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

/** A page of the pupils that the filter leaves, and how many there are with and without it. */
export async function listPupils(db: SchoolDb, me: StaffSession, filter: PupilFilter): Promise<{ readers: Reader[]; total: number; filtered: number }> {
  const words = nameKey(filter.search).split(' ').filter(Boolean).map(containing);
  const column = SORT_COLUMNS[filter.sort];
  const classes = filter.groups?.filter((group) => group !== 'none');
  let query = pupilRows(db, me).select((from) => [
    sql<number>`count(*) over ()`.as('filtered'),
    from.selectFrom('pupils').select(sql<number>`count(*)`.as('n')).where('school_id', '=', db.schoolId).as('total'),
  ]);
  if (words.length > 0) query = query.where(sql<SqlBool>`(p.name_key like all (${words}::text[]) or p.username like all (${words}::text[]))`);
  if (classes) {
    const withoutClass = filter.groups?.includes('none') ?? false;
    query = query.where(sql<SqlBool>`(p.class_id = any (${classes}::bigint[]) or (${withoutClass} and p.class_id is null))`);
  }
  const rows = await query
    .orderBy(column, (order) => (filter.direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast()))
    .orderBy('p.name_key')
    .orderBy('p.id')
    .limit(filter.perPage)
    .offset((filter.page - 1) * filter.perPage)
    .execute();
  const first = rows[0];
  if (!first && filter.page > 1) {
    const { total, filtered } = await listPupils(db, me, { ...filter, page: 1 });
    return { readers: [], total, filtered };
  }
  return { readers: rows.map(toReader), total: first?.total ?? (await countPupils(db)), filtered: first?.filtered ?? 0 };
}

async function countPupils(db: SchoolDb): Promise<number> {
  const { n } = await db.tx.selectFrom('pupils').select(sql<number>`count(*)`.as('n')).where('school_id', '=', db.schoolId).executeTakeFirstOrThrow();
  return n;
}

/** One pupil of the school, as the person sees them. */
export async function findPupil(db: SchoolDb, me: StaffSession, pupilId: number): Promise<Reader | undefined> {
  const row = await pupilRows(db, me).where('p.id', '=', pupilId).executeTakeFirst();
  return row && toReader(row);
}

/** Those of the pupils named whom the school has. */
export async function findPupils(db: SchoolDb, me: StaffSession, pupilIds: readonly number[]): Promise<Reader[]> {
  const rows = await pupilRows(db, me).where('p.id', '=', sql<number>`any(${[...pupilIds]}::bigint[])`).execute();
  return rows.map(toReader);
}

/** Names and classes of all pupils, by name. */
export async function listRoll(db: SchoolDb): Promise<Pick<Reader, 'id' | 'name' | 'group'>[]> {
  const rows = await db.tx
    .selectFrom('pupils as p')
    .leftJoin('classes as c', (join) => join.onRef('c.school_id', '=', 'p.school_id').onRef('c.id', '=', 'p.class_id'))
    .select(['p.id', 'p.name', 'p.class_id', 'c.name as class_name'])
    .where('p.school_id', '=', db.schoolId)
    .orderBy('p.name_key')
    .orderBy('p.id')
    .execute();
  return rows.map(({ id, name, class_id, class_name }) => ({
    id,
    name,
    group: class_id === null || class_name === null ? null : { id: class_id, name: class_name },
  }));
}

export async function changePupilName(db: SchoolDb, pupilId: number, name: string): Promise<void> {
  await db.tx.updateTable('pupils').set({ name, name_key: nameKey(name) }).where('school_id', '=', db.schoolId).where('id', '=', pupilId).execute();
}

export interface NewPupil {
  name: string;
  username: string;
  passwordHash: string;
  classId: number | null;
}

/** Creates pupils with their logins and returns their ids in the same order. A username that exists is a unique violation. */
export async function insertPupils(db: SchoolDb, pupils: readonly NewPupil[], now: Date): Promise<number[]> {
  if (pupils.length === 0) return [];
  const rows = await db.tx
    .insertInto('pupils')
    .values(
      pupils.map(({ name, username, passwordHash, classId }) => ({
        school_id: db.schoolId,
        name,
        name_key: nameKey(name),
        username,
        password_hash: passwordHash,
        class_id: classId,
        created_at: now,
        last_read_at: null,
      })),
    )
    .returning(['id', 'username'])
    .execute();
  await db.tx.insertInto('pupil_logins').values(rows.map(({ id, username }) => ({ username, school_id: db.schoolId, pupil_id: id }))).execute();
  const ids = new Map(rows.map(({ id, username }) => [username, id]));
  return pupils.map(({ username }) => ids.get(username) ?? 0);
}

/** The pupils of a class by name. */
export const listClassPupils = (db: SchoolDb, classId: number): Promise<Pick<Reader, 'id' | 'name' | 'username'>[]> =>
  db.tx
    .selectFrom('pupils')
    .select(['id', 'name', 'username'])
    .where('school_id', '=', db.schoolId)
    .where('class_id', '=', classId)
    .orderBy('name_key')
    .orderBy('id')
    .execute();
