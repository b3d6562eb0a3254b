import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, ids, text, timestamp } from '../fields.ts';
import { CARDS_AT_ONCE } from '../limits.ts';
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

/** In what size cards are printed: ten a page for a pocket, four a page for a coat peg. */
const CARD_SIZES = ['pocket', 'peg'] as const;
export type CardSize = (typeof CARD_SIZES)[number];

/** A new login, to be shown as a card. */
const newLogin = z
  .strictObject({
    name: z.string(),
    class: z.string().nullable(),
    username: z.string(),
    password: z.string(),
    /** The reading app with the username filled in, as a QR code: an SVG path of squares, `size` a side. Null where no reading app is set. */
    code: z.strictObject({ size: z.number().int(), path: z.string() }).nullable(),
  })
  .meta({ id: 'NewLogin' });
export type NewLogin = z.infer<typeof newLogin>;

export const loginCardCalls = defineCalls({
  makeLoginCards: {
    method: 'POST',
    path: '/enterprises/{id}/readers/login-cards',
    tag: 'Logins',
    summary: 'Make new login cards at once',
    description:
      'For the child who stands there without a password: the old password ends, the pupil is logged out, and the reply is a reset that is complete. `GET …/password/reset/{resetId}/logins` has the cards. No mail is sent.',
    permission: 'manage_pupils',
    area: 'pupil-logins',
    example: { body: { reader_ids: [EXAMPLE.pupil] } },
    params: ids('id'),
    body: z.object({
      reader_ids: pupilIds.refine(
        (list) => list.length <= CARDS_AT_ONCE,
        `Make at most ${CARDS_AT_ONCE} cards at once. Reset the passwords of more pupils instead.`,
      ),
    }),
    reply: z.strictObject({ reset }),
    errors: ['pupil_not_found', 'pupil_not_managed'],
    rateLimits: [{ by: 'user', tries: 120, seconds: 3600, countsSuccesses: true }],
  },

  listNewLogins: {
    method: 'GET',
    path: '/enterprises/{id}/readers/password/reset/{resetId}/logins',
    tag: 'Logins',
    summary: 'The new logins of a reset, to be shown',
    description: 'For whoever asked for it, within 24 hours.',
    permission: 'manage_pupils',
    area: 'pupil-logins',
    params: z.strictObject({ ...ids('id').shape, resetId: z.uuid() }),
    reply: z.strictObject({
      logins: z.array(newLogin),
      /** Where children log in, as a sentence. */
      instruction: z.string(),
    }),
    errors: ['file_expired'],
  },

  resetPasswords: {
    method: 'POST',
    path: '/enterprises/{id}/readers/password/reset',
    tag: 'Logins',
    summary: 'Make new passwords for pupils',
    description:
      'Done in the background: the old passwords end, the pupils are logged out, new cards are made, and the caller gets an e-mail with a link to them (never the passwords themselves). `GET …/password/reset/{resetId}` tells how far it is.',
    permission: 'manage_pupils',
    area: 'pupil-logins',
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
    area: 'pupil-logins',
    params: z.strictObject({ ...ids('id').shape, resetId: z.uuid() }),
    reply: z.strictObject({ reset }),
  },

  getFile: {
    method: 'GET',
    path: '/files/{token}',
    tag: 'Logins',
    summary: 'Login cards as a PDF, or logins as an xlsx',
    description:
      'The addresses come from `links`. They open for the person who made them, logged in, as often as wanted within 24 hours; to everybody else they are 404. `?size=peg` prints four cards a page, to hang up.',
    permission: 'view_school',
    area: 'pupil-logins',
    params: z.strictObject({ token: text('Send the token of the link.', undefined, 200) }),
    query: z.object({ size: z.enum(CARD_SIZES, 'The size is pocket or peg.').default('pocket') }),
    files: ['application/pdf', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    errors: ['file_expired'],
  },
});
