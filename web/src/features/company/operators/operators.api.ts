import type { BodyInputOf } from '#contract/call.ts';
import { adminRequestCalls } from '#contract/calls/admin-requests.ts';
import { factorRecoveryCalls } from '#contract/calls/factor-recovery.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { tableQuery, type TableState } from '../../../ui/table-url-state.ts';

/** A page of schools that match a search. */
export const schoolsQuery = (tableState: TableState) =>
  apiQuery(operatorCalls.findSchools, { query: tableQuery(tableState) });

/** The state of one school. */
export const schoolStateQuery = (schoolId: number) => apiQuery(operatorCalls.getSchoolState, { params: { schoolId } });

/** Switches the new statistics of one school on or off. */
export const useSetNewStatistics = (schoolId: number) =>
  useInvalidatingMutation(
    (isOn: boolean) => call(operatorCalls.setSchoolFeatures, { params: { schoolId }, body: { new_statistics: isOn } }),
    { awaits: [operatorCalls.getSchoolState] },
  );

/** Requests to remove the second factors of a school's only admin. */
export const recoveriesQuery = () => apiQuery(factorRecoveryCalls.listRecoveries, {});

const RECOVERIES = { awaits: [factorRecoveryCalls.listRecoveries], renews: [] };

export const useRequestRecovery = () =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof factorRecoveryCalls.requestRecovery>) =>
      call(factorRecoveryCalls.requestRecovery, { body }),
    RECOVERIES,
  );

export const useConfirmRecovery = () =>
  useInvalidatingMutation(
    (userId: number) => call(factorRecoveryCalls.confirmRecovery, { params: { userId } }),
    RECOVERIES,
  );

export const useCancelRecovery = () =>
  useInvalidatingMutation(
    (userId: number) => call(factorRecoveryCalls.cancelRecovery, { params: { userId } }),
    RECOVERIES,
  );

/** Requests to appoint an admin for a school whose admins have all left. */
export const adminRequestsQuery = () => apiQuery(adminRequestCalls.listAdminRequests, {});

const ADMIN_REQUESTS = { awaits: [adminRequestCalls.listAdminRequests], renews: [] };

export const useCheckAdminRequest = (schoolId: number) =>
  useInvalidatingMutation(
    ({
      adminRequestId,
      body,
    }: {
      adminRequestId: number;
      body: BodyInputOf<typeof adminRequestCalls.checkAdminRequest>;
    }) => call(adminRequestCalls.checkAdminRequest, { params: { schoolId, adminRequestId }, body }),
    ADMIN_REQUESTS,
  );

export const useConfirmAdminRequest = (schoolId: number) =>
  useInvalidatingMutation(
    (adminRequestId: number) => call(adminRequestCalls.confirmAdminRequest, { params: { schoolId, adminRequestId } }),
    ADMIN_REQUESTS,
  );

export const useCancelAdminRequest = (schoolId: number) =>
  useInvalidatingMutation(
    (adminRequestId: number) => call(adminRequestCalls.cancelAdminRequest, { params: { schoolId, adminRequestId } }),
    ADMIN_REQUESTS,
  );

/** Creates a code that logs in as the person in the school once, within a minute. */
export const mintCode = (userId: number, schoolId: number, reason: string) =>
  call(operatorCalls.mintImpersonation, { body: { user_id: userId, enterprise_id: schoolId, reason } });
