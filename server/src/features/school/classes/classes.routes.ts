import type { AuditAction, AuditDetails } from '#contract/audit-details.ts';
import { MAX_TEACHERS } from '#contract/calls/classes.ts';
import { hasClasses, isTeachingRole, type Role, ROLE_TEXTS } from '#contract/permissions.ts';
import { toRecordedYearGroup, yearGroupOn } from '#contract/year-group.ts';
import { dayIn } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { getClass, lockClassToChange } from './classes.access.ts';
import { lockMember } from '../../accounts/access/access.public.ts';
import { addClassTeachers, removeClassTeacher, updateFirstTeachers } from './class-teachers.queries.ts';
import { deleteClass } from './deleted-classes.queries.ts';
import {
  type ClassRecord,
  insertClass,
  isNameTaken,
  listClassPupils,
  toClass,
  updateClassName,
} from './classes.queries.ts';

const recordClassChange = <A extends AuditAction>(
  db: SchoolDb,
  me: StaffSession,
  now: Date,
  classId: number,
  action: A,
  details: AuditDetails<A>,
) => recordChange(db, me, now, { action, subjectKind: 'class', subjectId: classId, details });

/** Locks a member of staff, who keeps a role with classes until the transaction ends. Throws `teacher_not_found`. */
async function lockTeacher(db: SchoolDb, userId: number): Promise<Role> {
  const role = await lockMember(db, userId);
  if (!role) throw new AppError('teacher_not_found');
  if (hasClasses(role)) return role;
  throw new AppError('teacher_not_found', {
    text: `A ${ROLE_TEXTS[role].name.toLowerCase()} has no classes. Change their role first.`,
  });
}

/** Adds a further teacher or an assistant to a class. Throws `class_teachers_full`. */
async function addToClass(
  { db, me, now }: { db: SchoolDb; me: StaffSession; now: Date },
  { id, name, teachers, assistants }: ClassRecord,
  userId: number,
  role: Role,
): Promise<Record<string, never>> {
  const current = [...teachers, ...assistants];
  if (current.some((person) => person.id === userId)) return {};
  if (current.length >= MAX_TEACHERS) throw new AppError('class_teachers_full');
  await addClassTeachers(db, [{ classId: id, userId }], now);
  const action = isTeachingRole(role) ? 'teacher_assigned' : 'assistant_added';
  await recordClassChange(db, me, now, id, action, { name, teacher_id: userId });
  return {};
}

export const classHandlers = defineHandlers({
  getClass: {
    handle: async ({ db, me, params, now }) => {
      const schoolClass = await getClass(db, me, params.groupId);
      const pupils = await listClassPupils(db, schoolClass.id);
      const today = dayIn('Europe/London', now);
      return {
        group: {
          ...toClass(schoolClass, today),
          readers: pupils.map(({ last_read_at, year_group, year_group_since, ...pupil }) => ({
            ...pupil,
            year_group: yearGroupOn(toRecordedYearGroup({ year_group, year_group_since }), today),
            can_update: schoolClass.user_manages,
            last_read_at: last_read_at?.toISOString() ?? null,
          })),
        },
      };
    },
  },
  createClass: {
    handle: async ({ db, me, body, now }) => {
      await assertNameAvailable(db, body.name);
      const managerId = (body.assign_self ?? me.role !== 'admin') ? me.userId : null;
      const id = await insertClass(db, body.name, managerId, now);
      await recordClassChange(db, me, now, id, 'class_created', { name: body.name });
      return { group: toClass(await getClass(db, me, id), dayIn('Europe/London', now)) };
    },
  },
  renameClass: {
    handle: async ({ db, me, params, body, now }) => {
      const schoolClass = await lockClassToChange(db, me, params.groupId);
      if (schoolClass.name !== body.name) {
        await assertNameAvailable(db, body.name, schoolClass.id);
        await updateClassName(db, schoolClass.id, body.name);
        await recordClassChange(db, me, now, schoolClass.id, 'class_renamed', {
          from: schoolClass.name,
          to: body.name,
        });
      }
      return { group: toClass({ ...schoolClass, name: body.name }, dayIn('Europe/London', now)) };
    },
  },
  removeClass: {
    handle: async ({ db, me, params, now }) => {
      const schoolClass = await lockClassToChange(db, me, params.groupId);
      const pupils = await deleteClass(db, schoolClass.id, me.userId, now);
      await recordClassChange(db, me, now, schoolClass.id, 'class_deleted', { name: schoolClass.name, pupils });
      return {};
    },
  },
  assignTeacher: {
    handle: async ({ db, me, params, now }) => {
      const schoolClass = await lockClassToChange(db, me, params.groupId);
      const role = await lockTeacher(db, params.userId);
      if (!isTeachingRole(role)) return addToClass({ db, me, now }, schoolClass, params.userId, role);
      await updateFirstTeachers(db, [{ id: schoolClass.id, manager_id: params.userId }]);
      await recordClassChange(db, me, now, schoolClass.id, 'teacher_assigned', {
        name: schoolClass.name,
        teacher_id: params.userId,
      });
      return {};
    },
  },
  addClassTeacher: {
    handle: async ({ db, me, params, now }) => {
      const schoolClass = await lockClassToChange(db, me, params.groupId);
      const role = await lockTeacher(db, params.userId);
      return addToClass({ db, me, now }, schoolClass, params.userId, role);
    },
  },
  removeClassTeacher: {
    handle: async ({ db, me, params, now }) => {
      const schoolClass = await lockClassToChange(db, me, params.groupId);
      const teacher = [...schoolClass.teachers, ...schoolClass.assistants].find(({ id }) => id === params.userId);
      if (!teacher) return {};
      await removeClassTeacher(db, schoolClass.id, teacher.id);
      await recordClassChange(db, me, now, schoolClass.id, 'teacher_removed', {
        name: schoolClass.name,
        teacher_id: teacher.id,
      });
      return {};
    },
  },
  removeTeacherFromClass: {
    handle: async ({ db, me, params, now }) => {
      const schoolClass = await lockClassToChange(db, me, params.groupId);
      if (schoolClass.manager) {
        await updateFirstTeachers(db, [{ id: schoolClass.id, manager_id: null }]);
        await recordClassChange(db, me, now, schoolClass.id, 'teacher_removed', {
          name: schoolClass.name,
          teacher_id: schoolClass.manager.id,
        });
      }
      return {};
    },
  },
});

async function assertNameAvailable(db: SchoolDb, name: string, except?: number): Promise<void> {
  if (await isNameTaken(db, name, except)) throw new AppError('class_name_taken');
}
