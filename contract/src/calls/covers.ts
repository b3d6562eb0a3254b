import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, ids, personName, text, timestamp, timestampInput } from '../fields.ts';
import { MAX_COVER_DAYS, MAX_COVERS } from '../limits.ts';
import { signedIn } from './access.ts';

/** Someone who teaches a class until a time: a colleague, or a supply teacher who has no account. */
const cover = z
  .strictObject({
    id,
    group: z.strictObject({ id, name: z.string() }),
    user: z.strictObject({ id, first_name: z.string(), last_name: z.string() }),
    is_supply: z.boolean(),
    ends_at: timestamp,
    /** Null once they have left the school. */
    given_by: z.strictObject({ id, name: z.string() }).nullable(),
    /** Whether the supply teacher has a code for today, and whether it has been used; null for a colleague. */
    code: z.enum(['none', 'unused', 'used']).nullable(),
  })
  .meta({ id: 'Cover' });
export type Cover = z.infer<typeof cover>;

/** A card with a code, for one supply teacher. The code is in no other reply. */
const supplyCard = z
  .strictObject({
    name: z.string(),
    school: z.string(),
    group: z.string(),
    /** Three groups of four letters and digits: `K7PM-3XQR-9DTW`. */
    code: z.string(),
    /** The page on which it is entered. */
    url: z.string(),
    /** The page as a QR code, with the code filled in: an SVG path in a square of `size` units. */
    qr: z.strictObject({ size: z.number().int(), path: z.string() }),
    /** The end of the day on which it was made, or of the cover if that is earlier. */
    works_until: timestamp,
  })
  .meta({ id: 'SupplyCard' });
export type SupplyCard = z.infer<typeof supplyCard>;

const coverOfClass = z.object({ group_id: id, ends_at: timestampInput });

/** A colleague by ID, or a supply teacher by name. */
export const coverBody = z.union(
  [
    coverOfClass.extend({ user_id: z.number('Choose a colleague.').pipe(id) }),
    coverOfClass.extend({ first_name: personName('first name'), last_name: personName('last name') }),
  ],
  'Choose a colleague, or enter the name of a supply teacher.',
);

export const supplyCodeBody = z.object({
  code: text('Enter the code on your card.', undefined, 40).regex(/\S/, 'Enter the code on your card.'),
});

const shared = { tag: 'Covers', permission: 'manage_classes' } as const;

export const coverCalls = defineCalls({
  listCovers: {
    ...shared,
    method: 'GET',
    path: '/enterprises/{id}/covers',
    summary: 'Who covers the classes that the caller can change, by their ends',
    params: ids('id'),
    reply: z.strictObject({ covers: z.array(cover) }),
  },

  startCover: {
    ...shared,
    method: 'POST',
    path: '/enterprises/{id}/covers',
    summary: 'Let someone teach a class until a time',
    description: `They see the class, its pupils and who has read, renew logins, correct names and move pupils; no notes, tags, hard words or reasons. The caller must be able to change the class. A colleague who covers it already gets the new end. At most ${MAX_COVERS} people at once, for at most ${MAX_COVER_DAYS} days. A supply teacher has no account: print a card with a code for them.`,
    ownerOnly: true,
    example: {
      body: { group_id: EXAMPLE.class, first_name: 'Priya', last_name: 'Shah', ends_at: EXAMPLE.coverEnd },
    },
    params: ids('id'),
    body: coverBody,
    reply: z.strictObject({ cover }),
    errors: ['class_not_found', 'class_not_managed', 'teacher_not_found', 'covers_class_already', 'covers_full'],
  },

  endCover: {
    ...shared,
    method: 'DELETE',
    path: '/enterprises/{id}/covers/{coverId}',
    summary: 'End a cover now',
    description: 'A supply teacher is logged out.',
    whileClosed: true,
    params: ids('id', 'coverId'),
    errors: ['cover_not_found', 'class_not_managed'],
  },

  makeSupplyCard: {
    ...shared,
    method: 'POST',
    path: '/enterprises/{id}/covers/{coverId}/card',
    summary: 'Make a card with a code for a supply teacher',
    description:
      'The code works once, on one device, on the day on which it is made. It replaces the one before, and logs out the device that has used that. When someone else enters it, the cover ends and the teachers of the class get an email.',
    ownerOnly: true,
    params: ids('id', 'coverId'),
    reply: z.strictObject({ card: supplyCard }),
    errors: ['cover_not_found', 'class_not_managed', 'cover_of_colleague'],
    rateLimits: [{ by: 'user', tries: 60, seconds: 3600, countsSuccesses: true }],
  },

  logInWithCode: {
    method: 'POST',
    path: '/auth/code',
    tag: 'Access',
    summary: 'Log in with the code on a supply teacher’s card',
    description:
      'The session ends with the day or the cover, whichever is earlier. Upper and lower case, spaces and hyphens make no difference.',
    permission: 'open',
    example: { body: { code: EXAMPLE.supplyCode } },
    body: supplyCodeBody,
    reply: signedIn,
    errors: ['supply_code_failed', 'supply_code_used'],
    rateLimits: [{ by: 'address', tries: 30, seconds: 300, countsFailuresOnly: true }],
  },
});
