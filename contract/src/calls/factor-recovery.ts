import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, idInPath, ids, timestamp } from '../fields.ts';

/** How someone checked that the person who has lost their second factor is its owner. */
export const IDENTITY_CHECKS = ['in_person', 'video_call', 'phone_call'] as const;
const identityCheck = z.enum(IDENTITY_CHECKS, 'Say how you checked who they are.');

export const resetFactorsBody = z.object({ identity_check: identityCheck });
export const recoveryBody = z.object({ user_id: id, identity_check: identityCheck });

const recovery = z
  .strictObject({
    user: z.strictObject({ id, full_name: z.string(), email: z.string() }),
    requested_by: z.strictObject({ id, full_name: z.string() }),
    identity_check: identityCheck,
    requested_at: timestamp,
    /** When the factors are removed; null until another operator has confirmed the request. */
    due_at: timestamp.nullable(),
  })
  .meta({ id: 'FactorRecovery' });
export type FactorRecovery = z.infer<typeof recovery>;

const params = z.strictObject({ userId: idInPath });

export const factorRecoveryCalls = defineCalls({
  resetFactors: {
    method: 'POST',
    path: '/enterprises/{id}/users/{userId}/second-factor/reset',
    tag: 'Teachers',
    summary: 'Remove the second factors of a colleague who has lost them',
    description:
      'After a check of who they are, which the audit log records. Not for a person who also works at another school. Their passkeys, authenticator apps, recovery codes and sessions end. Both get an email.',
    permission: 'edit_teacher',
    ownerOnly: true,
    needsProof: true,
    area: 'staff',
    example: { body: { identity_check: 'in_person' } },
    params: ids('id', 'userId'),
    body: resetFactorsBody,
    errors: ['teacher_not_found', 'not_yourself', 'no_factor', 'recovery_of_operator', 'factors_of_several_schools'],
  },

  listRecoveries: {
    method: 'GET',
    path: '/admin/recoveries',
    tag: 'Operators',
    summary: 'Requests to remove the second factors of a school’s only admin, oldest first',
    permission: 'operator',
    reply: z.strictObject({ recoveries: z.array(recovery) }),
  },

  requestRecovery: {
    method: 'POST',
    path: '/admin/recoveries',
    tag: 'Operators',
    summary: 'Ask to remove the second factors of a school’s only admin',
    description:
      'Another operator confirms the request within 7 days. The factors are removed 24 hours after that. All staff of the school get an email, and the person or any operator can cancel it.',
    permission: 'operator',
    needsProof: true,
    example: { body: { user_id: EXAMPLE.teacher, identity_check: 'video_call' } },
    body: recoveryBody,
    errors: ['teacher_not_found', 'no_factor', 'recovery_of_operator', 'recovery_by_admin', 'recovery_pending'],
  },

  confirmRecovery: {
    method: 'POST',
    path: '/admin/recoveries/{userId}/confirm',
    tag: 'Operators',
    summary: 'Confirm the request of another operator',
    permission: 'operator',
    needsProof: true,
    params,
    errors: ['recovery_not_found', 'recovery_by_another'],
  },

  cancelRecovery: {
    method: 'DELETE',
    path: '/admin/recoveries/{userId}',
    tag: 'Operators',
    summary: 'Cancel a request to remove second factors',
    permission: 'operator',
    params,
    errors: ['recovery_not_found'],
  },

  cancelOwnRecovery: {
    method: 'DELETE',
    path: '/users/me/recovery',
    tag: 'Access',
    summary: 'Keep your second factors, which support is about to remove',
    permission: 'user',
    setUp: 'account',
    ownerOnly: true,
    errors: ['recovery_not_found'],
  },
});
