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

/** `loading` until the new logins are ready; `none` when the work failed and can be requested again. */
const reset = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(['none', 'loading', 'complete']),
    /** Pupils whose passwords are reset. */
    total: z.number().int(),
    /** The new cards; null until they are ready, and again after 24 hours. */
    links: loginLinks.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'PasswordReset' });
export type PasswordReset = z.infer<typeof reset>;

/** The size of printed cards: ten to a page for a pocket, four to a page for a coat peg. */
const CARD_SIZES = ['pocket', 'peg'] as const;
export type CardSize = (typeof CARD_SIZES)[number];

/** A new login, shown as a card. */
const newLogin = z
  .strictObject({
    name: z.string(),
    class: z.string().nullable(),
    username: z.string(),
    password: z.string(),
    /** A QR code that opens the reading app with the username filled in: an SVG path in a square of `size` units. Null without `READER_APP_URL`. */
    code: z.strictObject({ size: z.number().int(), path: z.string() }).nullable(),
  })
  .meta({ id: 'NewLogin' });
export type NewLogin = z.infer<typeof newLogin>;

const newLogins = z.strictObject({
  logins: z.array(newLogin),
  /** A sentence that tells children where to log in. */
  instruction: z.string(),
});

export const loginCardCalls = defineCalls({
  listNewLogins: {
    method: 'GET',
    path: '/enterprises/{id}/readers/password/reset/{resetId}/logins',
    tag: 'Logins',
    summary: 'The new logins of a reset, to show on screen',
    description: 'For the user who requested the reset, within 24 hours.',
    permission: 'manage_logins',
    area: 'pupil-logins',
    params: z.strictObject({ ...ids('id').shape, resetId: z.uuid() }),
    reply: newLogins,
    errors: ['file_expired'],
  },

  showCreatedLogins: {
    method: 'POST',
    path: '/enterprises/{id}/readers/created-logins',
    tag: 'Logins',
    summary: 'The logins of new pupils, to show on screen',
    description:
      'For the user who created the pupils, within 24 hours. `token` is the last part of the links, without `.pdf` or `.xlsx`. The token is sent in the body, so that no log has it.',
    permission: 'manage_logins',
    area: 'pupil-logins',
    example: { body: { token: EXAMPLE.sheetToken } },
    params: ids('id'),
    body: z.object({ token: text('Send the token of the link.', undefined, 200) }),
    reply: newLogins,
    errors: ['file_expired'],
  },

  resetPasswords: {
    method: 'POST',
    path: '/enterprises/{id}/readers/password/reset',
    tag: 'Logins',
    summary: 'Make new passwords for pupils',
    description: `The old passwords stop working, the pupils are logged out, new cards are made, and the caller gets an email with a link to them (never the passwords themselves). Up to ${CARDS_AT_ONCE} pupils: the reply is a completed reset. More: the work runs in the background, and \`GET …/password/reset/{resetId}\` reports progress. \`GET …/password/reset/{resetId}/logins\` returns the cards.`,
    permission: 'manage_logins',
    area: 'pupil-logins',
    example: { body: { reader_ids: [EXAMPLE.pupil] } },
    params: ids('id'),
    body: z.object({ reader_ids: pupilIds }),
    reply: z.strictObject({ reset }),
    errors: ['pupil_not_found', 'pupil_not_managed'],
    rateLimits: [{ by: 'user', tries: 120, seconds: 3600, countsSuccesses: true }],
  },

  getPasswordReset: {
    method: 'GET',
    path: '/enterprises/{id}/readers/password/reset/{resetId}',
    tag: 'Logins',
    summary: 'The progress of a password reset',
    description: 'For the user who requested it.',
    permission: 'manage_logins',
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
      '`links` has the URLs. The user who made the cards can open them, logged in, as often as they like for 24 hours; everyone else gets 404. A browser needs no token: the link works in the address line with the session of the user, and otherwise opens a page that says why it does not. `?size=peg` prints four cards to a page, to hang up.',
    permission: 'manage_logins',
    area: 'pupil-logins',
    isLink: true,
    params: z.strictObject({ token: text('Send the token of the link.', undefined, 200) }),
    query: z.object({ size: z.enum(CARD_SIZES, 'The size is pocket or peg.').default('pocket') }),
    noProof: 'Printed in a lesson. Only the user who made the cards can open them, for a day.',
    noViews: 'Names and logins of pupils. The log of changes has the download.',
    files: ['application/pdf', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    errors: ['file_expired'],
  },
});
