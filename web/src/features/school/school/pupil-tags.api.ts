import type { BodyInputOf } from '#contract/call.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { pupilTagCalls, type TagChange } from '#contract/calls/pupil-tags.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** The school's tags, with the pupils whose tags the user may see, or with one of them alone. */
export const pupilTagsQuery = (id: number, pupilId?: number) =>
  apiQuery(pupilTagCalls.listPupilTags, {
    params: { id },
    ...(pupilId !== undefined && { query: { reader_id: pupilId } }),
  });

const AFFECTED = { awaits: [pupilTagCalls.listPupilTags], renews: [schoolCalls.listAuditLog] };

/** Creates a tag, or renames the one with this ID. */
export const useSaveTag = (id: number, tagId: number | undefined) =>
  useInvalidatingMutation(
    async (body: BodyInputOf<typeof pupilTagCalls.createPupilTag>) =>
      tagId === undefined
        ? call(pupilTagCalls.createPupilTag, { params: { id }, body })
        : call(pupilTagCalls.renamePupilTag, { params: { id, tagId }, body }),
    AFFECTED,
  );

/** Turns a sensitive tag on, or changes its purpose. */
export const useTurnOnSensitiveTag = (id: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof pupilTagCalls.turnOnSensitiveTag>) =>
      call(pupilTagCalls.turnOnSensitiveTag, { params: { id }, body }),
    AFFECTED,
  );

/** Deletes a tag, and so turns a sensitive one off. */
export const useDeleteTag = (id: number) =>
  useInvalidatingMutation((tagId: number) => call(pupilTagCalls.deletePupilTag, { params: { id, tagId } }), AFFECTED);

/** Adds tags to pupils and removes tags from them. */
export const useTagPupils = (id: number) =>
  useInvalidatingMutation(
    (changes: TagChange[]) => call(pupilTagCalls.tagPupils, { params: { id }, body: { changes } }),
    { awaits: [pupilTagCalls.listPupilTags, pupilCalls.listPupils], renews: [schoolCalls.listAuditLog] },
  );
