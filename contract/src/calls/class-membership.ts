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

  removePupilsFromClasses: {
    method: 'POST',
    path: '/enterprises/{id}/readers/unplace',
    tag: 'Pupils',
    summary: 'Take several pupils out of their classes',
    description: 'Whichever classes they are in. The pupils stay in the school. All or none.',
    permission: 'manage_pupils',
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
      'The pupil leaves all lists, classes and figures, and the login ends at once. For 30 days an admin can bring them back (`POST …/archive/restore`); then all that they read is erased.',
    permission: 'delete_pupil',
    area: 'records',
    params: ids('readerId'),
    errors: ['pupil_not_found'],
  },
});
