import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import { defineHandlers } from '../../http/pipeline.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { getClass, getOwnClass } from './own-class.access.ts';
import { findStaffName } from '../access/access.public.ts';
import {
  updateClassName,
  updateManager,
  deleteClass,
  insertClass,
  isNameTaken,
  listClassPupils,
} from './classes.queries.ts';

export const classHandlers = defineHandlers({
  getClass: {
    handle: async ({ db, me, params }) => {
      const group = await getClass(db, me, params.groupId);
      const readers = await listClassPupils(db, group.id);
      return { group: { ...group, readers: readers.map((reader) => ({ ...reader, can_update: group.user_manages })) } };
    },
  },
  createClass: {
    handle: async ({ db, me, body, now }) => {
      await refuseTakenName(db, body.name);
      const managerId = (body.assign_self ?? me.role === 'teacher') ? me.userId : null;
      const id = await insertClass(db, body.name, managerId, now);
      await recordChange(db, me, now, {
        action: 'class_created',
        subjectKind: 'class',
        subjectId: id,
        details: { name: body.name },
      });
      return { group: await getClass(db, me, id) };
    },
  },
  renameClass: {
    handle: async ({ db, me, params, body, now }) => {
      const group = await getOwnClass(db, me, params.groupId);
      if (group.name !== body.name) {
        await refuseTakenName(db, body.name, group.id);
        await updateClassName(db, group.id, body.name);
        await recordChange(db, me, now, {
          action: 'class_renamed',
          subjectKind: 'class',
          subjectId: group.id,
          details: { from: group.name, to: body.name },
        });
      }
      return { group: { ...group, name: body.name } };
    },
  },
  removeClass: {
    handle: async ({ db, me, params, now }) => {
      const group = await getOwnClass(db, me, params.groupId);
      const pupils = await deleteClass(db, group.id);
      await recordChange(db, me, now, {
        action: 'class_deleted',
        subjectKind: 'class',
        subjectId: group.id,
        details: { name: group.name, pupils },
      });
      return {};
    },
  },
  assignTeacher: {
    handle: async ({ db, me, params, now }) => {
      const group = await getOwnClass(db, me, params.groupId);
      const teacher = await findStaffName(db, params.userId);
      if (!teacher) throw new AppError('teacher_not_found');
      await updateManager(db, group.id, params.userId);
      await recordChange(db, me, now, {
        action: 'teacher_assigned',
        subjectKind: 'class',
        subjectId: group.id,
        details: { name: group.name, teacher },
      });
      return {};
    },
  },
  removeTeacherFromClass: {
    handle: async ({ db, me, params, now }) => {
      const group = await getOwnClass(db, me, params.groupId);
      if (group.manager) {
        await updateManager(db, group.id, null);
        const teacher = `${group.manager.first_name} ${group.manager.last_name}`;
        await recordChange(db, me, now, {
          action: 'teacher_removed',
          subjectKind: 'class',
          subjectId: group.id,
          details: { name: group.name, teacher },
        });
      }
      return {};
    },
  },
});

async function refuseTakenName(db: SchoolDb, name: string, except?: number): Promise<void> {
  if (await isNameTaken(db, name, except)) throw new AppError('class_name_taken');
}
