import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { flag, id, ids } from '../fields.ts';
import { MAX_HANDOVERS } from '../limits.ts';
import { ASSIGNABLE_ROLES } from '../permissions.ts';

/** The body of `setStaffRole`. */
export const staffRoleBody = z.object({ role: z.enum(ASSIGNABLE_ROLES, 'Choose a role from the list.') });

/** The body of `recordLeaver`: each class that gets a new teacher, with that teacher. */
const leaverBody = z.object({
  handovers: z
    .array(z.object({ group_id: id, user_id: id }), 'Send the classes to hand over, or an empty list.')
    .max(MAX_HANDOVERS, `Hand over at most ${MAX_HANDOVERS} classes.`)
    .refine(
      (handovers) => new Set(handovers.map((handover) => handover.group_id)).size === handovers.length,
      'Hand over each class once.',
    ),
});

export const teacherCalls = defineCalls({
  setAdmin: {
    method: 'POST',
    path: '/enterprises/{id}/users/{userId}/setadmin',
    tag: 'Teachers',
    summary: 'Promote a teacher to admin, or demote an admin to teacher',
    description: 'Admins cannot change their own role, so every school keeps at least one admin.',
    permission: 'edit_teacher',
    ownerOnly: true,
    needsProof: true,
    area: 'staff',
    example: { body: { admin: true } },
    params: ids('id', 'userId'),
    body: z.object({ admin: flag }),
    errors: ['teacher_not_found', 'not_yourself'],
  },

  setStaffRole: {
    method: 'POST',
    path: '/enterprises/{id}/users/{userId}/role',
    tag: 'Teachers',
    summary: 'Change the role of a member of staff',
    description:
      'Someone whose role has no classes leaves theirs. A teaching assistant stays in theirs, and stops being their teacher. Admins cannot change their own role.',
    permission: 'edit_teacher',
    ownerOnly: true,
    needsProof: true,
    area: 'staff',
    example: { body: { role: 'business_manager' } },
    params: ids('id', 'userId'),
    body: staffRoleBody,
    errors: ['teacher_not_found', 'not_yourself'],
  },

  removeTeacher: {
    method: 'DELETE',
    path: '/enterprises/{id}/users/{userId}',
    tag: 'Teachers',
    summary: 'Remove a member of staff from the school',
    description:
      'They stop being the teacher of their classes, their sessions end, and the account remains, without a school.',
    permission: 'delete_teacher',
    ownerOnly: true,
    area: 'staff',
    params: ids('id', 'userId'),
    errors: ['teacher_not_found', 'not_yourself'],
  },

  recordLeaver: {
    method: 'POST',
    path: '/enterprises/{id}/users/{userId}/leave',
    tag: 'Teachers',
    summary: 'Remove a member of staff from the school, and hand over their classes',
    description:
      'As `removeTeacher`, and each class in `handovers` gets a new teacher in their place: an admin, a teacher or a reading lead. If a class is no longer theirs, or a new teacher has left or no longer teaches, nothing is changed (`conflict`).',
    permission: 'delete_teacher',
    ownerOnly: true,
    area: 'staff',
    example: { body: { handovers: [{ group_id: EXAMPLE.class, user_id: EXAMPLE.admin }] } },
    params: ids('id', 'userId'),
    body: leaverBody,
    errors: ['teacher_not_found', 'not_yourself', 'conflict'],
  },
});
