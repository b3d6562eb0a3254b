import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { className, flag, id, ids, timestamp } from '../fields.ts';
import { yearGroup } from './pupils.ts';
import { classSchema } from './school.ts';
import { markChildData } from '../record-views.ts';

/** A class with its pupils, sorted by name. */
export const classWithPupilsSchema = classSchema
  .extend({
    readers: z.array(
      markChildData(
        z.strictObject({
          id,
          name: z.string(),
          username: z.string(),
          year_group: yearGroup.nullable(),
          can_update: z.boolean(),
          last_read_at: timestamp.nullable(),
        }),
        { pupil: 'id', fields: ['last_read_at'] },
      ),
    ),
  })
  .meta({ id: 'ClassWithPupils' });
export type ClassWithPupils = z.infer<typeof classWithPupilsSchema>;

/** The maximum number of teachers of a class, including the first. */
export const MAX_TEACHERS = 12;

export const classBody = z.object({ name: className });

export const classCalls = defineCalls({
  getClass: {
    method: 'GET',
    path: '/enterprises/{id}/groups/{groupId}',
    tag: 'Classes',
    summary: 'One class with its pupils',
    permission: 'view_pupils',
    views: { what: 'page', screen: 'class' },
    program: { scope: 'read_pupils' },
    params: ids('id', 'groupId'),
    reply: z.strictObject({ group: classWithPupilsSchema }),
    errors: ['class_not_found'],
  },

  createClass: {
    method: 'POST',
    path: '/enterprises/{id}/groups',
    tag: 'Classes',
    summary: 'Create a class',
    description:
      'With `assign_self` the caller becomes its teacher; this is the default for teachers. Names are unique within a school.',
    permission: 'manage_classes',
    example: { body: { name: 'Kingfishers', assign_self: true } },
    program: { scope: 'write_pupils', isWholeSchool: true },
    params: ids('id'),
    body: classBody.extend({ assign_self: flag.optional() }),
    reply: z.strictObject({ group: classSchema }),
    errors: ['class_name_taken'],
  },

  renameClass: {
    method: 'POST',
    path: '/enterprises/{id}/groups/{groupId}',
    tag: 'Classes',
    summary: 'Rename a class',
    permission: 'manage_classes',
    example: { body: { name: 'Herons' } },
    program: { scope: 'write_pupils' },
    params: ids('id', 'groupId'),
    body: classBody,
    reply: z.strictObject({ group: classSchema }),
    errors: ['class_not_found', 'class_not_managed', 'class_name_taken'],
  },

  removeClass: {
    method: 'DELETE',
    path: '/enterprises/{id}/groups/{groupId}',
    tag: 'Classes',
    summary: 'Delete a class',
    description:
      'Its pupils stay in the school, without a class. The books assigned through it are no longer assigned to them. It can be restored for 30 days: `restoreClass`.',
    permission: 'manage_classes',
    params: ids('id', 'groupId'),
    errors: ['class_not_found', 'class_not_managed'],
  },

  assignTeacher: {
    method: 'POST',
    path: '/enterprises/{id}/groups/{groupId}/users/{userId}',
    tag: 'Classes',
    summary: 'Make a member of staff the first teacher of a class',
    description: 'Replaces the current first teacher. The other teachers stay; one of them can become the first.',
    permission: 'manage_classes',
    params: ids('id', 'groupId', 'userId'),
    errors: ['class_not_found', 'class_not_managed', 'teacher_not_found'],
  },

  removeTeacherFromClass: {
    method: 'DELETE',
    path: '/enterprises/{id}/groups/{groupId}/users',
    tag: 'Classes',
    summary: 'Remove the first teacher from a class',
    description:
      'The remaining teacher who was added earliest becomes the first; if there is none, the class has no teacher.',
    permission: 'manage_classes',
    params: ids('id', 'groupId'),
    errors: ['class_not_found', 'class_not_managed'],
  },

  addClassTeacher: {
    method: 'POST',
    path: '/enterprises/{id}/groups/{groupId}/teachers/{userId}',
    tag: 'Classes',
    summary: 'Add another teacher to a class',
    description: `They have the same rights as the first teacher, and become the first if the class has none. Adding a current teacher changes nothing. At most ${MAX_TEACHERS}.`,
    permission: 'manage_classes',
    params: ids('id', 'groupId', 'userId'),
    errors: ['class_not_found', 'class_not_managed', 'teacher_not_found', 'class_teachers_full'],
  },

  removeClassTeacher: {
    method: 'DELETE',
    path: '/enterprises/{id}/groups/{groupId}/teachers/{userId}',
    tag: 'Classes',
    summary: 'Remove one teacher from a class',
    description: 'If this was the first, the remaining teacher who was added earliest becomes the first.',
    permission: 'manage_classes',
    params: ids('id', 'groupId', 'userId'),
    errors: ['class_not_found', 'class_not_managed'],
  },
});
