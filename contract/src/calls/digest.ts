import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { linkToken } from '../fields.ts';

export const digestCalls = defineCalls({
  unsubscribeFromDigest: {
    method: 'POST',
    path: '/digest/unsubscribe',
    tag: 'Reading',
    summary: 'Stop the weekly digest with the link of one',
    description:
      'For the person to whom the digest with this token was sent; no session is needed. Stopping what is stopped already is no error. A token works for a year.',
    permission: 'open',
    example: { body: { token: EXAMPLE.token } },
    body: z.object({ token: linkToken }),
    errors: ['digest_link_unknown'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },
});
