import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { linkToken, text, timestamp } from '../fields.ts';

const sessionId = text('This is not a valid ID.', 'This is not a valid ID.').regex(/^[0-9a-f]{64}$/);

const session = z
  .strictObject({
    id: z.string(),
    /** Such as `Chrome`; null when it was not recognised. */
    browser: z.string().nullable(),
    /** Such as `Windows`; null when it was not recognised. */
    system: z.string().nullable(),
    created_at: timestamp,
    /** Up to an hour before the last use. */
    last_used_at: timestamp,
    /** Used within the last hour. */
    is_recent: z.boolean(),
    /** The session of this request. */
    is_current: z.boolean(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof session>;

export const sessionCalls = defineCalls({
  listSessions: {
    method: 'GET',
    path: '/users/me/sessions',
    tag: 'Access',
    summary: 'Where you are logged in',
    description:
      'The 100 sessions used most recently. `last_used_at` is recorded once an hour. Sessions of support are not listed.',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    reply: z.strictObject({ sessions: z.array(session) }),
  },

  endSession: {
    method: 'DELETE',
    path: '/users/me/sessions/{loginSessionId}',
    tag: 'Access',
    summary: 'Log out one device',
    description: 'Ends one of your own sessions. The next login from its device is announced by email.',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    params: z.object({ loginSessionId: sessionId }),
    errors: ['session_not_found'],
  },

  endOtherSessions: {
    method: 'DELETE',
    path: '/users/me/sessions',
    tag: 'Access',
    summary: 'Log out all other devices',
    description: 'Ends all your sessions except the one of this request.',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
  },

  endSessionByLink: {
    method: 'POST',
    path: '/users/sessions/end',
    tag: 'Access',
    summary: 'Log out a new device with a link',
    description: 'The link of the email about a login from a new device. It works once, for 7 days.',
    permission: 'open',
    example: { body: { token: EXAMPLE.token } },
    body: z.object({ token: linkToken }),
    errors: ['session_link_expired'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },
});
