import type { AuditAction, AuditDetails } from '#contract/audit-details.ts';
import { SENSITIVE_TAGS } from '#contract/calls/pupil-tags.ts';
import { MAX_PUPIL_TAGS } from '#contract/limits.ts';
import { type Actor, recordChange } from '../../../audit/audit-log.queries.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import {
  changeTags,
  deleteTag,
  insertTag,
  isTagName,
  listTags,
  listTagsWithPupils,
  lockTags,
  saveSensitiveTag,
  updateTagName,
} from './pupil-tags.queries.ts';
import { getPupils } from './pupils.access.ts';

const recordTagChange = <A extends AuditAction>(
  db: SchoolDb,
  me: Actor,
  now: Date,
  action: A,
  details: AuditDetails<A>,
) => recordChange(db, me, now, { action, subjectKind: 'school', subjectId: db.schoolId, details });

const tagNotFound = () => new AppError('not_found', { text: 'This tag has been deleted. Load the list again.' });

/** The school's tags, which no other request changes until the transaction ends. */
async function lockAllTags(db: SchoolDb) {
  await lockSchool(db);
  return listTags(db);
}
type Tags = Awaited<ReturnType<typeof lockAllTags>>;

function getTag(tags: Tags, tagId: number): Tags[number] {
  const tag = tags.find(({ id }) => id === tagId);
  if (!tag) throw tagNotFound();
  return tag;
}

function assertNameAvailable(tags: Tags, name: string): void {
  if (tags.some((tag) => isTagName(tag, name)))
    throw fieldError('name', 'Your school already has a tag with this name. Choose another name.');
}

function assertNotFull(tags: Tags, field: string): void {
  if (tags.length >= MAX_PUPIL_TAGS)
    throw fieldError(field, `A school has at most ${MAX_PUPIL_TAGS} tags. Delete one first.`);
}

export const pupilTagHandlers = defineHandlers({
  listPupilTags: {
    handle: async ({ db, me, query: { reader_id: pupilId } }) => {
      const tags = await listTagsWithPupils(db, me);
      if (pupilId === undefined) return { tags };
      return { tags: tags.map((tag) => ({ ...tag, reader_ids: tag.reader_ids.filter((id) => id === pupilId) })) };
    },
  },
  createPupilTag: {
    handle: async ({ db, me, body: { name }, now }) => {
      const tags = await lockAllTags(db);
      assertNameAvailable(tags, name);
      assertNotFull(tags, 'name');
      const id = await insertTag(db, name);
      await recordTagChange(db, me, now, 'pupil_tag_created', { name });
      return { id };
    },
  },
  renamePupilTag: {
    handle: async ({ db, me, params, body: { name }, now }) => {
      const tags = await lockAllTags(db);
      const tag = getTag(tags, params.tagId);
      if (tag.kind !== 'own') throw fieldError('name', 'A sensitive tag keeps its name.');
      assertNameAvailable(
        tags.filter(({ id }) => id !== tag.id),
        name,
      );
      if (name === tag.name) return {};
      await updateTagName(db, tag.id, name);
      await recordTagChange(db, me, now, 'pupil_tag_renamed', { from: tag.name, to: name });
      return {};
    },
  },
  deletePupilTag: {
    handle: async ({ db, me, params, now }) => {
      const tag = getTag(await lockAllTags(db), params.tagId);
      await deleteTag(db, tag.id);
      await recordTagChange(db, me, now, 'pupil_tag_deleted', { name: tag.name });
      return {};
    },
  },
  turnOnSensitiveTag: {
    handle: async ({ db, me, body: { kind, purpose }, now }) => {
      const tags = await lockAllTags(db);
      if (!tags.some((tag) => tag.kind === kind)) assertNotFull(tags, 'purpose');
      const id = await saveSensitiveTag(db, kind, purpose);
      await recordTagChange(db, me, now, 'pupil_tag_turned_on', { name: SENSITIVE_TAGS[kind], purpose });
      return { id };
    },
  },
  tagPupils: {
    handle: async ({ db, me, body: { changes }, now }) => {
      const tagIds = new Set(changes.map(({ tag_id }) => tag_id));
      if ((await lockTags(db, [...tagIds])).length < tagIds.size) throw tagNotFound();
      await getPupils(
        db,
        me,
        changes.flatMap(({ add, remove }) => [...add, ...remove]),
      );
      const pupils = await changeTags(db, changes);
      // Without the tags: the log must not state which sensitive tag a child has.
      if (pupils.length > 0) await recordTagChange(db, me, now, 'pupils_tagged', { pupils });
      return {};
    },
  },
});
