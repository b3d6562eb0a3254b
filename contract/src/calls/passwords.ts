import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { email, flag, linkToken, newPassword } from '../fields.ts';
import { signedIn } from './access.ts';

export const forgottenBody = z.object({ email, isSchool: flag.optional() });

export const verifyBody = z.object({ token: linkToken });

export const resetBody = z.object({ token: linkToken, password: newPassword });

export const passwordCalls = defineCalls({
  requestPasswordReset: {
    method: 'POST',
    path: '/users/resetpassword',
    tag: 'Access',
    summary: 'Email a link to set a new password',
    description:
      'The link works once, for 60 minutes. With the setting `HIDE_ACCOUNTS=on`, unknown addresses get the same reply as known ones.',
    permission: 'open',
    example: { body: { email: EXAMPLE.teacherEmail } },
    body: forgottenBody,
    errors: ['user_not_found'],
    rateLimits: [
      { by: 'account', field: 'email', tries: 5, seconds: 3600, countsSuccesses: true, countsKnownApart: true },
      { by: 'address', tries: 60, seconds: 3600, countsKnownApart: true },
    ],
  },

  verifyPasswordReset: {
    method: 'POST',
    path: '/users/password/verify',
    tag: 'Access',
    summary: 'Check whether a password link still works',
    description: 'The link stays valid.',
    permission: 'open',
    example: { body: { token: EXAMPLE.token } },
    body: verifyBody,
    errors: ['reset_link_expired'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },

  resetPassword: {
    method: 'POST',
    path: '/users/password/update',
    tag: 'Access',
    summary: 'Set a new password with a link',
    description: 'Invalidates the link and ends all sessions of the user.',
    permission: 'open',
    example: { body: { token: EXAMPLE.token, password: 'seven-paper-boats' } },
    body: resetBody,
    errors: ['reset_link_expired'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },

  exchangeSetUpLink: {
    method: 'POST',
    path: '/users/setup/exchange',
    tag: 'Access',
    summary: 'Exchange a set-up link for a session',
    description: 'The token in `/setup/{token}` works once, for 7 days. It is not a session token.',
    permission: 'open',
    example: { body: { token: EXAMPLE.token } },
    body: verifyBody,
    reply: signedIn,
    errors: ['set_up_link_expired'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },
});
