import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, ids, text, timestamp } from '../fields.ts';
import { IMPORT_ROWS, loginLinks } from './pupil-import.ts';

export const pupilIds = z
  .array(id, 'Choose at least one pupil.')
  .min(1, 'Choose at least one pupil.')
  .max(IMPORT_ROWS, `Choose at most ${IMPORT_ROWS.toLocaleString('en-GB')} pupils at once.`)
  .transform((list) => [...new Set(list)]);

/** `loading` until the new logins are there; `none` when the work failed and may be asked for again. */
const reset = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(['none', 'loading', 'complete']),
    /** Pupils whose passwords are reset. */
    total: z.number().int(),
    /** The new cards; null until they are complete and after 24 hours. */
    links: loginLinks.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'PasswordReset' });
export type PasswordReset = z.infer<typeof reset>;

export const loginCardCalls = defineCalls({
  resetPasswords: {
    method: 'POST',
    path: '/enterprises/{id}/readers/password/reset',
    tag: 'Logins',
    summary: 'Make new passwords for pupils',
    description:
      'Done in the background: the old passwords end, the pupils are logged out, new cards are made, and the caller gets an e-mail with a link to them (never the passwords themselves). `GET …/password/reset/{resetId}` tells how far it is.',
    permission: 'manage_pupils',
    example: { body: { reader_ids: [EXAMPLE.pupil] } },
    params: ids('id'),
    body: z.object({ reader_ids: pupilIds }),
    reply: z.strictObject({ reset }),
    errors: ['pupil_not_found', 'pupil_not_managed'],
  },

  getPasswordReset: {
    method: 'GET',
    path: '/enterprises/{id}/readers/password/reset/{resetId}',
    tag: 'Logins',
    summary: 'How far a reset of passwords is',
    description: 'For whoever asked for it.',
    permission: 'manage_pupils',
    params: z.strictObject({ ...ids('id').shape, resetId: z.uuid() }),
    reply: z.strictObject({ reset }),
  },

  getFile: {
    method: 'GET',
    path: '/files/{token}',
    tag: 'Logins',
    summary: 'Login cards as a PDF, or logins as an xlsx',
    description:
      'The addresses come from `links`. They open for the person who made them, logged in, as often as wanted within 24 hours; to everybody else they are 404.',
    permission: 'view_school',
    params: z.strictObject({ token: text('Send the token of the link.', undefined, 200) }),
    files: ['application/pdf', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    errors: ['file_expired'],
  },
});
