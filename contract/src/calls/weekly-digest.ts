import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { linkToken } from '../fields.ts';

export const digestCalls = defineCalls({
  unsubscribeFromDigest: {
    method: 'POST',
    path: '/digest/unsubscribe',
    tag: 'Reading',
    summary: 'Unsubscribe from the weekly digest with its link',
    description:
      'For the recipient of the digest with this token; no session is needed. Unsubscribing twice is not an error. A token works for a year.',
    permission: 'open',
    example: { body: { token: EXAMPLE.token } },
    body: z.object({ token: linkToken }),
    errors: ['digest_link_unknown'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },
});
