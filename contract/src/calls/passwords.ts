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
    summary: 'Mail a link that sets a new password',
    description:
      'The link works once, for 60 minutes. With the setting `HIDE_ACCOUNTS=on` an unknown address gets the same answer as a known one.',
    permission: 'open',
    example: { body: { email: EXAMPLE.teacherEmail } },
    body: forgottenBody,
    errors: ['user_not_found'],
    rateLimits: [
      { by: 'account', field: 'email', tries: 5, seconds: 3600, countsSuccesses: true },
      { by: 'address', tries: 60, seconds: 3600 },
    ],
  },

  verifyPasswordReset: {
    method: 'POST',
    path: '/users/password/verify',
    tag: 'Access',
    summary: 'Whether a link to a new password still works',
    description: 'Uses nothing up.',
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
    description: 'Uses the link up and ends all sessions of the person.',
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
    description: 'The token of `/setup/{token}` works once, for 7 days, and is no session itself.',
    permission: 'open',
    example: { body: { token: EXAMPLE.token } },
    body: verifyBody,
    reply: signedIn,
    errors: ['set_up_link_expired'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },
});
