import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id } from '../fields.ts';
import { user } from './access.ts';

export const membershipCalls = defineCalls({
  switchSchool: {
    method: 'POST',
    path: '/users/me/enterprise',
    tag: 'Access',
    summary: 'Switch to another of your schools',
    description:
      'The session, in every tab and program that uses it, continues in this school, which is one of the person’s `memberships`. Calls that still name the other school with the header `Portal-School` are answered 409.',
    permission: 'user',
    ownerOnly: true,
    setUp: 'account',
    example: { body: { enterprise_id: EXAMPLE.school } },
    body: z.object({ enterprise_id: id }),
    reply: z.strictObject({ user }),
    errors: ['school_not_yours', 'second_factor_needed', 'provider_not_allowed'],
    rateLimits: [{ by: 'user', tries: 100, seconds: 3600, countsSuccesses: true }],
  },
});
