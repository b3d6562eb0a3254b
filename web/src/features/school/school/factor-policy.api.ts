import { factorPolicyCalls } from '#contract/calls/factor-policy.ts';
import type { BodyInputOf } from '#contract/call.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** Who needs a second factor, and who has none. For admins. */
export const factorPolicyQuery = (id: number) => apiQuery(factorPolicyCalls.getFactorPolicy, { params: { id } });

export const useSaveFactorPolicy = (id: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof factorPolicyCalls.updateFactorPolicy>) =>
      call(factorPolicyCalls.updateFactorPolicy, { params: { id }, body }),
    { awaits: [factorPolicyCalls.getFactorPolicy], renews: [schoolCalls.listAuditLog] },
  );
