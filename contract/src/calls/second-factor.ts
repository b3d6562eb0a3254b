import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { existingPassword, id, idInPath, linkToken, requiredLine, timestamp } from '../fields.ts';
import { RECOVERY_CODES } from '../limits.ts';
import { signedIn } from './access.ts';

/** A second factor of an account. */
export const factor = z
  .strictObject({
    id,
    kind: z.enum(['authenticator', 'passkey']),
    name: z.string(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
  })
  .meta({ id: 'SecondFactor' });
export type Factor = z.infer<typeof factor>;

/** Six digits of an authenticator app, or a recovery code. Spaces and hyphens do not count. */
const code = z
  .string('Enter the code.')
  .trim()
  .min(1, 'Enter the code.')
  .max(40, 'This code is too long. Enter six digits, or a recovery code.')
  .transform((text) => text.replace(/[\s-]/g, '').toLowerCase())
  .meta({ example: '492039' });

const authenticatorCode = code.refine((text) => /^\d{6}$/.test(text), 'Enter the six digits that the app shows.');

const factorName = requiredLine('name', 60);

/** What a browser's passkey returns, as `@simplewebauthn/browser` sends it. Bounded by `bodyLimit`. */
const passkey = z.looseObject({
  id: z.string().max(1500),
  rawId: z.string().max(1500),
  response: z.record(z.string(), z.unknown()),
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
});
const PASSKEY_BYTES = 20_000;

/** Options for the browser's WebAuthn functions. Source: W3C Web Authentication, Level 3. */
const passkeyOptions = z.looseObject({ challenge: z.string() });

const recoveryCodes = z.array(z.string()).length(RECOVERY_CODES);

/** `path` is an SVG path of the dark squares of the QR code, `size` squares wide. */
const begunAuthenticator = z.strictObject({
  secret: z.string(),
  url: z.string(),
  qr: z.strictObject({ size: z.number().int(), path: z.string() }),
});

/** A login that began with a password and added the account's first factor. */
const enrolled = signedIn.extend({ recovery_codes: recoveryCodes });

/** An account that must have a second factor and has none adds it in the middle of its login. */
const enrolment = {
  method: 'POST',
  tag: 'Access',
  permission: 'open',
  errors: ['login_attempt_expired', 'already_enrolled'],
  rateLimits: [
    { by: 'account', field: 'token', tries: 20, seconds: 300, countsSuccesses: true },
    { by: 'address', tries: 200, seconds: 300, countsKnownApart: true },
  ],
} as const;

const params = z.object({ factorId: idInPath });

export const loginFactorBody = z.object({ token: linkToken, code });
/** An empty code counts as absent, because forms send empty fields. */
const codeOrNone = z.union([z.literal('').transform(() => undefined), code]).optional();
export const proofBody = z.object({ password: existingPassword, code: codeOrNone });
export const confirmAuthenticatorBody = z.object({ code: authenticatorCode, name: factorName });
export const enrolAppBody = confirmAuthenticatorBody.extend({ token: linkToken });
export const factorNameBody = z.object({ name: factorName });

export const secondFactorCalls = defineCalls({
  logInWithFactor: {
    method: 'POST',
    path: '/auth/factor',
    tag: 'Access',
    summary: 'Finish a login with a code',
    description:
      'For an account with a second factor, `POST auth` answers 401 with the code `second_factor_required` and a token. This call takes the token with six digits of an authenticator app or a recovery code, and returns what `POST auth` returns without a second factor. The token is valid for five minutes.',
    permission: 'open',
    example: { body: { token: EXAMPLE.token, code: EXAMPLE.code } },
    body: loginFactorBody,
    reply: signedIn,
    errors: ['second_factor_failed', 'login_attempt_expired'],
    rateLimits: [
      { by: 'account', field: 'token', tries: 5, seconds: 300 },
      // The user of the token, because a new login gives another token.
      { by: 'user', tries: 10, seconds: 3600, countsKnownApart: true },
      { by: 'address', tries: 100, seconds: 300, countsKnownApart: true },
    ],
  },

  getPasskeyLoginOptions: {
    method: 'POST',
    path: '/auth/passkey-options',
    tag: 'Access',
    summary: 'Begin a login with a passkey',
    description:
      'Returns the options of `navigator.credentials.get()`. The challenge works once, for five minutes. The user’s device offers the passkeys that it has for this portal.',
    permission: 'open',
    reply: z.strictObject({ options: passkeyOptions }),
    rateLimits: [{ by: 'address', tries: 300, seconds: 300, countsSuccesses: true }],
  },

  logInWithPasskey: {
    method: 'POST',
    path: '/auth/passkey',
    tag: 'Access',
    summary: 'Log in with a passkey',
    description:
      'A passkey whose owner was verified by their device, with a fingerprint or a PIN, is a whole login without a password or a code.',
    permission: 'open',
    bodyLimit: PASSKEY_BYTES,
    example: { body: { passkey: EXAMPLE.passkey } },
    body: z.object({ passkey }),
    reply: signedIn,
    errors: ['passkey_failed'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300, countsKnownApart: true }],
  },

  beginEnrolmentApp: {
    ...enrolment,
    path: '/auth/enrolment/authenticator',
    summary: 'Begin to add an authenticator app during a login',
    description:
      'For an account that must have a second factor and has none, `POST auth` answers 401 with the code `enrolment_required` and a token, which opens only the calls of `auth/enrolment`, for 15 minutes. See `beginAuthenticator`.',
    example: { body: { token: EXAMPLE.token } },
    body: z.object({ token: linkToken }),
    reply: begunAuthenticator,
    errors: [...enrolment.errors, 'too_many_factors'],
  },

  enrolApp: {
    ...enrolment,
    path: '/auth/enrolment/authenticator/confirm',
    summary: 'Add the authenticator app and log in',
    description: 'Returns what `POST auth` returns, and the recovery codes, which are shown only now.',
    example: { body: { token: EXAMPLE.token, code: EXAMPLE.code, name: 'Phone' } },
    body: enrolAppBody,
    reply: enrolled,
    errors: [...enrolment.errors, 'second_factor_failed', 'too_many_factors'],
  },

  beginEnrolmentPasskey: {
    ...enrolment,
    path: '/auth/enrolment/passkey-options',
    summary: 'Begin to add a passkey during a login',
    example: { body: { token: EXAMPLE.token } },
    body: z.object({ token: linkToken }),
    reply: z.strictObject({ options: passkeyOptions }),
    errors: [...enrolment.errors, 'too_many_factors'],
  },

  enrolPasskey: {
    ...enrolment,
    path: '/auth/enrolment/passkey',
    summary: 'Add the passkey and log in',
    description: 'Returns what `POST auth` returns, and the recovery codes, which are shown only now.',
    bodyLimit: PASSKEY_BYTES,
    example: { body: { token: EXAMPLE.token, passkey: EXAMPLE.passkey, name: 'Laptop' } },
    body: z.object({ token: linkToken, passkey, name: factorName }),
    reply: enrolled,
    errors: [...enrolment.errors, 'passkey_failed', 'too_many_factors'],
  },

  proveIdentity: {
    method: 'POST',
    path: '/users/me/proof',
    tag: 'Access',
    summary: 'Prove again who you are',
    description:
      'Some changes need a login or a proof in the last 15 minutes; they answer 409 with the code `proof_required`. An account with an authenticator app also needs a code.',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    example: { body: { password: EXAMPLE.password } },
    body: proofBody,
    errors: ['second_factor_failed'],
    rateLimits: [{ by: 'user', tries: 10, seconds: 3600 }],
  },

  proveIdentityWithPasskey: {
    method: 'POST',
    path: '/users/me/proof/passkey',
    tag: 'Access',
    summary: 'Prove again who you are with a passkey',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    bodyLimit: PASSKEY_BYTES,
    example: { body: { passkey: EXAMPLE.passkey } },
    body: z.object({ passkey }),
    errors: ['passkey_failed'],
    rateLimits: [{ by: 'user', tries: 10, seconds: 300 }],
  },

  listFactors: {
    method: 'GET',
    path: '/users/me/factors',
    tag: 'Access',
    summary: 'Your passkeys and authenticator apps',
    permission: 'user',
    ownerOnly: true,
    setUp: 'account',
    reply: z.strictObject({
      factors: z.array(factor),
      recovery_codes_left: z.number().int(),
      /** When support removes the factors at the user's request, unless they cancel it. */
      recovery_due_at: timestamp.nullable(),
    }),
  },

  beginAuthenticator: {
    method: 'POST',
    path: '/users/me/factors/authenticator',
    tag: 'Access',
    summary: 'Begin to add an authenticator app',
    description:
      'Returns a new secret, also as a URL and as its QR code: `path` is an SVG path of dark squares, `size` squares wide. The app becomes a second factor once it is confirmed with a code. Replaces a secret that was not confirmed.',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    needsProof: true,
    needsConfirmedEmail: true,
    reply: begunAuthenticator,
    errors: ['too_many_factors'],
    rateLimits: [{ by: 'user', tries: 20, seconds: 3600, countsSuccesses: true }],
  },

  confirmAuthenticator: {
    method: 'POST',
    path: '/users/me/factors/authenticator/confirm',
    tag: 'Access',
    summary: 'Confirm an authenticator app with a code',
    description:
      'With the account’s first second factor returns its recovery codes, which are shown only now, and ends the other sessions of the user.',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    needsProof: true,
    needsConfirmedEmail: true,
    example: { body: { code: EXAMPLE.code, name: 'Phone' } },
    body: confirmAuthenticatorBody,
    reply: z.strictObject({ factor, recovery_codes: recoveryCodes.nullable() }),
    errors: ['second_factor_failed', 'too_many_factors'],
    rateLimits: [{ by: 'user', tries: 10, seconds: 300 }],
  },

  beginPasskey: {
    method: 'POST',
    path: '/users/me/factors/passkey-options',
    tag: 'Access',
    summary: 'Begin to add a passkey',
    description: 'Returns the options of `navigator.credentials.create()`. The challenge works once, for five minutes.',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    needsProof: true,
    needsConfirmedEmail: true,
    reply: z.strictObject({ options: passkeyOptions }),
    errors: ['too_many_factors'],
    rateLimits: [{ by: 'user', tries: 20, seconds: 3600, countsSuccesses: true }],
  },

  addPasskey: {
    method: 'POST',
    path: '/users/me/factors/passkeys',
    tag: 'Access',
    summary: 'Add a passkey',
    description:
      'With the account’s first second factor returns its recovery codes, which are shown only now, and ends the other sessions of the user.',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    needsProof: true,
    needsConfirmedEmail: true,
    bodyLimit: PASSKEY_BYTES,
    example: { body: { passkey: EXAMPLE.passkey, name: 'Laptop' } },
    body: z.object({ passkey, name: factorName }),
    reply: z.strictObject({ factor, recovery_codes: recoveryCodes.nullable() }),
    errors: ['passkey_failed', 'too_many_factors'],
    rateLimits: [{ by: 'user', tries: 10, seconds: 300 }],
  },

  renameFactor: {
    method: 'POST',
    path: '/users/me/factors/{factorId}',
    tag: 'Access',
    summary: 'Rename a passkey or an authenticator app',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    params,
    example: { body: { name: 'Phone' } },
    body: factorNameBody,
    reply: z.strictObject({ factor }),
  },

  removeFactor: {
    method: 'DELETE',
    path: '/users/me/factors/{factorId}',
    tag: 'Access',
    summary: 'Remove a passkey or an authenticator app',
    description:
      'With the last one, the recovery codes are deleted and the account needs only its password. An account that must have one keeps its last, and an account without a password keeps its last way to log in.',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    needsProof: true,
    params,
    errors: ['last_login_method', 'last_factor'],
  },

  renewRecoveryCodes: {
    method: 'POST',
    path: '/users/me/recovery-codes',
    tag: 'Access',
    summary: 'Get new recovery codes',
    description: 'Ten codes, each of which works once in place of a second factor. Earlier codes stop working.',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    needsProof: true,
    reply: z.strictObject({ recovery_codes: recoveryCodes }),
    errors: ['not_found'],
    rateLimits: [{ by: 'user', tries: 10, seconds: 3600, countsSuccesses: true }],
  },
});
