import type { QueryOf } from '#contract/call.ts';
import type { Pupil, PupilLogin, pupilCalls } from '#contract/calls/pupils.ts';
import { searchKey } from '#contract/fields.ts';
import { NO_YEAR_GROUP, type PupilSort } from '#contract/pupil-filters.ts';
import {
  type RecordedYearGroup,
  recordedYearGroupsFor,
  toRecordedYearGroup,
  type YearGroup,
  yearGroupOn,
} from '#contract/year-group.ts';
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS, dayIn } from '../../../clock.ts';
import { containing } from '../../../database/like.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffMember, StaffSession } from '../../../context.ts';
import { canChangePupil, canReadClassDetails, isCovered, ownClassIds } from '../classes/classes.public.ts';
import { canSeePupil, isEveryVisiblePupil } from './pupil-rights.access.ts';
import { canSeeRun } from './run-rights.access.ts';

/** A name's form for search and order: no accents, lower case, single spaces. */
export const nameKey = searchKey;

export interface PupilFilter {
  /** Words that all occur in the name or the username. */
  search: string;
  /** Class IDs, `mine` for the caller's classes, `none` for pupils without a class; undefined for all. */
  classes: readonly (number | 'mine' | 'none')[] | undefined;
  /** Pupils who have not read since this moment. */
  notReadSince?: Date | undefined;
  /** The level of a pupil's last day with reading. */
  level?: number | undefined;
  /** A condition for the current year group. */
  yearGroup?: RawBuilder<unknown> | undefined;
  /** Pupils with this tag whose tags the caller may see. */
  tag?: number | undefined;
  /** Pupils whom this run added, if the caller may see the run. */
  run?: number | undefined;
  /** Only pupils whose logins the caller can renew. */
  canRenewLogin?: boolean;
  sort: PupilSort;
  direction: 'asc' | 'desc';
  page: number;
  perPage: number;
}

/** The earlier of two optional moments: pupils who have not read since then meet both filters. */
const earliest = (first: Date | undefined, second: Date | undefined): Date | undefined =>
  first && second ? new Date(Math.min(first.getTime(), second.getTime())) : (first ?? second);

/** Whether a pupil's year group on a day (YYYY-MM-DD) is this one; null if it is not known. */
function isInYearGroup(code: YearGroup | null, day: string): RawBuilder<unknown> {
  const { recorded, ...range } = recordedYearGroupsFor(code, day);
  const isRecorded = sql`(p.year_group, least(greatest(p.year_group_since, ${range.earliest}::date), ${range.latest}::date)) in (
    select code, since from jsonb_to_recordset(${JSON.stringify(recorded)}::jsonb) as y (code text, since date))`;
  return code === null ? sql`(p.year_group is null or ${isRecorded})` : isRecorded;
}

/** Converts the filters of a query. */
export const toPupilFilter = (
  {
    search,
    groups: classes,
    not_read_days: days,
    not_read_since: moment,
    level,
    year_group: yearGroup,
    tag,
    run,
  }: Omit<QueryOf<typeof pupilCalls.listPupils>, 'sort' | 'page' | 'per_page' | 'length'>,
  now: Date,
): Pick<PupilFilter, 'search' | 'classes' | 'notReadSince' | 'level' | 'yearGroup' | 'tag' | 'run'> => ({
  search: search?.value ?? '',
  // Data tables send an empty parameter when no class is selected.
  classes: classes?.length ? classes : undefined,
  notReadSince: earliest(
    days === undefined ? undefined : new Date(now.getTime() - days * DAY_MS),
    moment === undefined ? undefined : new Date(moment),
  ),
  level,
  yearGroup: yearGroup && isInYearGroup(yearGroup === NO_YEAR_GROUP ? null : yearGroup, dayIn('Europe/London', now)),
  tag,
  run,
});

/** The column of each order, before name and ID. Order by name uses an index alone. */
const SORT_COLUMNS = {
  name: undefined,
  username: sql`p.username`,
  group: sql`c.name_key`,
  last_read_at: sql`p.last_read_at`,
} as const satisfies Record<PupilSort, unknown>;

const DIRECTIONS = { asc: sql`asc`, desc: sql`desc` };

interface PupilRow {
  id: number;
  name: string;
  username: string;
  class_id: number | null;
  class_name: string | null;
  can_update: boolean;
  last_read_at: Date | null;
  year_group: YearGroup | null;
  year_group_since: string | null;
}

/** A pupil with the year group as it was recorded. */
export type PupilRecord = Omit<Pupil, 'year_group'> & { yearGroup: RecordedYearGroup | null };

const columns = (
  db: SchoolDb,
  me: StaffSession,
) => sql`p.id, p.name, p.username, p.class_id, c.name as class_name, p.last_read_at, p.year_group, p.year_group_since,
    ${canChangePupil(db, me, sql`p.class_id`)} as can_update`;
const pupilsAndClasses = ({ schoolId }: SchoolDb) =>
  sql`pupils p left join classes c on c.school_id = ${schoolId} and c.id = p.class_id`;

const toRecord = (row: PupilRow): PupilRecord => ({
  id: row.id,
  name: row.name,
  username: row.username,
  group: row.class_id === null || row.class_name === null ? null : { id: row.class_id, name: row.class_name },
  can_update: row.can_update,
  last_read_at: row.last_read_at?.toISOString() ?? null,
  yearGroup: toRecordedYearGroup(row),
});

/** A pupil as the API returns them, with the year group of a day (YYYY-MM-DD). */
export const toPupil = ({ yearGroup, ...pupil }: PupilRecord, today: string): Pupil => ({
  ...pupil,
  year_group: yearGroupOn(yearGroup, today),
});

/** Names each field, so that a new field of a pupil does not appear in the list of logins. */
export const toPupilLogin = (pupil: PupilLogin): PupilLogin => ({
  id: pupil.id,
  name: pupil.name,
  username: pupil.username,
  group: pupil.group,
  can_update: pupil.can_update,
});

/** The filter's SQL condition; undefined without a filter. */
function buildCondition(db: SchoolDb, me: StaffSession, filter: PupilFilter) {
  const { search, classes, notReadSince, level, yearGroup, tag, run, canRenewLogin = false } = filter;
  const conditions: RawBuilder<unknown>[] = [];
  const words = nameKey(search).split(' ').filter(Boolean).map(containing);
  // Most searches have one word, and `like all` of a single pattern is slower than `like`.
  const like = words.length === 1 ? sql`like ${words[0]}` : sql`like all (${words}::text[])`;
  if (words.length > 0) conditions.push(sql`(p.name_key ${like} or p.username ${like})`);
  const isEveryClass = classes?.includes('mine') && me.role === 'admin';
  if (classes && !isEveryClass) {
    const ids = classes.filter((id) => typeof id === 'number');
    const ownClasses = ownClassIds(db, me.userId);
    const orOwn = classes.includes('mine') ? sql`or p.class_id in ${ownClasses} or not exists ${ownClasses}` : sql``;
    conditions.push(
      sql`(${inIds('p.class_id', ids)} or (${classes.includes('none')} and p.class_id is null) ${orOwn})`,
    );
  }
  if (canRenewLogin && !isEveryVisiblePupil(me, 'logins'))
    conditions.push(sql`(${canChangePupil(db, me, sql`p.class_id`)} or ${isCovered(me, sql`p.class_id`)})`);
  if (notReadSince) conditions.push(sql`(p.last_read_at is null or p.last_read_at < ${notReadSince})`);
  if (level !== undefined)
    conditions.push(sql`${level} = (select reading_level from reading_days d
      where d.school_id = ${db.schoolId} and d.pupil_id = p.id order by day desc, reading_level desc limit 1)`);
  if (yearGroup) conditions.push(yearGroup);
  if (tag !== undefined)
    conditions.push(sql`${canReadClassDetails(db, me, sql`p.class_id`)} and exists (select from pupil_tag_members m
      where m.school_id = ${db.schoolId} and m.tag_id = ${tag} and m.pupil_id = p.id)`);
  if (run !== undefined)
    conditions.push(sql`p.id in (select r.pupil_id from run_rows r
      join runs on runs.school_id = ${db.schoolId} and runs.id = r.run_id
      where r.school_id = ${db.schoolId} and r.run_id = ${run} and r.content #> '{pupil,before}' = 'null' and ${canSeeRun(me)})`);
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : undefined;
}

/** A page of the pupils that match the filter, and the number of pupils whom the caller can see with and without it. */
export async function listPupils(
  db: SchoolDb,
  me: StaffSession,
  filter: PupilFilter,
): Promise<{ pupils: PupilRecord[]; total: number; filtered: number }> {
  const condition = buildCondition(db, me, filter) ?? sql`true`;
  const canSee = canSeePupil(db, me);
  const sortColumn = SORT_COLUMNS[filter.sort];
  const direction = DIRECTIONS[filter.direction];
  // Pupils who have never read precede those who read longest ago.
  const nulls = filter.sort === 'last_read_at' && filter.direction === 'asc' ? sql`nulls first` : sql`nulls last`;
  const order = sortColumn
    ? sql`${sortColumn} ${direction} ${nulls}, p.name_key, p.id`
    : sql`p.name_key ${direction}, p.id`;
  const [page, counts] = await Promise.all([
    sql<PupilRow>`
      select ${columns(db, me)} from ${pupilsAndClasses(db)}
      where p.school_id = ${db.schoolId} and p.archived_at is null and ${canSee} and ${condition}
      order by ${order} limit ${filter.perPage} offset ${(filter.page - 1) * filter.perPage}`.execute(db.tx),
    sql<{ total: number; filtered: number }>`
      select count(*) as total, count(*) filter (where ${condition}) as filtered
      from pupils p where p.school_id = ${db.schoolId} and p.archived_at is null and ${canSee}`.execute(db.tx),
  ]);
  const { total, filtered } = counts.rows[0] ?? { total: 0, filtered: 0 };
  return { pupils: page.rows.map(toRecord), total, filtered };
}

/** The pupils among the IDs whom the caller can see. */
export async function findPupils(db: SchoolDb, me: StaffSession, pupilIds: readonly number[]): Promise<PupilRecord[]> {
  const { rows } = await sql<PupilRow>`
    select ${columns(db, me)} from ${pupilsAndClasses(db)}
    where p.school_id = ${db.schoolId} and p.archived_at is null and ${inIds('p.id', pupilIds)}
      and ${canSeePupil(db, me)}`.execute(db.tx);
  return rows.map(toRecord);
}

/** Names and classes of all pupils whom the caller can see, by name. */
export async function listPupilsWithClass(
  db: SchoolDb,
  me: StaffMember,
): Promise<Pick<Pupil, 'id' | 'name' | 'group'>[]> {
  const rows = await db.tx
    .selectFrom('pupils as p')
    .leftJoin('classes as c', (join) => join.on('c.school_id', '=', db.schoolId).onRef('c.id', '=', 'p.class_id'))
    .select(['p.id', 'p.name', 'p.class_id', 'c.name as class_name'])
    .where('p.school_id', '=', db.schoolId)
    .where('p.archived_at', 'is', null)
    .where(canSeePupil(db, me))
    .orderBy('p.name_key')
    .orderBy('p.id')
    .execute();
  return rows.map(({ id, name, class_id, class_name }) => ({
    id,
    name,
    group: class_id === null || class_name === null ? null : { id: class_id, name: class_name },
  }));
}

/** Logs pupils out everywhere. */
export async function removePupilSessions(db: SchoolDb, pupilIds: readonly number[]): Promise<void> {
  await db.tx.deleteFrom('sessions').where('school_id', '=', db.schoolId).where(inIds('pupil_id', pupilIds)).execute();
}

/** Renames pupils. */
export async function renamePupils(db: SchoolDb, changes: readonly { pupilId: number; name: string }[]): Promise<void> {
  if (changes.length === 0) return;
  const given = changes.map(({ pupilId, name }) => ({ id: pupilId, name, name_key: nameKey(name) }));
  await sql`
    update pupils set name = g.name, name_key = g.name_key
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id bigint, name text, name_key text)
    where pupils.school_id = ${db.schoolId} and pupils.id = g.id`.execute(db.tx);
}
