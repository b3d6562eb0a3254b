import { classCalls } from '#contract/calls/classes.ts';
import { call } from '../../shared/api-client.ts';
import { apiQuery } from '../../shared/api-query.ts';
import type { FirstQueries } from '../../shared/first-queries.ts';
import { parseId } from '../../shared/parse-id.ts';
import { classReadingQuery, needsQuery } from '../reading-needs/reading-needs.public.ts';
import { useInvalidatingMutation } from '../../shared/use-invalidating-mutation.ts';

/** A class with its pupils. */
export const classQuery = (schoolId: number, classId: number) =>
  apiQuery(classCalls.getClass, { params: { id: schoolId, groupId: classId } });

export const classPageQueries: FirstQueries = ({ schoolId, params }) => {
  const classId = parseId(params.id);
  if (classId === undefined) return [];
  return [classQuery(schoolId, classId), needsQuery(schoolId, classId), classReadingQuery(schoolId, classId)];
};

export const useCreateClass = (id: number) =>
  useInvalidatingMutation((body: { name: string; assign_self?: boolean }) =>
    call(classCalls.createClass, { params: { id }, body }),
  );

export const useRenameClass = (id: number, classId: number) =>
  useInvalidatingMutation((body: { name: string }) =>
    call(classCalls.renameClass, { params: { id, groupId: classId }, body }),
  );

export const useRemoveClass = (id: number) =>
  useInvalidatingMutation((classId: number) => call(classCalls.removeClass, { params: { id, groupId: classId } }));

/** Puts a member of staff in charge of the class; nobody with null. */
export const useUpdateTeacher = (id: number, classId: number) =>
  useInvalidatingMutation((userId: number | null) =>
    userId === null
      ? call(classCalls.removeTeacherFromClass, { params: { id, groupId: classId } })
      : call(classCalls.assignTeacher, { params: { id, groupId: classId, userId } }),
  );
