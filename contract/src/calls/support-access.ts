import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, ids, timestamp } from '../fields.ts';

/** How long support may see data about children. */
export const SUPPORT_ACCESS_MINUTES = 60;

const supportAccess = z
  .strictObject({
    /** The end of the permission; null when there is none. */
    allowed_until: timestamp.nullable(),
    /** The admin who gave it; null without a permission, and once the account is deleted. */
    allowed_by: z.strictObject({ id, name: z.string() }).nullable(),
  })
  .meta({ id: 'SupportAccess' });
export type SupportAccess = z.infer<typeof supportAccess>;

const reply = z.strictObject({ support_access: supportAccess });

export const supportAccessCalls = defineCalls({
  getSupportAccess: {
    method: 'GET',
    path: '/enterprises/{id}/support-access',
    tag: 'School',
    summary: 'Whether support may see data about children',
    permission: 'edit_school',
    area: 'account',
    params: ids('id'),
    reply,
  },

  allowSupportAccess: {
    method: 'POST',
    path: '/enterprises/{id}/support-access',
    tag: 'School',
    summary: 'Allow support to see data about children for an hour',
    description:
      'Begins the hour again if support is already allowed. Support still cannot erase pupils, download exports, invite people or change roles.',
    permission: 'edit_school',
    needsProof: true,
    area: 'account',
    ownerOnly: true,
    params: ids('id'),
    reply,
  },

  endSupportAccess: {
    method: 'DELETE',
    path: '/enterprises/{id}/support-access',
    tag: 'School',
    summary: 'Withdraw the permission of support',
    description: 'Sessions of support end. In a new one, support sees only settings and billing.',
    permission: 'edit_school',
    area: 'account',
    ownerOnly: true,
    params: ids('id'),
    reply,
  },
});
