import { ASSIGNABLE_ROLES } from '../permissions.ts';
import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, ids } from '../fields.ts';

const day = z.iso.date('Choose a day, such as 2026-12-01.');

/** Who needs a second factor. */
const required = z.enum(['optional', 'admins', 'all'], 'Choose optional, admins or all.');

const reply = z.strictObject({
  policy: z
    .strictObject({
      required,
      /** The day from which admins cannot log in without one; null where it is optional. */
      admins_from: day.nullable(),
      teachers_from: day.nullable(),
    })
    .meta({ id: 'FactorPolicy' }),
  /** Staff without a passkey or an authenticator app. */
  without_factor: z.array(
    z.strictObject({
      id,
      first_name: z.string(),
      last_name: z.string(),
      enterprise_user_role: z.enum(['admin', 'teacher']),
      role: z.enum(ASSIGNABLE_ROLES),
    }),
  ),
});
export type FactorPolicyReply = z.infer<typeof reply>;

export const factorPolicyBody = z.object({
  required,
  /** An empty day counts as absent, because forms send empty fields. */
  from: z.union([z.literal('').transform(() => undefined), day]).optional(),
});

export const factorPolicyCalls = defineCalls({
  getFactorPolicy: {
    method: 'GET',
    path: '/enterprises/{id}/second-factor',
    tag: 'School',
    summary: 'Who needs a second factor, and who has none',
    permission: 'edit_school',
    ownerOnly: true,
    area: 'account',
    params: ids('id'),
    reply,
  },

  updateFactorPolicy: {
    method: 'POST',
    path: '/enterprises/{id}/second-factor',
    tag: 'School',
    summary: 'Choose who needs a second factor',
    description:
      'No one, admins, or all staff, from a day at least 14 days ahead, until when they see it on every page. From that day, someone without a second factor adds one at their next login, and their sessions end. The day is ignored for those who need one already.',
    permission: 'edit_school',
    area: 'account',
    ownerOnly: true,
    needsProof: true,
    example: { body: { required: 'all', from: '2026-12-14' } },
    params: ids('id'),
    body: factorPolicyBody,
    reply,
  },
});
