import { schoolCalls } from '#contract/calls/school.ts';
import { supportAccessCalls } from '#contract/calls/support-access.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** Whether support may see data about children. For admins. */
export const supportAccessQuery = (id: number) => apiQuery(supportAccessCalls.getSupportAccess, { params: { id } });

const affected = { awaits: [supportAccessCalls.getSupportAccess], renews: [schoolCalls.listAuditLog] };

/** Allows support to see data about children for an hour, or withdraws the permission. */
export const useSetSupportAccess = (id: number) =>
  useInvalidatingMutation(
    (isAllowed: boolean) =>
      call(isAllowed ? supportAccessCalls.allowSupportAccess : supportAccessCalls.endSupportAccess, { params: { id } }),
    affected,
  );
