import type { BodyInputOf } from '#contract/call.ts';
import { adminRequestCalls } from '#contract/calls/admin-requests.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

const SCHOOL_CHANGED = { awaits: [schoolCalls.getSchool], renews: [schoolCalls.listAuditLog] };

/** Asks support to appoint an admin. */
export function useRequestAdmin() {
  const id = useSchoolId();
  return useInvalidatingMutation(
    (body: BodyInputOf<typeof adminRequestCalls.requestAdmin>) =>
      call(adminRequestCalls.requestAdmin, { params: { id }, body }),
    SCHOOL_CHANGED,
  );
}

/** Stops the appointment. */
export function useStopAdminRequest() {
  const id = useSchoolId();
  return useInvalidatingMutation(
    (adminRequestId: number) => call(adminRequestCalls.stopAdminRequest, { params: { id, adminRequestId } }),
    SCHOOL_CHANGED,
  );
}
