import { deletedClassCalls } from '#contract/calls/deleted-classes.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** The deleted classes that the user can restore. */
export const deletedClassesQuery = (id: number) => apiQuery(deletedClassCalls.listDeletedClasses, { params: { id } });

export const useRestoreClass = (id: number) =>
  useInvalidatingMutation(
    (classId: number) => call(deletedClassCalls.restoreClass, { params: { id, groupId: classId } }),
    { awaits: [deletedClassCalls.listDeletedClasses, schoolCalls.getSchool] },
  );
