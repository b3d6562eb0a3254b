import {
  assignTeacher,
  createClass,
  getClass,
  removeClass,
  removeTeacherFromClass,
  renameClass,
} from '#contract/calls/classes.ts';
import { call } from '../../shared/api-client.ts';
import { queryOf } from '../../shared/api-query.ts';
import { useChange } from '../../shared/use-invalidating-mutation.ts';

/** A class with its pupils. */
export const classQuery = (schoolId: number, classId: number) =>
  queryOf(getClass, { params: { id: schoolId, groupId: classId } });

export const useCreateClass = (id: number) =>
  useChange((body: { name: string }) => call(createClass, { params: { id }, body }));

export const useRenameClass = (id: number, groupId: number) =>
  useChange((body: { name: string }) => call(renameClass, { params: { id, groupId }, body }));

export const useRemoveClass = (id: number) =>
  useChange((groupId: number) => call(removeClass, { params: { id, groupId } }));

/** Puts a member of staff in charge of the class; nobody with null. */
export const useChangeTeacher = (id: number, groupId: number) =>
  useChange((userId: number | null) =>
    userId === null
      ? call(removeTeacherFromClass, { params: { id, groupId } })
      : call(assignTeacher, { params: { id, groupId, userId } }),
  );
