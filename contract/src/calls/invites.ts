import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { flag, id, idInPath, text, timestamp } from '../fields.ts';
import { UPLOAD_BYTES } from '../limits.ts';
import { FILE_ERRORS } from './pupil-import.ts';

/** Invites that one request may send. */
export const MOST_INVITES = 200;

const inviteId = z.uuid().toLowerCase();
const inviteParams = z.strictObject({ id: idInPath, inviteId });
const linkParams = z.strictObject({ inviteId });

const status = z.enum(['pending', 'accepted', 'expired', 'declined']);

/** An invite as the admins of the school see it. Its id opens nothing: the link has another. */
export const invite = z
  .strictObject({
    id: z.uuid(),
    status,
    email: z.string(),
    name: z.string(),
    created_at: timestamp,
    expires_at: timestamp,
    /** The mail waits until the inviter has confirmed their own address. */
    is_held: z.boolean(),
    /** What the person will be, and the classes of the school of which they will be a teacher. */
    role: z.enum(['admin', 'teacher']),
    groups: z.array(z.strictObject({ id, name: z.string() })),
    inviter: z.strictObject({ id, first_name: z.string(), last_name: z.string() }).nullable(),
  })
  .meta({ id: 'Invite' });
export type Invite = z.infer<typeof invite>;

/** An invite as whoever holds its link sees it, under the id of the link. */
const openedInvite = z
  .strictObject({
    id: z.uuid(),
    status,
    email: z.string(),
    name: z.string(),
    created_at: timestamp,
    expires_at: timestamp,
    enterprise: z.strictObject({ name: z.string() }),
  })
  .meta({ id: 'OpenedInvite' });
export type OpenedInvite = z.infer<typeof openedInvite>;

/** A text that stands in a row; which of them are addresses is judged row by row. */
const cell = (label: string) =>
  z.union(
    [
      text(`Each ${label} has to be a text.`, `Each ${label} has at most 254 characters.`)
        .trim()
        .max(254, `Each ${label} has at most 254 characters.`),
      z.null().transform(() => ''),
    ],
    `Each ${label} has to be a text.`,
  );

export const invitesBody = z.object({
  email: z
    .array(cell('email'), 'Send a list of emails.')
    .max(MOST_INVITES, `Invite at most ${MOST_INVITES} people at once.`)
    .optional(),
  name: z
    .array(cell('name'), 'Send a list of names.')
    .max(MOST_INVITES, `Invite at most ${MOST_INVITES} people at once.`)
    .default([]),
  /** What all of them will be; `teacher` when absent. */
  role: z.enum(['admin', 'teacher'], 'The role is admin or teacher.').default('teacher'),
  /** Classes that they will have. With classes one person is invited at a time. */
  /** True answers links to hand over otherwise, in case the mail does not arrive. */
  with_links: flag.default(false),
  group_ids: z.array(id, 'Send a list of classes.').max(50, 'Choose at most 50 classes.').default([]),
});

export const invited = z.strictObject({
  sent: z.array(z.strictObject({ email: z.string(), name: z.string() })),
  failed: z.array(z.strictObject({ email: z.string(), name: z.string(), error: z.string() })),
  /** With `with_links`: a second link of each invite sent, told this once. It does not prove the address, as the mailed one does. */
  links: z.array(z.strictObject({ email: z.string(), link: z.string() })).optional(),
});
export type Invited = z.infer<typeof invited>;

export const inviteCalls = defineCalls({
  sendInvites: {
    method: 'POST',
    path: '/enterprises/{id}/invites',
    tag: 'Teachers',
    summary: 'Invite teachers by mail',
    description:
      'Send lists, `name[i]` for `email[i]`, or a csv, xls or xlsx as `teachers_file`; rows without an email are left out. Rows that cannot be sent are answered in `failed` with the reason, the others are sent. With `role` and `group_ids` (one email then) the person is an admin, or has these classes, from the first day. An invite works for 14 days. The mails of somebody whose own address is not confirmed wait until it is: `is_held`.',
    permission: 'add_teacher',
    ownerOnly: true,
    example: { body: { email: ['grace.lim@oakfield.sch.example'], name: ['Grace Lim'] } },
    params: z.strictObject({ id: idInPath }),
    body: invitesBody,
    upload: { field: 'teachers_file', maxBytes: UPLOAD_BYTES },
    reply: invited,
    errors: [...FILE_ERRORS, 'class_not_found'],
    rateLimits: [{ by: 'user', tries: 30, seconds: 3600, countsSuccesses: true }],
  },

  listInvites: {
    method: 'GET',
    path: '/enterprises/{id}/invites',
    tag: 'Teachers',
    summary: 'The invites of the school, the newest first',
    permission: 'add_teacher',
    area: 'staff',
    params: z.strictObject({ id: idInPath }),
    reply: z.strictObject({ invites: z.array(invite) }),
  },

  removeInvite: {
    method: 'DELETE',
    path: '/enterprises/{id}/invites/{inviteId}',
    tag: 'Teachers',
    summary: 'Delete a pending invite',
    description: 'Its link is useless afterwards.',
    permission: 'add_teacher',
    area: 'staff',
    params: inviteParams,
    errors: ['invite_not_found', 'invite_accepted', 'invite_declined', 'invite_expired'],
  },

  resendInvite: {
    method: 'POST',
    path: '/enterprises/{id}/invites/{inviteId}/resend',
    tag: 'Teachers',
    summary: 'Send a pending or expired invite again',
    description: 'With a new link, for another 14 days; the old link is useless afterwards.',
    permission: 'add_teacher',
    ownerOnly: true,
    params: inviteParams,
    reply: z.strictObject({ invite }),
    errors: ['invite_not_found', 'invite_accepted', 'invite_declined', 'invite_pending'],
    rateLimits: [{ by: 'user', tries: 100, seconds: 3600, countsSuccesses: true }],
  },

  getInvite: {
    method: 'GET',
    path: '/enterprises/invites/{inviteId}',
    tag: 'Teachers',
    summary: 'An invite, for whoever holds its link',
    permission: 'open',
    params: linkParams,
    reply: z.strictObject({ invite: openedInvite }),
    errors: ['invite_not_found'],
    rateLimits: [{ by: 'address', tries: 200, seconds: 300 }],
  },

  acceptInvite: {
    method: 'POST',
    path: '/enterprises/invites/{inviteId}/accept',
    tag: 'Teachers',
    summary: 'Join the school that sent the invite',
    description:
      'Only for the account whose email was invited, which is confirmed by it. A standard account becomes an enterprise one and loses its own readers, demo readers excepted.',
    permission: 'user',
    confirmsEmail: true,
    params: linkParams,
    errors: [
      'invite_not_found',
      'invite_accepted',
      'invite_declined',
      'invite_expired',
      'invite_for_another',
      'already_in_school',
    ],
  },

  declineInvite: {
    method: 'POST',
    path: '/enterprises/invites/{inviteId}/decline',
    tag: 'Teachers',
    summary: 'Decline an invite',
    description: 'Whoever holds the link may decline; no account is needed.',
    permission: 'open',
    params: linkParams,
    errors: ['invite_not_found', 'invite_accepted', 'invite_declined', 'invite_expired'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },
});
