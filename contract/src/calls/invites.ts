import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { flag, id, idInPath, text, timestamp } from '../fields.ts';
import { UPLOAD_BYTES } from '../limits.ts';
import { mailDelivery } from '../mail-delivery.ts';
import { ASSIGNABLE_ROLES } from '../permissions.ts';
import { FILE_ERRORS, pastedText } from './pupil-import.ts';

/** The maximum number of invites in one request. */
export const MAX_INVITES = 200;

const inviteId = z.uuid().toLowerCase();
const inviteParams = z.strictObject({ id: idInPath, inviteId });
const linkParams = z.strictObject({ inviteId });

const status = z.enum(['pending', 'accepted', 'expired', 'declined']);

/** An invite as the school's admins see it. Its ID is not the one in the link and gives no access. */
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
    /** The person's role, and the classes that they will teach or help in. */
    role: z.enum(ASSIGNABLE_ROLES),
    groups: z.array(z.strictObject({ id, name: z.string() })),
    inviter: z.strictObject({ id, first_name: z.string(), last_name: z.string() }).nullable(),
    /** Of its latest mail; null 90 days after it. */
    delivery: mailDelivery.nullable(),
  })
  .meta({ id: 'Invite' });
export type Invite = z.infer<typeof invite>;

/** An invite as its recipient sees it. `id` is the one in the link. */
const openedInvite = z
  .strictObject({
    id: z.uuid(),
    status,
    email: z.string(),
    name: z.string(),
    created_at: timestamp,
    expires_at: timestamp,
    enterprise: z.strictObject({ name: z.string() }),
    /** The role in which the person will join. */
    role: z.enum(ASSIGNABLE_ROLES),
    /** The providers through which the school's staff sign in. */
    sign_in_providers: z.array(z.string()),
  })
  .meta({ id: 'OpenedInvite' });
export type OpenedInvite = z.infer<typeof openedInvite>;

/** The text of a cell. The import validates addresses row by row. */
const cell = (label: string) =>
  z.union(
    [
      text(`Each ${label} must be text.`, `Each ${label} has at most 254 characters.`)
        .trim()
        .max(254, `Each ${label} has at most 254 characters.`),
      z.null().transform(() => ''),
    ],
    `Each ${label} must be text.`,
  );

const role = z.enum(ASSIGNABLE_ROLES, 'Choose a role from the list.');

export const invitesBody = z.object({
  email: z
    .array(cell('email'), 'Send a list of emails.')
    .max(MAX_INVITES, `Invite at most ${MAX_INVITES} people at once.`)
    .optional(),
  name: z
    .array(cell('name'), 'Send a list of names.')
    .max(MAX_INVITES, `Invite at most ${MAX_INVITES} people at once.`)
    .default([]),
  /** The role of everyone invited for whom `roles` has none; `teacher` by default. */
  role: role.default('teacher'),
  /** `roles[i]`: the role of the person with `email[i]`. */
  roles: z
    .array(role, 'Send a list of roles.')
    .max(MAX_INVITES, `Invite at most ${MAX_INVITES} people at once.`)
    .optional(),
  /** True: also return links to pass on in another way, in case the email does not arrive. */
  with_links: flag.default(false),
  /** `groups[i]`: the classes that the person with `email[i]` will teach or help in; none for a role without classes. */
  groups: z
    .array(
      z.array(id, 'Send a list of classes.').max(50, 'Choose at most 50 classes.'),
      'Send a list of classes for each email.',
    )
    .max(MAX_INVITES, `Invite at most ${MAX_INVITES} people at once.`)
    .optional(),
  /** Classes that the person will teach; only for a single invite. */
  group_ids: z.array(id, 'Send a list of classes.').max(50, 'Choose at most 50 classes.').default([]),
});

export const invited = z.strictObject({
  /** `is_held`: the mail waits until the sender has confirmed their own address. */
  sent: z.array(
    z.strictObject({
      id: z.uuid(),
      email: z.string(),
      name: z.string(),
      is_held: z.boolean(),
      /** The person works at another school too, and accepts while logged in. False with `HIDE_ACCOUNTS=on`. */
      works_elsewhere: z.boolean(),
    }),
  ),
  failed: z.array(z.strictObject({ email: z.string(), name: z.string(), error: z.string() })),
  /** With `with_links`: a second link for each invite, returned only here. Unlike the emailed one it does not confirm the address. */
  links: z.array(z.strictObject({ email: z.string(), link: z.string() })).optional(),
});
export type Invited = z.infer<typeof invited>;

/** A person in a list of staff. */
const listedPerson = z
  .strictObject({
    /** The school's own address if the person has several. */
    email: z.string(),
    other_emails: z.array(z.string()),
    name: z.string(),
    /** By the role or job in the list: `admin` for an administrator or the headteacher; `teacher` without one. */
    role: z.enum(ASSIGNABLE_ROLES),
    /** Why inviting them needs a look; null for everyone else. */
    doubt: z.string().nullable(),
  })
  .meta({ id: 'ListedPerson' });
export type ListedPerson = z.infer<typeof listedPerson>;

export const inviteCalls = defineCalls({
  previewInvites: {
    method: 'POST',
    path: '/enterprises/{id}/invites/preview',
    tag: 'Teachers',
    summary: 'Read a list of staff, without inviting anyone',
    description:
      'Takes a CSV, TSV, text, XLS, XLSX or ODS file (`teachers_file`), or text pasted from a spreadsheet (`text`). Returns the people in it, with a doubt for those whose account is not active or a pupil’s, and for those who are members or have an invitation already. Each has a `role` to suggest. To invite, send the addresses to `POST /enterprises/{id}/invites`.',
    permission: 'add_teacher',
    example: { body: { text: 'Name\tEmail\nGrace Lim\tgrace.lim@oakfield.sch.example' } },
    params: z.strictObject({ id: idInPath }),
    body: z.object({ text: pastedText.optional() }),
    upload: { field: 'teachers_file', maxBytes: UPLOAD_BYTES },
    reply: z.strictObject({ people: z.array(listedPerson) }),
    errors: FILE_ERRORS,
  },

  sendInvites: {
    method: 'POST',
    path: '/enterprises/{id}/invites',
    tag: 'Teachers',
    summary: 'Invite teachers by email',
    description:
      'Send lists (`name[i]` belongs to `email[i]`), or a list of staff as a file (`teachers_file`); rows without an email address are skipped, and people whose account is not active or a pupil’s are not invited. Invites that cannot be sent are listed in `failed` with the reason; the others are sent. Inviting anyone but teachers and teaching assistants needs a login or a proof in the last 15 minutes. `role`, `roles`, `groups` and `group_ids` (with a single email) apply as soon as the person accepts. An invite works for 14 days. If the sender has not confirmed their own address, the emails wait until they have: `is_held`.',
    permission: 'add_teacher',
    ownerOnly: true,
    example: { body: { email: ['grace.lim@oakfield.sch.example'], name: ['Grace Lim'] } },
    params: z.strictObject({ id: idInPath }),
    body: invitesBody,
    upload: { field: 'teachers_file', maxBytes: UPLOAD_BYTES },
    reply: invited,
    errors: [...FILE_ERRORS, 'class_not_found', 'proof_required'],
    rateLimits: [{ by: 'user', tries: 30, seconds: 3600, countsSuccesses: true }],
  },

  listInvites: {
    method: 'GET',
    path: '/enterprises/{id}/invites',
    tag: 'Teachers',
    summary: "The school's invites, newest first",
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
    description: 'Its link stops working.',
    permission: 'add_teacher',
    area: 'staff',
    params: inviteParams,
    errors: ['invite_not_found', 'invite_accepted', 'invite_declined', 'invite_expired'],
  },

  removeInvites: {
    method: 'POST',
    path: '/enterprises/{id}/invites/remove',
    tag: 'Teachers',
    summary: 'Delete pending invites, such as those of a wrong list',
    description:
      'Their links stop working. Invites that were accepted, declined or have expired stay, and are listed in `kept`; those that have been deleted already are ignored.',
    permission: 'add_teacher',
    area: 'staff',
    example: { body: { invites: [EXAMPLE.invite] } },
    params: z.strictObject({ id: idInPath }),
    body: z.object({
      invites: z
        .array(inviteId, 'Send a list of invites.')
        .min(1, 'Choose at least one invite.')
        .max(MAX_INVITES, `Delete at most ${MAX_INVITES} invites at once.`),
    }),
    reply: z.strictObject({
      /** The IDs of the deleted ones. */
      removed: z.array(z.uuid()),
      kept: z.array(z.strictObject({ id: z.uuid(), status })),
    }),
  },

  resendInvite: {
    method: 'POST',
    path: '/enterprises/{id}/invites/{inviteId}/resend',
    tag: 'Teachers',
    summary: 'Send a pending or expired invite again',
    description: 'With a new link, for another 14 days. The old link stops working.',
    permission: 'add_teacher',
    ownerOnly: true,
    params: inviteParams,
    reply: z.strictObject({ invite }),
    errors: ['invite_not_found', 'invite_accepted', 'invite_declined', 'invite_pending', 'proof_required'],
    rateLimits: [{ by: 'user', tries: 100, seconds: 3600, countsSuccesses: true }],
  },

  getInvite: {
    method: 'GET',
    path: '/enterprises/invites/{inviteId}',
    tag: 'Teachers',
    summary: 'An invite, for the person who has its link',
    permission: 'open',
    params: linkParams,
    reply: z.strictObject({ invite: openedInvite }),
    errors: ['invite_not_found', 'invite_replaced'],
    rateLimits: [{ by: 'address', tries: 200, seconds: 300 }],
  },

  acceptInvite: {
    method: 'POST',
    path: '/enterprises/invites/{inviteId}/accept',
    tag: 'Teachers',
    summary: 'Join the school that sent the invite',
    description:
      'Only for the account with the invited email address, which accepting confirms. A standard account becomes an enterprise account and loses its own readers, except demo readers. A person who already works at a school needs a login or a proof in the last 15 minutes, keeps that school, and switches to the new one with `POST users/me/enterprise`.',
    permission: 'user',
    ownerOnly: true,
    whileUnconfirmed: true,
    params: linkParams,
    reply: z.strictObject({ enterprise_id: id }),
    errors: [
      'invite_not_found',
      'invite_replaced',
      'invite_accepted',
      'invite_declined',
      'invite_expired',
      'invite_for_another',
      'already_on_staff',
      'too_many_schools',
      'proof_required',
    ],
  },

  declineInvite: {
    method: 'POST',
    path: '/enterprises/invites/{inviteId}/decline',
    tag: 'Teachers',
    summary: 'Decline an invite',
    description: 'Anyone with the link can decline; no account is needed.',
    permission: 'open',
    params: linkParams,
    errors: ['invite_not_found', 'invite_replaced', 'invite_accepted', 'invite_declined', 'invite_expired'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },
});
