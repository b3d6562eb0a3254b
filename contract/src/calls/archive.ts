import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, ids, timestamp } from '../fields.ts';
import { pupilIds } from './login-cards.ts';

/** A pupil in the archive: in no list, class or figure. */
const archivedPupil = z
  .strictObject({
    id,
    name: z.string(),
    username: z.string(),
    /** The class to which the pupil would come back; null where there was none, or it is gone. */
    group: z.strictObject({ id, name: z.string() }).nullable(),
    archived_at: timestamp,
    /** Null when they have left the staff. */
    archived_by: z.strictObject({ id, name: z.string() }).nullable(),
    /** From then on the pupil is erased, at night. */
    erased_at: timestamp,
  })
  .meta({ id: 'ArchivedPupil' });
export type ArchivedPupil = z.infer<typeof archivedPupil>;

export const archiveCalls = defineCalls({
  listArchive: {
    method: 'GET',
    path: '/enterprises/{id}/archive',
    tag: 'Pupils',
    summary: 'Pupils in the archive, the latest first',
    description: 'Everybody whom `DELETE /readers/{readerId}` took out of the school within the last 30 days.',
    permission: 'delete_pupil',
    area: 'records',
    params: ids('id'),
    reply: z.strictObject({ readers: z.array(archivedPupil) }),
  },

  archivePupils: {
    method: 'POST',
    path: '/enterprises/{id}/archive',
    tag: 'Pupils',
    summary: 'Archive several pupils',
    description:
      'What `DELETE /readers/{readerId}` does, for all of them or for none: they leave all lists, classes and figures, and their logins end at once.',
    permission: 'delete_pupil',
    area: 'records',
    example: { body: { reader_ids: [EXAMPLE.otherPupil] } },
    params: ids('id'),
    body: z.object({ reader_ids: pupilIds }),
    errors: ['pupil_not_found'],
  },

  restorePupils: {
    method: 'POST',
    path: '/enterprises/{id}/archive/restore',
    tag: 'Pupils',
    summary: 'Bring pupils back from the archive',
    description:
      'Each into the class that they were in, with the login and all that they read. All or none: 422 when the school has no places left for them.',
    permission: 'delete_pupil',
    area: 'records',
    example: { body: { reader_ids: [EXAMPLE.pupil] } },
    params: ids('id'),
    body: z.object({ reader_ids: pupilIds }),
    errors: ['pupil_not_found', 'max_readers_reached'],
  },

  erasePupil: {
    method: 'DELETE',
    path: '/enterprises/{id}/archive/{readerId}',
    tag: 'Pupils',
    summary: 'Erase a pupil who is in the archive',
    description: 'With all that they read. This cannot be undone; 30 days after archiving it is done by itself.',
    permission: 'delete_pupil',
    ownerOnly: true,
    area: 'records',
    params: ids('id', 'readerId'),
    errors: ['pupil_not_found'],
  },
});
