import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { flag, id, idInPath, ids, text, timestamp } from '../fields.ts';
import { ROLES } from '../permissions.ts';

/** A provider's ID in the settings: `microsoft`, `google` or the operator's own. */
export const providerId = text('Name the provider.', 'This provider is unknown.', 40).regex(
  /^[a-z][a-z\d-]{0,30}$/,
  'This provider is unknown.',
);

/** What a sign-in through a provider ended with, as `?sign-in=` on the page that it leads to. */
export const SIGN_IN_OUTCOMES = [
  'linked',
  'failed',
  'unavailable',
  'unknown',
  'not-allowed',
  'taken',
  'other-linked',
  'email-taken',
  'proof-required',
  'limited',
] as const;
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];

/** The user's own account at a provider. */
const linkedAccount = z
  .strictObject({
    id,
    provider: providerId,
    /** The provider's name, as on the login screen. */
    name: z.string(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    /** The person can sign in to their current school with it. */
    is_allowed: z.boolean(),
  })
  .meta({ id: 'LinkedAccount' });
export type LinkedAccount = z.infer<typeof linkedAccount>;

/** A provider, and whether the school's staff sign in through it. */
const signInConnection = z
  .strictObject({
    provider: providerId,
    name: z.string(),
    connection: z
      .strictObject({
        /** The school's tenant (Microsoft) or domain (Google); null for a provider with one organisation. */
        tenant: z.string().nullable(),
        /** The provider's second factor counts, so the portal asks for no other. */
        counts_second_factor: z.boolean(),
        created_at: timestamp,
      })
      .nullable(),
    /** The caller's own linked account, which connecting takes the tenant from; null without one. */
    own_account: z.strictObject({ tenant: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'SignInConnection' });
export type SignInConnection = z.infer<typeof signInConnection>;

/** How the staff of a school sign in. */
const schoolSignIn = z
  .strictObject({
    connections: z.array(signInConnection),
    /** Only an admin can log in with a password or passkey. */
    provider_only: z.boolean(),
    /** The staff, admins left out, who have not linked an account that the school allows, by last name. */
    not_linked: z.array(z.strictObject({ id, first_name: z.string(), last_name: z.string(), role: z.enum(ROLES) })),
  })
  .meta({ id: 'SchoolSignIn' });
export type SchoolSignIn = z.infer<typeof schoolSignIn>;

const linkUrl = z.strictObject({
  /** Where the user's browser goes to sign in at the provider. Works for five minutes, in this browser. */
  url: z.string(),
});

const connectionParams = z.strictObject({ id: idInPath, provider: providerId });
export const connectionBody = z.object({ counts_second_factor: flag.default(false) });
export const providerOnlyBody = z.object({ provider_only: flag });

export const signInProviderCalls = defineCalls({
  listLinkedAccounts: {
    method: 'GET',
    path: '/users/me/linked-accounts',
    tag: 'Access',
    summary: 'Your accounts at sign-in providers',
    description:
      '`providers` are those that you can link now: your school’s, and for an admin also those that the school does not use yet.',
    permission: 'user',
    ownerOnly: true,
    setUp: 'account',
    reply: z.strictObject({
      has_password: z.boolean(),
      accounts: z.array(linkedAccount),
      providers: z.array(z.strictObject({ id: providerId, name: z.string() })),
    }),
  },

  linkAccount: {
    method: 'POST',
    path: '/users/me/linked-accounts',
    tag: 'Access',
    summary: 'Begin to link your account at a provider',
    description:
      'Accounts are linked by the provider’s own identifier, never by an email address. Open the URL in the browser that is logged in.',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    needsProof: true,
    needsConfirmedEmail: true,
    example: { body: { provider: 'microsoft' } },
    body: z.object({ provider: providerId }),
    reply: linkUrl,
    errors: ['not_found', 'provider_not_connected'],
    rateLimits: [{ by: 'user', tries: 20, seconds: 3600, countsSuccesses: true }],
  },

  setUpWithProvider: {
    method: 'POST',
    path: '/users/me/linked-accounts/set-up',
    tag: 'Access',
    summary: 'Begin to link your account at a provider instead of choosing a first password',
    description:
      'For a user with `require_password_reset` and without a second factor. The account then has no password.',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    example: { body: { provider: 'microsoft' } },
    body: z.object({ provider: providerId }),
    reply: linkUrl,
    errors: ['not_found', 'provider_not_connected', 'set_up_needs_login'],
    rateLimits: [{ by: 'user', tries: 20, seconds: 3600, countsSuccesses: true }],
  },

  unlinkAccount: {
    method: 'DELETE',
    path: '/users/me/linked-accounts/{linkedAccountId}',
    tag: 'Access',
    summary: 'Unlink your account at a provider',
    description:
      'Other sessions that began with the account end. The last way to log in of an account without a password stays.',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    needsProof: true,
    params: z.object({ linkedAccountId: idInPath }),
    errors: ['last_login_method'],
  },

  listSignInConnections: {
    method: 'GET',
    path: '/enterprises/{id}/sign-in-connections',
    tag: 'School',
    summary: 'The providers through which the school’s staff sign in',
    permission: 'edit_school',
    area: 'records',
    params: z.strictObject({ id: idInPath }),
    reply: schoolSignIn,
  },

  setProviderOnly: {
    method: 'POST',
    path: '/enterprises/{id}/provider-only',
    tag: 'School',
    summary: 'Let staff sign in through the school’s providers only, or in other ways again',
    description:
      'Passwords and passkeys of the staff then open nothing of this school, also in sessions that have begun. They link an account first, if they have not. Admins can still log in with a password, so that the school is not locked out when a provider fails. The caller has linked an account that the school allows. Off again when the school removes its last provider.',
    permission: 'edit_school',
    area: 'records',
    ownerOnly: true,
    needsProof: true,
    params: ids('id'),
    example: { body: { provider_only: false } },
    body: providerOnlyBody,
    reply: schoolSignIn,
    errors: ['provider_not_connected', 'account_not_linked'],
    rateLimits: [{ by: 'user', tries: 60, seconds: 3600, countsSuccesses: true }],
  },

  saveSignInConnection: {
    method: 'POST',
    path: '/enterprises/{id}/sign-in-connections/{provider}',
    tag: 'School',
    summary: 'Let the school’s staff sign in through a provider',
    description:
      'The tenant or domain is that of the caller’s own linked account. With `counts_second_factor` the school declares that the provider always asks for a second factor. For a provider that the school uses already, only this changes.',
    permission: 'edit_school',
    area: 'records',
    ownerOnly: true,
    needsProof: true,
    params: connectionParams,
    example: { body: { counts_second_factor: false } },
    body: connectionBody,
    reply: z.strictObject({ connection: signInConnection }),
    errors: ['account_not_linked'],
    rateLimits: [{ by: 'user', tries: 60, seconds: 3600, countsSuccesses: true }],
  },

  removeSignInConnection: {
    method: 'DELETE',
    path: '/enterprises/{id}/sign-in-connections/{provider}',
    tag: 'School',
    summary: 'No longer let the school’s staff sign in through a provider',
    description:
      'Sessions that began at the provider end. Staff without a password choose one with the link for forgotten passwords. With its last provider, `provider_only` ends too.',
    permission: 'edit_school',
    area: 'records',
    ownerOnly: true,
    needsProof: true,
    params: connectionParams,
  },
});
