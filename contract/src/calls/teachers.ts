import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { flag, ids } from '../fields.ts';

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
});
