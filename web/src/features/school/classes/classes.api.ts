import { classCalls } from '#contract/calls/classes.ts';
import { deletedClassCalls } from '#contract/calls/deleted-classes.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { can } from '../../../shared/can.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { parseId } from '../../../shared/parse-id.ts';
import { readingLevelsQuery } from '../../books/reading-levels/level-queries.public.ts';
import { readingLineQuery, weekInUrl } from '../../reading/class-reading/line-queries.public.ts';
import { classReadingQuery, needsQuery } from '../../reading/reading-needs/need-queries.public.ts';
import { tabletsQuery } from '../tablets/tablet-queries.public.ts';
import { coversQuery } from '../covers/cover-queries.public.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** A class with its pupils. */
export const classQuery = (schoolId: number, classId: number) =>
  apiQuery(classCalls.getClass, { params: { id: schoolId, groupId: classId } });

export const classPageQueries: FirstQueries = ({ user, schoolId, params, query }) => {
  const classId = parseId(params.id);
  if (classId === undefined) return [];
  return [
    classQuery(schoolId, classId),
    readingLineQuery(schoolId, classId, weekInUrl(query)),
    ...(can(user, 'view_details') ? [needsQuery(schoolId, classId)] : []),
    classReadingQuery(schoolId, classId),
    readingLevelsQuery(schoolId),
    tabletsQuery(schoolId),
    ...(can(user, 'manage_classes') ? [coversQuery(schoolId)] : []),
  ];
};

export const useCreateClass = (id: number) =>
  useInvalidatingMutation(
    (body: { name: string; assign_self?: boolean }) => call(classCalls.createClass, { params: { id }, body }),
    { awaits: [schoolCalls.getSchool] },
  );

export const useRenameClass = (id: number, classId: number) =>
  useInvalidatingMutation(
    (body: { name: string }) => call(classCalls.renameClass, { params: { id, groupId: classId }, body }),
    { awaits: [classCalls.getClass, schoolCalls.getSchool] },
  );

export const useRemoveClass = (id: number) =>
  useInvalidatingMutation((classId: number) => call(classCalls.removeClass, { params: { id, groupId: classId } }), {
    awaits: [schoolCalls.getSchool],
  });

const TEACHER_CALLS = {
  /** Replaces the first teacher. */
  change: classCalls.assignTeacher,
  /** Adds to the current teachers. */
  add: classCalls.addClassTeacher,
  remove: classCalls.removeClassTeacher,
} as const;
export type TeacherChange = keyof typeof TEACHER_CALLS;

/** Adds, replaces or removes one teacher of a class. */
export const useUpdateTeacher = (id: number, classId: number, change: TeacherChange) =>
  useInvalidatingMutation(
    (userId: number) => call(TEACHER_CALLS[change], { params: { id, groupId: classId, userId } }),
    { awaits: [classCalls.getClass, schoolCalls.getSchool] },
  );

/** The deleted classes that the user can restore. */
export const deletedClassesQuery = (id: number) => apiQuery(deletedClassCalls.listDeletedClasses, { params: { id } });

export const useRestoreClass = (id: number) =>
  useInvalidatingMutation(
    (classId: number) => call(deletedClassCalls.restoreClass, { params: { id, groupId: classId } }),
    { awaits: [deletedClassCalls.listDeletedClasses, schoolCalls.getSchool] },
  );
