import type { ROSTER_ORIGINS } from '#contract/calls/roster.ts';
import { sql } from 'kysely';
import type {
  RosterLink,
  RosterPupilValues,
  RosterRowContent,
  StagedPupil,
  StagedRoster,
} from '../../../database/column-types.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { classKey } from '../../school/classes/classes.public.ts';
import { nameKey } from '../../school/pupils/pupils.public.ts';
import type { ClassLink, PupilLink, RosterState } from './roster-state.service.ts';

export type RosterKind = 'oneroster' | 'ctf';

/** The source of this kind, created at its first file. */
export async function ensureSource(db: SchoolDb, kind: RosterKind, now: Date): Promise<number> {
  const { id } = await db.tx
    .insertInto('roster_sources')
    .values({ school_id: db.schoolId, kind, created_at: now })
    .onConflict((conflict) => conflict.columns(['school_id', 'kind']).doUpdateSet({ kind }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The sources with the numbers of pupils, without archived ones, and classes that each keeps up to date. */
export async function listSources(db: SchoolDb) {
  const { rows } = await sql<{ id: number; kind: RosterKind; created_at: Date; pupils: number; classes: number }>`
    select s.id, s.kind, s.created_at,
      (select count(*) from roster_pupils l join pupils p on p.school_id = ${db.schoolId} and p.id = l.pupil_id
        where l.school_id = ${db.schoolId} and l.source_id = s.id and p.archived_at is null) as pupils,
      (select count(*) from roster_classes l where l.school_id = ${db.schoolId} and l.source_id = s.id) as classes
    from roster_sources s where s.school_id = ${db.schoolId} order by s.id`.execute(db.tx);
  return rows;
}

/** Deletes a source with its links. False if there is none. */
export async function deleteSource(db: SchoolDb, sourceId: number): Promise<boolean> {
  const row = await db.tx
    .deleteFrom('roster_sources')
    .where('school_id', '=', db.schoolId)
    .where('id', '=', sourceId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const toHex = (digest: Buffer | null) => digest?.toString('hex') ?? null;

/** The school as a source's roster is compared with it. Locks pupils and classes for `update`. */
export async function readState(
  db: SchoolDb,
  sourceId: number,
  lock: 'update' | 'none',
): Promise<Omit<RosterState, 'staffEmails' | 'isLeavingSeason'>> {
  const pupils = db.tx
    .selectFrom('pupils')
    .select(['id', 'name', 'class_id', 'archived_at'])
    .where('school_id', '=', db.schoolId)
    .orderBy('id');
  const classes = db.tx.selectFrom('classes').select(['id', 'name']).where('school_id', '=', db.schoolId).orderBy('id');
  const ownClasses = lock === 'update' ? await classes.forUpdate().execute() : await classes.execute();
  const ownPupils = lock === 'update' ? await pupils.forUpdate().execute() : await pupils.execute();
  const links = await db.tx
    .selectFrom('roster_pupils')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .orderBy('pupil_id')
    .execute();
  const classLinks = await db.tx
    .selectFrom('roster_classes')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .orderBy('class_id')
    .execute();
  const toLink = (row: (typeof links)[number]): PupilLink => ({
    sourceId: row.external_id,
    pupilId: row.pupil_id,
    name: row.name,
    classId: row.class_id,
    schoolYear: row.school_year,
    upn: toHex(row.upn_digest),
    birth: toHex(row.birth_digest),
    hasLeft: row.has_left,
  });
  return {
    pupils: ownPupils.map(({ id, name, class_id, archived_at }) => ({
      id,
      name,
      classId: class_id,
      isArchived: archived_at !== null,
    })),
    classes: ownClasses,
    links: links.filter(({ source_id }) => source_id === sourceId).map(toLink),
    otherLinks: links.filter(({ source_id }) => source_id !== sourceId).map(toLink),
    classLinks: classLinks
      .filter(({ source_id }) => source_id === sourceId)
      .map(({ external_id, class_id, name }): ClassLink => ({ sourceId: external_id, classId: class_id, name })),
    otherClassIds: classLinks.filter(({ source_id }) => source_id !== sourceId).map(({ class_id }) => class_id),
  };
}

/** Stores pupils' links of a source. A pupil's earlier link is replaced. */
export async function saveLinks(db: SchoolDb, sourceId: number, links: readonly PupilLink[]): Promise<void> {
  if (links.length === 0) return;
  await db.tx
    .deleteFrom('roster_pupils')
    .where('school_id', '=', db.schoolId)
    .where('source_id', '=', sourceId)
    .where(
      inIds(
        'pupil_id',
        links.map(({ pupilId }) => pupilId),
      ),
    )
    .execute();
  await sql`
    insert into roster_pupils (school_id, source_id, external_id, pupil_id, name, class_id, school_year, upn_digest, birth_digest, has_left)
    select ${db.schoolId}::bigint, ${sourceId}::bigint, "sourceId", "pupilId", name, "classId", "schoolYear",
      decode(upn, 'hex'), decode(birth, 'hex'), "hasLeft"
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
      as g ("sourceId" text, "pupilId" bigint, name text, "classId" bigint, "schoolYear" integer, upn text, birth text, "hasLeft" boolean)
    returning pupil_id`.execute(db.tx);
}

/** Removes pupils' links of a source. */
export const deleteLinks = (db: SchoolDb, sourceId: number, pupilIds: readonly number[]) =>
  db.tx
    .deleteFrom('roster_pupils')
    .where('school_id', '=', db.schoolId)
    .where('source_id', '=', sourceId)
    .where(inIds('pupil_id', pupilIds))
    .execute();

/** Stores classes' links of a source. */
export async function saveClassLinks(db: SchoolDb, sourceId: number, links: readonly ClassLink[]): Promise<void> {
  if (links.length === 0) return;
  await sql`
    insert into roster_classes (school_id, source_id, external_id, class_id, name)
    select ${db.schoolId}::bigint, ${sourceId}::bigint, "sourceId", "classId", name
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as g ("sourceId" text, "classId" bigint, name text)
    on conflict (school_id, source_id, external_id) do update set class_id = excluded.class_id, name = excluded.name
    returning class_id`.execute(db.tx);
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

/** Renames classes. Temporary names come first, because 3W can become 4W while 4W becomes 5W. */
export async function renameClasses(db: SchoolDb, changes: readonly { id: number; name: string }[]): Promise<void> {
  if (changes.length === 0) return;
  const given = changes.map(({ id, name }) => ({ id, name, name_key: classKey(name) }));
  const ids = changes.map(({ id }) => id);
  await sql`
    update classes set name_key = ' ' || id where school_id = ${db.schoolId} and ${inIds('id', ids)}`.execute(db.tx);
  await sql`
    update classes set name = g.name, name_key = g.name_key
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id bigint, name text, name_key text)
    where classes.school_id = ${db.schoolId} and classes.id = g.id`.execute(db.tx);
}

/**
 * Those of the classes that have no pupils, books or teachers, and to which no archived pupil would return.
 * @param except archived pupils who do not count
 */
export async function listUnusedClasses(
  db: SchoolDb,
  ids: readonly number[],
  except: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from classes c where school_id = ${db.schoolId} and ${inIds('id', ids)} and manager_id is null
      and not exists (select from pupils p
        where p.school_id = ${db.schoolId} and (p.class_id = c.id
          or p.archived_from = c.id and p.id <> all (${[...except]}::bigint[])))
      and not exists (select from class_books b where b.school_id = ${db.schoolId} and b.class_id = c.id)
      and not exists (select from class_teachers t where t.school_id = ${db.schoolId} and t.class_id = c.id)`.execute(
    db.tx,
  );
  return rows.map(({ id }) => id);
}

export async function deleteClasses(db: SchoolDb, ids: readonly number[]): Promise<void> {
  await db.tx.deleteFrom('classes').where('school_id', '=', db.schoolId).where(inIds('id', ids)).execute();
}

/** Pupils who have read since they were added. */
export async function listPupilsWhoRead(db: SchoolDb, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db.tx
    .selectFrom('pupils')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .where('last_read_at', 'is not', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

interface NewRun {
  sourceId: number;
  kind: RosterKind;
  origin: (typeof ROSTER_ORIGINS)[number];
  by: number | null;
  planDigest: string;
  roster: StagedRoster;
  pupils: readonly { pupilId: number | null; staged: StagedPupil }[];
}

/** Deletes a nightly run of a source that waits for a decision, which a later one replaces. */
export const deleteNightlyProposal = (db: SchoolDb, sourceId: number) =>
  db.tx
    .deleteFrom('roster_runs')
    .where('school_id', '=', db.schoolId)
    .where('source_id', '=', sourceId)
    .where('state', '=', 'proposed')
    .where('origin', '=', 'nightly')
    .execute();

/** Ends the proposed run of a source, if there is one: a nightly run is deleted, others count as rejected. */
export async function rejectProposed(db: SchoolDb, sourceId: number, by: number | null, now: Date): Promise<void> {
  await deleteNightlyProposal(db, sourceId);
  const run = await db.tx
    .updateTable('roster_runs')
    .set({ state: 'rejected', decided_at: now, decided_by: by, roster: null })
    .where('school_id', '=', db.schoolId)
    .where('source_id', '=', sourceId)
    .where('state', '=', 'proposed')
    .returning('id')
    .executeTakeFirst();
  if (run) await deleteRows(db, run.id);
}

/** Stores a proposed run, which replaces one of the same source. Returns its ID. */
export async function insertRun(
  db: SchoolDb,
  { sourceId, kind, origin, by, planDigest, roster, pupils }: NewRun,
  now: Date,
): Promise<number> {
  await rejectProposed(db, sourceId, by, now);
  const { id } = await db.tx
    .insertInto('roster_runs')
    .values({
      school_id: db.schoolId,
      source_id: sourceId,
      kind,
      origin,
      plan_digest: planDigest,
      state: 'proposed',
      created_at: now,
      created_by: by,
      roster: JSON.stringify(roster),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertRows(
    db,
    id,
    pupils.map(({ pupilId, staged }) => ({ pupilId, classId: null, content: { staged } })),
    now,
  );
  return id;
}

interface NewRow {
  pupilId: number | null;
  classId: number | null;
  content: RosterRowContent;
}

async function insertRows(db: SchoolDb, runId: number, rows: readonly NewRow[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map((row, position) => ({ ...row, position }));
  await sql`
    insert into roster_rows (school_id, run_id, position, pupil_id, class_id, content, created_at)
    select ${db.schoolId}::bigint, ${runId}::bigint, position, "pupilId", "classId", content, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as g (position integer, "pupilId" bigint, "classId" bigint, content jsonb)
    returning position`.execute(db.tx);
}

const deleteRows = (db: SchoolDb, runId: number) =>
  db.tx.deleteFrom('roster_rows').where('school_id', '=', db.schoolId).where('run_id', '=', runId).execute();

export type RunRow = NonNullable<Awaited<ReturnType<typeof findRun>>>;

export const findRun = (db: SchoolDb, runId: number) =>
  db.tx
    .selectFrom('roster_runs')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .where('id', '=', runId)
    .executeTakeFirst();

/** A page of the runs, the latest first, and their number. */
export async function listRuns(
  db: SchoolDb,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ runs: RunRow[]; total: number }> {
  const runs = await db.tx
    .selectFrom('roster_runs')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const { total } = await db.tx
    .selectFrom('roster_runs')
    .select(sql<number>`count(*)`.as('total'))
    .where('school_id', '=', db.schoolId)
    .executeTakeFirstOrThrow();
  return { runs, total };
}

/** The rows of a run in their order. */
export const listRows = (db: SchoolDb, runId: number) =>
  db.tx
    .selectFrom('roster_rows')
    .select(['pupil_id', 'class_id', 'content'])
    .where('school_id', '=', db.schoolId)
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute();

export interface Decision {
  state: 'applied' | 'rejected';
  /** Null for a nightly check. */
  by: number | null;
  /** What is left to decide after an applied run; undefined keeps the digest of the plan. */
  planDigest?: string;
  counts: Record<string, number> | null;
  changes: readonly NewRow[];
}

/** Records a decision about a run, and what it changed instead of the pupils in the file. */
export async function decideRun(
  db: SchoolDb,
  runId: number,
  { state, by, planDigest, counts, changes }: Decision,
  now: Date,
): Promise<void> {
  await db.tx
    .updateTable('roster_runs')
    .set({
      state,
      decided_at: now,
      decided_by: by,
      roster: null,
      counts: counts && JSON.stringify(counts),
      ...(planDigest !== undefined && { plan_digest: planDigest }),
    })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', runId)
    .execute();
  await deleteRows(db, runId);
  await insertRows(db, runId, changes, now);
}

/** The link of a pupil as it is kept to undo a run, without digests. */
export const toRosterLink = ({ sourceId, name, classId, schoolYear, hasLeft }: PupilLink): RosterLink => ({
  sourceId,
  name,
  classId,
  schoolYear,
  hasLeft,
});

/** Returns whether a pupil is as a run left them. */
export const isUnchanged = (now: Omit<RosterPupilValues, 'link'>, after: RosterPupilValues): boolean =>
  now.name === after.name && now.isArchived === after.isArchived && (now.isArchived || now.classId === after.classId);

export async function markUndone(db: SchoolDb, runId: number): Promise<void> {
  await db.tx
    .updateTable('roster_runs')
    .set({ state: 'undone', plan_digest: null })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', runId)
    .execute();
  await deleteRows(db, runId);
}
