import { type PupilTag, SENSITIVE_TAGS, type SensitiveKind, type TagChange } from '#contract/calls/pupil-tags.ts';
import { roleScopes } from '#contract/permissions.ts';
import { searchKey } from '#contract/fields.ts';
import { sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffMember } from '../../../context.ts';
import { canReadClassDetails } from '../classes/classes.public.ts';

const tagKey = searchKey;

type TagRow = Omit<PupilTag, 'reader_ids'>;

/** The school's tags by name, sensitive ones last. */
export const listTags = (db: SchoolDb): Promise<TagRow[]> =>
  db.tx
    .selectFrom('pupil_tags')
    .select(['id', 'name', 'kind', 'purpose'])
    .where('school_id', '=', db.schoolId)
    .orderBy(sql`kind <> 'own'`)
    .orderBy('name_key')
    .execute();

/**
 * The tags that the user may see, with the pupils whose tags the user may see: admins and reading leads all, teachers those
 * of their own classes and the tags that one of these has.
 */
export async function listTagsWithPupils(db: SchoolDb, me: StaffMember): Promise<PupilTag[]> {
  const [tags, members] = await Promise.all([
    listTags(db),
    sql<{ tag_id: number; pupil_id: number }>`
      select m.tag_id, m.pupil_id from pupil_tag_members m
      join pupils p on p.school_id = ${db.schoolId} and p.id = m.pupil_id
      where m.school_id = ${db.schoolId} and p.archived_at is null and ${canReadClassDetails(db, me, sql`p.class_id`)}
      order by m.tag_id, m.pupil_id`.execute(db.tx),
  ]);
  const pupilsByTag = Map.groupBy(members.rows, ({ tag_id }) => tag_id);
  return tags
    .map((tag) => ({ ...tag, reader_ids: (pupilsByTag.get(tag.id) ?? []).map(({ pupil_id }) => pupil_id) }))
    .filter(({ reader_ids: pupils }) => roleScopes[me.role].details === 'school' || pupils.length > 0);
}

/** Creates one of the school's own tags. Returns its ID. */
export async function insertTag(db: SchoolDb, name: string): Promise<number> {
  const { id } = await db.tx
    .insertInto('pupil_tags')
    .values({ school_id: db.schoolId, name, name_key: tagKey(name), kind: 'own' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Turns a sensitive tag on, or changes its purpose. Returns its ID. */
export async function saveSensitiveTag(db: SchoolDb, kind: SensitiveKind, purpose: string): Promise<number> {
  const name = SENSITIVE_TAGS[kind];
  const { id } = await db.tx
    .insertInto('pupil_tags')
    .values({ school_id: db.schoolId, name, name_key: tagKey(name), kind, purpose })
    .onConflict((conflict) => conflict.columns(['school_id', 'name_key']).doUpdateSet({ purpose }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Renames a tag. Copies for subject access requests that are open need a new decision about its name. */
export async function updateTagName(db: SchoolDb, tagId: number, name: string): Promise<void> {
  await db.tx
    .updateTable('pupil_tags')
    .set({ name, name_key: tagKey(name) })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', tagId)
    .execute();
  await sql`
    delete from subject_request_texts t using subject_requests r
    where t.school_id = ${db.schoolId} and t.table_name = 'pupil_tags' and t.row_id = ${tagId}
      and r.school_id = ${db.schoolId} and r.id = t.request_id and r.closed_at is null`.execute(db.tx);
}

/** Returns whether one of the tags has this name, regardless of case and accents. */
export const isTagName = (tag: TagRow, name: string): boolean => tagKey(tag.name) === tagKey(name);

/** Deletes a tag, with its pupils. */
export async function deleteTag(db: SchoolDb, tagId: number): Promise<void> {
  await db.tx.deleteFrom('pupil_tags').where('school_id', '=', db.schoolId).where('id', '=', tagId).execute();
}

/** Locks tags, in the order of IDs, so that changes of their pupils run one at a time. Returns the IDs that exist. */
export async function lockTags(db: SchoolDb, tagIds: readonly number[]): Promise<number[]> {
  const rows = await db.tx
    .selectFrom('pupil_tags')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', tagIds))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

const toPairs = (changes: readonly TagChange[], list: 'add' | 'remove'): string =>
  JSON.stringify(
    changes.flatMap(({ tag_id, [list]: pupils = [] }) => pupils.map((pupil_id) => ({ pupil_id, tag_id }))),
  );

/** Adds and removes tags. Returns the IDs of the pupils whose tags changed. */
export async function changeTags(db: SchoolDb, changes: readonly TagChange[]): Promise<number[]> {
  const removed = await sql<{ pupil_id: number; tag_id: number }>`
    delete from pupil_tag_members m using jsonb_to_recordset(${toPairs(changes, 'remove')}::jsonb) as g (pupil_id bigint, tag_id bigint)
    where m.school_id = ${db.schoolId} and m.pupil_id = g.pupil_id and m.tag_id = g.tag_id
    returning m.pupil_id, m.tag_id`.execute(db.tx);
  // In the order of IDs, in which archiving locks pupils too.
  const added = await sql<{ pupil_id: number; tag_id: number }>`
    insert into pupil_tag_members (school_id, pupil_id, tag_id)
    select ${db.schoolId}::bigint, pupil_id, tag_id
    from jsonb_to_recordset(${toPairs(changes, 'add')}::jsonb) as g (pupil_id bigint, tag_id bigint)
    order by pupil_id, tag_id
    on conflict do nothing returning pupil_id, tag_id`.execute(db.tx);
  return [...new Set([...removed.rows, ...added.rows].map(({ pupil_id }) => pupil_id))];
}
