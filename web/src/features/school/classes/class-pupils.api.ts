import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { type Pupil, pupilCalls } from '#contract/calls/pupils.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { groupBy } from '../../../shared/group-by.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** The most pupils in a search result. */
const MAX_RESULTS = 50;

/** Pupils of the school whose name or username has the text in it. */
export const pupilSearchQuery = (id: number, text: string) =>
  apiQuery(pupilCalls.listPupils, { params: { id }, query: { search: { value: text }, length: MAX_RESULTS } });

/** Pupils of the school who are in no class, by name. */
export const unassignedPupilsQuery = (id: number) =>
  apiQuery(pupilCalls.listPupils, { params: { id }, query: { page: 1, per_page: MAX_RESULTS, groups: 'none' } });

const move = (id: number, classId: number, source: number | null, pupils: readonly { id: number }[]) =>
  call(classMembershipCalls.movePupils, {
    params: { id, groupId: classId },
    body: { reader_ids: pupils.map((pupil) => pupil.id), source },
  });

/** Puts pupils of the school into the class. Those of a class that the user only covers are moved from it. */
export const useAddExisting = (id: number, classId: number) =>
  useInvalidatingMutation(
    async (pupils: readonly Pick<Pupil, 'id' | 'can_update' | 'group'>[]) => {
      const managed = pupils.filter(({ can_update }) => can_update);
      const covered = pupils.filter(({ can_update }) => !can_update);
      if (managed.length > 0)
        await call(pupilImportCalls.addPupilsToClass, {
          params: { id, groupId: classId },
          body: { readers: { existing: managed.map((pupil) => pupil.id), new: [] } },
        });
      for (const [source, members] of groupBy(covered, ({ group }) => group?.id ?? null))
        await move(id, classId, source, members);
    },
    { awaits: [classCalls.getClass] },
  );

/** Returns a pupil who has been removed from the class. */
export const useReturnToClass = (id: number, classId: number) =>
  useInvalidatingMutation((pupilId: number) => move(id, classId, null, [{ id: pupilId }]), {
    awaits: [classCalls.getClass],
  });

export const useRemoveFromClass = (id: number, classId: number) =>
  useInvalidatingMutation(
    (pupilId: number) => call(classMembershipCalls.removePupilFromClass, { params: { id, groupId: classId, pupilId } }),
    { awaits: [classCalls.getClass] },
  );
