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
      'From the class `source`, or from none when it is null or left out. The caller manages both classes. All move or none: 409 names those whom somebody else moved meanwhile.',
    permission: 'manage_pupils',
    example: { body: { reader_ids: [EXAMPLE.otherPupil], source: EXAMPLE.otherClass } },
    params: ids('id', 'groupId'),
    body: z.object({ reader_ids: pupilIds, source: id.nullish() }),
    errors: ['class_not_found', 'pupil_not_found', 'class_not_managed', 'pupil_not_managed', 'pupils_already_moved'],
  },

  removePupilFromClass: {
    method: 'DELETE',
    path: '/enterprises/{id}/groups/{groupId}/readers/{pupilId}',
    tag: 'Pupils',
    summary: 'Take a pupil out of the class',
    description: 'The pupil stays in the school. 409 when the pupil is in another class by now.',
    permission: 'manage_pupils',
    params: ids('id', 'groupId', 'pupilId'),
    errors: ['class_not_found', 'pupil_not_found', 'class_not_managed', 'pupil_not_managed', 'pupils_already_moved'],
  },

  deletePupil: {
    method: 'DELETE',
    path: '/readers/{readerId}',
    tag: 'Pupils',
    summary: 'Delete a pupil with all that they read',
    description: 'The login ends at once. This cannot be undone.',
    permission: 'delete_pupil',
    params: ids('readerId'),
    errors: ['pupil_not_found'],
  },
});
