import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { ROLES } from '../permissions.ts';
import { EXAMPLE } from '../examples.ts';
import { email, existingPassword, flag, id, linkToken, newPassword, personName, timestamp } from '../fields.ts';

/** A reader of a person's own account, outside any school. */
const ownReader = z.strictObject({ id, name: z.string(), type: z.string() }).meta({ id: 'OwnReader' });

const specifiedRole = z.enum(['admin', 'teacher']);
const role = z.enum(ROLES);

/** A school on whose staff the person is. */
const membership = z
  .strictObject({ enterprise: z.strictObject({ id, name: z.string() }), enterprise_user_role: specifiedRole, role })
  .meta({ id: 'Membership' });
export type Membership = z.infer<typeof membership>;

/** The signed-in person. */
export const user = z
  .strictObject({
    id,
    first_name: z.string(),
    last_name: z.string(),
    full_name: z.string(),
    /** Empty for a supply teacher, who has no address. */
    email: z.string(),
    user_type: z.enum(['enterprise', 'standard']),
    enterprise_id: id.nullable(),
    enterprise: z.strictObject({ id, name: z.string(), terms_accepted_at: timestamp.nullable() }).nullable(),
    /** `teacher` for every role but admin. */
    enterprise_user_role: specifiedRole.nullable(),
    role: role.nullable(),
    /** Every school of the person, by name. The session is in one of them, `enterprise`. */
    memberships: z.array(membership),
    /** The classes that the person covers in `enterprise`, by their ends. */
    covers: z.array(z.strictObject({ group_id: id, ends_at: timestamp })),
    require_password_reset: z.boolean(),
    /** The deadline for confirming the address; null once it is confirmed. */
    email_confirmation_due_at: timestamp.nullable(),
    /** The deadline has passed: the person can open only their own account. */
    require_email_confirmation: z.boolean(),
    /** The school logs in through its providers only, and the session began in another way: nothing of the school is open. */
    require_provider: z.boolean(),
    /** A new address that takes effect after it is confirmed. */
    pending_email: z.string().nullable(),
    /** When the confirmed new address takes effect; null while it is not confirmed. */
    pending_email_due_at: timestamp.nullable(),
    weekly_school_digest_optin_at: timestamp.nullable(),
    readers: z.array(ownReader),
    /** The operator behind an impersonation session; null in ordinary sessions. */
    impersonated_by: z.strictObject({ id, full_name: z.string() }).nullable(),
    /** True for the company's own staff, who may open `/admin`. */
    is_operator: z.boolean(),
    /** In the last 14 days before the person needs a second factor, and has none: the first day without a login. */
    second_factor_due_on: z.iso.date().nullable(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof user>;

/** The reply of every way to sign in. */
export const signedIn = z.strictObject({ user, meta: z.strictObject({ token: z.string() }) });

export const loginBody = z.object({ email, password: existingPassword });

export const registrationBody = z.object({
  first_name: personName('first name'),
  last_name: personName('last name'),
  email,
  password: newPassword,
  user_type: z.enum(['enterprise', 'standard'], "The user_type is 'enterprise' or 'standard'.").default('enterprise'),
});

/** An empty password counts as absent, because forms send empty fields. */
const passwordOrNone = <T extends z.ZodType<string>>(password: T) =>
  z.union([z.literal('').transform(() => undefined), password]).optional();

export const updateMeBody = z.object({
  first_name: personName('first name').optional(),
  last_name: personName('last name').optional(),
  email: email.optional(),
  weekly_school_digest_optin: flag.optional(),
  password: passwordOrNone(newPassword),
  current_password: passwordOrNone(existingPassword),
});

export const accessCalls = defineCalls({
  logIn: {
    method: 'POST',
    path: '/auth',
    tag: 'Access',
    summary: 'Log in',
    description:
      'Returns the user and a session token. Send the token as `Authorization: Bearer TOKEN` with every other call. In a browser the new session replaces the one that it had. For an account with a second factor: 401 with the code `second_factor_required` and a token for `POST auth/factor`. For an account that must have one and has none: 401 with the code `enrolment_required` and a token for `POST auth/enrolment/…`.',
    permission: 'open',
    example: { body: { email: EXAMPLE.teacherEmail, password: EXAMPLE.password } },
    body: loginBody,
    reply: signedIn,
    errors: ['login_failed', 'second_factor_required', 'enrolment_required'],
    rateLimits: [
      { by: 'account', field: 'email', tries: 10, seconds: 300, countsKnownApart: true },
      { by: 'address', tries: 100, seconds: 300, countsKnownApart: true },
    ],
  },

  logOut: {
    method: 'DELETE',
    path: '/auth',
    tag: 'Access',
    summary: 'Log out',
    description: 'Ends the session of the given token. The person’s other sessions continue.',
    permission: 'user',
    setUp: 'account',
    withoutAddress: true,
  },

  getMe: {
    method: 'GET',
    path: '/users/me',
    tag: 'Access',
    summary: 'The signed-in person',
    permission: 'user',
    setUp: 'account',
    withoutAddress: true,
    reply: z.strictObject({ user }),
  },

  register: {
    method: 'POST',
    path: '/users',
    tag: 'Access',
    summary: 'Register an account',
    description:
      'Returns a session at once, and emails a link that confirms the address. The most common passwords are rejected. With the setting `HIDE_ACCOUNTS=on`, an address that already has an account gets the same reply as a new one, and its owner gets an email.',
    permission: 'open',
    example: {
      body: {
        first_name: 'Grace',
        last_name: 'Lim',
        email: 'grace.lim@oakfield.sch.example',
        password: 'seven-paper-boats',
      },
    },
    rejected: {
      body: { first_name: 'Grace', last_name: 'Lim', email: 'grace.lim@oakfield.sch.example', password: 'password' },
      errors: { password: ['This is one of the most common passwords. Choose another.'] },
    },
    body: registrationBody,
    reply: signedIn,
    errors: ['duplicate_email'],
    rateLimits: [{ by: 'address', tries: 60, seconds: 3600 }],
  },

  updateMe: {
    method: 'POST',
    path: '/users/me',
    tag: 'Access',
    summary: 'Change your own details',
    description:
      'Every field is optional. A new email or password needs `current_password`, except for a person with `require_password_reset`, who sends only `password`. For a person with a second factor, also a login or a proof in the last 15 minutes. A new email ends the person’s other sessions; a new password ends all of them, including the current one, and a change of email that is waiting. A new email is confirmed by the link sent to it, and until it takes effect it is in `pending_email`: for a member of a school 24 hours after the confirmation, or at once when the old address agrees by the link sent to it. The previous address is notified of a new password or email.',
    permission: 'user',
    ownerOnly: true,
    setUp: 'account',
    example: { body: { first_name: 'Ada', weekly_school_digest_optin: true } },
    rejected: {
      body: { email: 'ada.lim@oakfield.sch.example' },
      errors: { current_password: ['Enter your current password to change your email or password.'] },
    },
    body: updateMeBody,
    reply: z.strictObject({ user }),
    errors: ['duplicate_email', 'proof_required'],
    rateLimits: [{ by: 'user', tries: 10, seconds: 300 }],
  },

  confirmEmail: {
    method: 'POST',
    path: '/users/email/confirm',
    tag: 'Access',
    summary: 'Confirm an email address with a link',
    description:
      'The link works once, for 7 days, for the address it was sent to. It ends all sessions of the account except the one that sends this call. `email_changes_at` is set for a new address that takes effect later.',
    permission: 'open',
    example: { body: { token: EXAMPLE.token } },
    body: z.object({ token: linkToken }),
    reply: z.strictObject({ email_changes_at: timestamp.nullable() }),
    errors: ['confirmation_link_expired', 'duplicate_email'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },

  verifyEmailChange: {
    method: 'POST',
    path: '/users/email-change/verify',
    tag: 'Access',
    summary: 'Show the change of address that a link in an email is about',
    description: 'The link stays valid. `due_at` is null until the new address is confirmed.',
    permission: 'open',
    example: { body: { token: EXAMPLE.token } },
    body: z.object({ token: linkToken }),
    reply: z.strictObject({ email: z.string(), due_at: timestamp.nullable() }),
    errors: ['email_change_link_expired'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },

  stopEmailChange: {
    method: 'POST',
    path: '/users/email-change/stop',
    tag: 'Access',
    summary: 'Stop a change of address with a link',
    description:
      'The link went to the old address. It works once, and ends all sessions of the account except the one that sends this call.',
    permission: 'open',
    example: { body: { token: EXAMPLE.token } },
    body: z.object({ token: linkToken }),
    errors: ['email_change_link_expired'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },

  agreeToEmailChange: {
    method: 'POST',
    path: '/users/email-change/agree',
    tag: 'Access',
    summary: 'Agree to a change of address with a link',
    description:
      'The link went to the old address. It works once. The new address takes effect at once, or as soon as it is confirmed: see `is_done`.',
    permission: 'open',
    example: { body: { token: EXAMPLE.token } },
    body: z.object({ token: linkToken }),
    reply: z.strictObject({ is_done: z.boolean() }),
    errors: ['email_change_link_expired', 'duplicate_email'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },

  resendConfirmation: {
    method: 'POST',
    path: '/users/me/confirmation',
    tag: 'Access',
    summary: 'Email the confirmation link again',
    description: 'To the new address, if one is waiting to be confirmed.',
    permission: 'user',
    ownerOnly: true,
    setUp: 'account',
    errors: ['nothing_to_confirm'],
    rateLimits: [{ by: 'user', tries: 5, seconds: 3600, countsSuccesses: true }],
  },

  cancelEmailChange: {
    method: 'DELETE',
    path: '/users/me/pending-email',
    tag: 'Access',
    summary: 'Keep the current email address',
    permission: 'user',
    ownerOnly: true,
    setUp: 'account',
    reply: z.strictObject({ user }),
  },
});
