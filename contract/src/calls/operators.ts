import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, idInPath, linkToken, timestamp, pagedMeta, paging, requiredLine, text } from '../fields.ts';
import { ASSIGNABLE_ROLES } from '../permissions.ts';
import { signedIn } from './access.ts';
import { subscription } from './billing.ts';

const foundSchool = z
  .strictObject({
    id,
    name: z.string(),
    urn: z.string().nullable(),
    created_at: timestamp,
    staff_count: z.number().int(),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'FoundSchool' });
export type FoundSchool = z.infer<typeof foundSchool>;

const schoolState = z
  .strictObject({
    id,
    name: z.string(),
    urn: z.string().nullable(),
    created_at: timestamp,
    terms_accepted_at: timestamp.nullable(),
    /** Switched on by an operator. With `NEW_STATISTICS=all` every school has them anyway. */
    new_statistics: z.boolean(),
    /** Until when support may see data about children; null without an admin's permission. */
    support_allowed_until: timestamp.nullable(),
    subscription: subscription.nullable(),
    staff: z.array(
      z.strictObject({
        id,
        first_name: z.string(),
        last_name: z.string(),
        email: z.string(),
        enterprise_user_role: z.enum(['admin', 'teacher']),
        role: z.enum(ASSIGNABLE_ROLES),
        is_operator: z.boolean(),
      }),
    ),
    counts: z.strictObject({ classes: z.number().int(), pupils: z.number().int(), pending_invites: z.number().int() }),
  })
  .meta({ id: 'SchoolState' });
export type SchoolState = z.infer<typeof schoolState>;

export const impersonationBody = z.object({
  user_id: id,
  /** The school, for a person who belongs to several; the one that they used last when absent. */
  enterprise_id: id.optional(),
  reason: requiredLine('reason', 500).refine((reason) => reason.length >= 5, 'Give a reason in a few words.'),
});

export const operatorCalls = defineCalls({
  findSchools: {
    method: 'GET',
    path: '/admin/schools',
    tag: 'Operators',
    summary: "Schools by name, id, URN or a member of staff's email",
    description: 'Without `search`, the newest schools. `expires_at` is the end of the current subscription.',
    permission: 'operator',
    example: { query: { search: 'school' } },
    query: z.object({
      ...paging,
      search: text('Enter a text to search for.', 'Search for at most 254 characters.')
        .trim()
        .max(254, 'Search for at most 254 characters.')
        .default(''),
    }),
    reply: z.strictObject({ schools: z.array(foundSchool), meta: pagedMeta }),
  },

  getSchoolState: {
    method: 'GET',
    path: '/admin/schools/{schoolId}',
    tag: 'Operators',
    summary: 'The state of one school',
    permission: 'operator',
    params: z.strictObject({ schoolId: idInPath }),
    reply: z.strictObject({ school: schoolState }),
    errors: ['school_not_found'],
  },

  setSchoolFeatures: {
    method: 'POST',
    path: '/admin/schools/{schoolId}/features',
    tag: 'Operators',
    summary: 'Turn features on or off for one school',
    description: 'With `NEW_STATISTICS=all` every school has the new statistics, so this changes nothing.',
    permission: 'operator',
    example: { body: { new_statistics: true } },
    params: z.strictObject({ schoolId: idInPath }),
    body: z.object({ new_statistics: z.boolean('Send true or false.') }),
    reply: z.strictObject({ school: z.strictObject({ id, new_statistics: z.boolean() }) }),
    errors: ['school_not_found'],
  },

  mintImpersonation: {
    method: 'POST',
    path: '/admin/impersonations',
    tag: 'Operators',
    summary: 'Create a code to log in as a member of staff',
    description:
      "The operator proves again who they are. Works once, for 60 seconds. The school's audit log records the code, its use and the reason.",
    permission: 'operator',
    needsProof: true,
    example: { body: { user_id: EXAMPLE.teacher, reason: 'Requested help by phone' } },
    body: impersonationBody,
    reply: z.strictObject({ code: z.string(), expires_at: timestamp }),
    errors: ['teacher_not_found', 'cannot_impersonate'],
  },

  impersonate: {
    method: 'POST',
    path: '/auth/impersonate',
    tag: 'Operators',
    summary: 'Exchange a code for a session as a member of staff',
    description:
      'The session lasts an hour at most, and ends with the operator’s own session; `user.impersonated_by` names the operator. The school’s admins get an email. The session has only settings and billing, unless an admin of the school allows more, and cannot erase pupils, download exports, invite people or change roles.',
    permission: 'open',
    example: { body: { code: EXAMPLE.token } },
    body: z.object({ code: linkToken }),
    reply: signedIn,
    errors: ['impersonation_code_expired'],
    rateLimits: [{ by: 'address', tries: 100, seconds: 300 }],
  },
});
