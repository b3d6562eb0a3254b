import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, ids, timestamp } from '../fields.ts';
import { pupilIds } from './login-cards.ts';

/** An archived pupil, who is in no list, class or figure. */
const archivedPupil = z
  .strictObject({
    id,
    name: z.string(),
    username: z.string(),
    /** The class that the pupil would return to; null if there was none, or it was deleted. */
    group: z.strictObject({ id, name: z.string() }).nullable(),
    archived_at: timestamp,
    /** Null when they have left the school. */
    archived_by: z.strictObject({ id, name: z.string() }).nullable(),
    /** The pupil is erased in the first night after this. */
    erased_at: timestamp,
  })
  .meta({ id: 'ArchivedPupil' });
export type ArchivedPupil = z.infer<typeof archivedPupil>;

export const archiveCalls = defineCalls({
  listArchive: {
    method: 'GET',
    path: '/enterprises/{id}/archive',
    tag: 'Pupils',
    summary: 'Archived pupils, newest first',
    description:
      'All pupils deleted with `DELETE /readers/{readerId}` within the period of the archive that the school chose: 1, 7, 14 or 30 days.',
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
      'Like `DELETE /readers/{readerId}` for several pupils, all or nothing: they disappear from all lists, classes and figures, and can no longer log in.',
    permission: 'delete_pupil',
    area: 'records',
    example: { body: { reader_ids: [EXAMPLE.otherPupil] } },
    program: { scope: 'write_pupils', isWholeSchool: true },
    params: ids('id'),
    body: z.object({ reader_ids: pupilIds }),
    errors: ['pupil_not_found'],
  },

  restorePupils: {
    method: 'POST',
    path: '/enterprises/{id}/archive/restore',
    tag: 'Pupils',
    summary: 'Restore pupils from the archive',
    description:
      'To the class they were in, with their login and reading history. All or nothing: 422 if the subscription has too few places.',
    permission: 'delete_pupil',
    area: 'records',
    example: { body: { reader_ids: [EXAMPLE.pupil] } },
    program: { scope: 'write_pupils', isWholeSchool: true },
    params: ids('id'),
    body: z.object({ reader_ids: pupilIds }),
    errors: ['pupil_not_found', 'max_readers_reached'],
  },

  erasePupil: {
    method: 'DELETE',
    path: '/enterprises/{id}/archive/{readerId}',
    tag: 'Pupils',
    summary: 'Erase an archived pupil',
    description:
      'With everything about them. This cannot be undone. It happens automatically when the period that the school chose is over: 1, 7, 14 or 30 days after archiving. Returns the ID of the receipt: `getErasureReceipt`.',
    permission: 'delete_pupil',
    ownerOnly: true,
    needsProof: true,
    area: 'records',
    params: ids('id', 'readerId'),
    reply: z.strictObject({ erasure_id: id }),
    errors: ['pupil_not_found'],
  },
});
