import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** The most pupils in a search result. */
const MAX_RESULTS = 50;

/** Pupils of the school whose name or username has the text in it. */
export const pupilSearchQuery = (id: number, text: string) =>
  apiQuery(pupilCalls.listPupils, { params: { id }, query: { search: { value: text }, length: MAX_RESULTS } });

/** Pupils of the school who are in no class, by name. */
export const unassignedPupilsQuery = (id: number) =>
  apiQuery(pupilCalls.listPupils, { params: { id }, query: { page: 1, per_page: MAX_RESULTS, groups: 'none' } });

/** Puts pupils of the school into the class. */
export const useAddExisting = (id: number, classId: number) =>
  useInvalidatingMutation(
    (existing: readonly number[]) =>
      call(pupilImportCalls.addPupilsToClass, {
        params: { id, groupId: classId },
        body: { readers: { existing: [...existing], new: [] } },
      }),
    { awaits: [classCalls.getClass] },
  );

/** Returns a pupil who has been removed from the class. */
export const useReturnToClass = (id: number, classId: number) =>
  useInvalidatingMutation(
    (pupilId: number) =>
      call(classMembershipCalls.movePupils, {
        params: { id, groupId: classId },
        body: { reader_ids: [pupilId], source: null },
      }),
    { awaits: [classCalls.getClass] },
  );

export const useRemoveFromClass = (id: number, classId: number) =>
  useInvalidatingMutation(
    (pupilId: number) => call(classMembershipCalls.removePupilFromClass, { params: { id, groupId: classId, pupilId } }),
    { awaits: [classCalls.getClass] },
  );
