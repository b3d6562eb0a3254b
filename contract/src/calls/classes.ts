import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { className, flag, id, ids } from '../fields.ts';
import { classSchema } from './school.ts';

/** A class with its pupils by name. */
export const classWithPupilsSchema = classSchema
  .extend({
    readers: z.array(z.strictObject({ id, name: z.string(), username: z.string(), can_update: z.boolean() })),
  })
  .meta({ id: 'ClassWithPupils' });
export type ClassWithPupils = z.infer<typeof classWithPupilsSchema>;

/** Teachers that a class has at most, the first among them. */
export const MOST_TEACHERS = 12;

export const classBody = z.object({ name: className });

export const classCalls = defineCalls({
  getClass: {
    method: 'GET',
    path: '/enterprises/{id}/groups/{groupId}',
    tag: 'Classes',
    summary: 'One class with its pupils',
    permission: 'view_school',
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
      'With `assign_self` the caller manages it; a teacher does unless it is false. Names are unique in a school.',
    permission: 'manage_classes',
    example: { body: { name: 'Kingfishers', assign_self: true } },
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
      'Its pupils stay in the school, without a class. The books assigned through it are no longer assigned to them.',
    permission: 'manage_classes',
    params: ids('id', 'groupId'),
    errors: ['class_not_found', 'class_not_managed'],
  },

  assignTeacher: {
    method: 'POST',
    path: '/enterprises/{id}/groups/{groupId}/users/{userId}',
    tag: 'Classes',
    summary: 'Make a member of staff the first teacher of a class',
    description:
      'In the place of the one who was. Further teachers stay; whoever of them is named here becomes the first.',
    permission: 'manage_classes',
    params: ids('id', 'groupId', 'userId'),
    errors: ['class_not_found', 'class_not_managed', 'teacher_not_found'],
  },

  removeTeacherFromClass: {
    method: 'DELETE',
    path: '/enterprises/{id}/groups/{groupId}/users',
    tag: 'Classes',
    summary: 'Take the first teacher from a class',
    description:
      'Of its further teachers the one who was added earliest becomes the first; without any the class has no teacher.',
    permission: 'manage_classes',
    params: ids('id', 'groupId'),
    errors: ['class_not_found', 'class_not_managed'],
  },

  addClassTeacher: {
    method: 'POST',
    path: '/enterprises/{id}/groups/{groupId}/teachers/{userId}',
    tag: 'Classes',
    summary: 'Add a further teacher to a class',
    description: `With the same rights over it as the first. The first where the class has none; nothing changes for somebody who is a teacher of it already. At most ${MOST_TEACHERS}.`,
    permission: 'manage_classes',
    params: ids('id', 'groupId', 'userId'),
    errors: ['class_not_found', 'class_not_managed', 'teacher_not_found', 'class_teachers_full'],
  },

  removeClassTeacher: {
    method: 'DELETE',
    path: '/enterprises/{id}/groups/{groupId}/teachers/{userId}',
    tag: 'Classes',
    summary: 'Take one teacher from a class',
    description: 'Where it was the first, the one who was added earliest becomes the first.',
    permission: 'manage_classes',
    params: ids('id', 'groupId', 'userId'),
    errors: ['class_not_found', 'class_not_managed'],
  },
});
