import type { YearGroup } from '#contract/year-group.ts';
import { sql } from 'kysely';
import type { SchoolRecordsLink } from '../../../database/column-types.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** What a source's last applied run wrote about a pupil, so that edits in the portal are recognised. */
export interface PupilLink {
  sourceId: string;
  pupilId: number;
  name: string;
  classId: number | null;
  yearGroup: YearGroup | null;
  /** Keyed digests, in hexadecimal; null when the source does not state them. */
  upn: string | null;
  birth: string | null;
  /** A run archived the pupil. */
  hasLeft: boolean;
}

export interface ClassLink {
  sourceId: string;
  classId: number;
  name: string;
}

const toHex = (digest: Buffer | null) => digest?.toString('hex') ?? null;

/** The links of pupils to school records: those of the source, and those of the others. */
export async function listLinks(db: SchoolDb, sourceId: number | null) {
  const rows = await db.tx
    .selectFrom('school_records_pupils')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .orderBy('pupil_id')
    .execute();
  const toLink = (row: (typeof rows)[number]): PupilLink => ({
    sourceId: row.external_id,
    pupilId: row.pupil_id,
    name: row.name,
    classId: row.class_id,
    yearGroup: row.year_group,
    upn: toHex(row.upn_digest),
    birth: toHex(row.birth_digest),
    hasLeft: row.has_left,
  });
  return {
    links: rows.filter(({ source_id }) => source_id === sourceId).map(toLink),
    otherLinks: rows.filter(({ source_id }) => source_id !== sourceId).map(toLink),
  };
}

/** The links of classes to school records: those of the source, and the classes of the others. */
export async function listClassLinks(db: SchoolDb, sourceId: number | null) {
  const rows = await db.tx
    .selectFrom('school_records_classes')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .orderBy('class_id')
    .execute();
  return {
    classLinks: rows
      .filter(({ source_id }) => source_id === sourceId)
      .map(({ external_id, class_id, name }): ClassLink => ({ sourceId: external_id, classId: class_id, name })),
    otherClassIds: rows.filter(({ source_id }) => source_id !== sourceId).map(({ class_id }) => class_id),
  };
}

/** Stores pupils' links of a source. A pupil's earlier link is replaced. */
export async function saveLinks(db: SchoolDb, sourceId: number, links: readonly PupilLink[]): Promise<void> {
  if (links.length === 0) return;
  await deleteLinks(
    db,
    sourceId,
    links.map(({ pupilId }) => pupilId),
  );
  await sql`
    insert into school_records_pupils (school_id, source_id, external_id, pupil_id, name, class_id, year_group, upn_digest, birth_digest, has_left)
    select ${db.schoolId}::bigint, ${sourceId}::bigint, "sourceId", "pupilId", name, "classId", "yearGroup",
      decode(upn, 'hex'), decode(birth, 'hex'), "hasLeft"
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
      as g ("sourceId" text, "pupilId" bigint, name text, "classId" bigint, "yearGroup" text, upn text, birth text, "hasLeft" boolean)
    returning pupil_id`.execute(db.tx);
}

/** Removes pupils' links of a source. */
export const deleteLinks = (db: SchoolDb, sourceId: number, pupilIds: readonly number[]) =>
  db.tx
    .deleteFrom('school_records_pupils')
    .where('school_id', '=', db.schoolId)
    .where('source_id', '=', sourceId)
    .where(inIds('pupil_id', pupilIds))
    .execute();

/** Stores classes' links of a source. Earlier links of these classes are replaced: a class has one at most. */
export async function saveClassLinks(db: SchoolDb, sourceId: number, links: readonly ClassLink[]): Promise<void> {
  if (links.length === 0) return;
  await db.tx
    .deleteFrom('school_records_classes')
    .where('school_id', '=', db.schoolId)
    .where('source_id', '=', sourceId)
    .where(
      inIds(
        'class_id',
        links.map(({ classId }) => classId),
      ),
    )
    .execute();
  await sql`
    insert into school_records_classes (school_id, source_id, external_id, class_id, name)
    select ${db.schoolId}::bigint, ${sourceId}::bigint, "sourceId", "classId", name
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as g ("sourceId" text, "classId" bigint, name text)
    on conflict (school_id, source_id, external_id) do update set class_id = excluded.class_id, name = excluded.name
    returning class_id`.execute(db.tx);
}

/** The link of a pupil as it is stored to undo a run, without digests. */
export const toStoredLink = ({ sourceId, name, classId, yearGroup, hasLeft }: PupilLink): SchoolRecordsLink => ({
  sourceId,
  name,
  classId,
  yearGroup,
  hasLeft,
});

/** Returns whether the source exists; links cannot be stored for one that an admin removed. */
export async function hasSource(db: SchoolDb, sourceId: number): Promise<boolean> {
  const row = await db.tx
    .selectFrom('school_records_sources')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where('id', '=', sourceId)
    .executeTakeFirst();
  return row !== undefined;
}
