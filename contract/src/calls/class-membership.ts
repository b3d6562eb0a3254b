import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, ids } from '../fields.ts';
import { pupilIds } from './login-cards.ts';

export const classMembershipCalls = defineCalls({
  movePupils: {
    method: 'POST',
    path: '/enterprises/{id}/groups/{groupId}/readers/move',
    tag: 'Pupils',
    summary: 'Move pupils into this class',
    description:
      'From the class `source`; null or absent for pupils without a class. The caller must manage or cover both classes. All or nothing: 409 lists the pupils whom another user has moved in the meantime.',
    permission: 'edit_pupils',
    example: { body: { reader_ids: [EXAMPLE.otherPupil], source: EXAMPLE.otherClass } },
    program: { scope: 'write_pupils' },
    params: ids('id', 'groupId'),
    body: z.object({ reader_ids: pupilIds, source: id.nullish() }),
    errors: ['class_not_found', 'pupil_not_found', 'class_not_managed', 'pupil_not_managed', 'pupils_already_moved'],
  },

  removePupilFromClass: {
    method: 'DELETE',
    path: '/enterprises/{id}/groups/{groupId}/readers/{pupilId}',
    tag: 'Pupils',
    summary: 'Remove a pupil from a class',
    description: 'The pupil stays in the school. 409 if the pupil is now in another class.',
    permission: 'edit_pupils',
    program: { scope: 'write_pupils' },
    params: ids('id', 'groupId', 'pupilId'),
    errors: ['class_not_found', 'pupil_not_found', 'class_not_managed', 'pupil_not_managed', 'pupils_already_moved'],
  },

  removePupilsFromClasses: {
    method: 'POST',
    path: '/enterprises/{id}/readers/unplace',
    tag: 'Pupils',
    summary: 'Remove several pupils from their classes',
    description: 'Whichever classes they are in. The pupils stay in the school. All or nothing.',
    permission: 'edit_pupils',
    example: { body: { reader_ids: [EXAMPLE.otherPupil] } },
    params: ids('id'),
    body: z.object({ reader_ids: pupilIds }),
    errors: ['pupil_not_found', 'pupil_not_managed'],
  },

  deletePupil: {
    method: 'DELETE',
    path: '/readers/{readerId}',
    tag: 'Pupils',
    summary: 'Delete a pupil',
    description:
      'The pupil disappears from all lists, classes and figures, and can no longer log in. An admin can restore them (`POST …/archive/restore`) until the period of the archive that the school chose is over: 1, 7, 14 or 30 days. Then their reading history is erased.',
    permission: 'delete_pupil',
    area: 'records',
    params: ids('readerId'),
    errors: ['pupil_not_found'],
  },
});
