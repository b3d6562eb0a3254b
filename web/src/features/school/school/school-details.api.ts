import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import type { BodyInputOf, ReplyOf } from '#contract/call.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { can } from '../../../shared/can.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { setOptimisticField, useOptimisticMutation } from '../../../shared/use-optimistic-mutation.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { SIGN_IN_PROVIDERS } from '../../../shared/product.ts';
import { connectionsQuery } from '../../accounts/sign-in-providers/connections.public.ts';
import { factorPolicyQuery } from './factor-policy.api.ts';
import { needThresholdsQuery } from './need-thresholds.api.ts';
import { pupilTagsQuery } from './pupil-tags.api.ts';
import { schoolQuery } from './school.api.ts';
import { supportAccessQuery } from './support-access.api.ts';
import { termDatesQuery } from './term-dates.api.ts';

/** The texts that were accepted for the school. For admins. */
export const termsAcceptancesQuery = (id: number) =>
  apiQuery(schoolDetailsCalls.listTermsAcceptances, { params: { id } });

export const schoolPageQueries: FirstQueries = ({ user, schoolId }) => [
  termDatesQuery(schoolId),
  needThresholdsQuery(schoolId),
  ...(can(user, 'edit_school')
    ? [
        termsAcceptancesQuery(schoolId),
        pupilTagsQuery(schoolId),
        supportAccessQuery(schoolId),
        ...(user.impersonated_by ? [] : [factorPolicyQuery(schoolId)]),
      ]
    : []),
  ...(can(user, 'edit_school') && SIGN_IN_PROVIDERS.length > 0 ? [connectionsQuery(schoolId)] : []),
];

const RECORDING_ENABLED = {
  get: ({ enterprise: school }: ReplyOf<typeof schoolCalls.getSchool>) => school.recording_enabled,
  set: (reply: ReplyOf<typeof schoolCalls.getSchool>, recording_enabled: boolean) => ({
    ...reply,
    enterprise: { ...reply.enterprise, recording_enabled },
  }),
};

/** Enables or disables recordings. */
export const useSetRecording = (id: number) =>
  useOptimisticMutation({
    mutationKey: ['recording', id],
    // The API accepts 1 and 0 here.
    mutationFn: (isOn: boolean) =>
      call(schoolDetailsCalls.updateSchool, { params: { id }, body: { recording_enabled: isOn ? 1 : 0 } }),
    queryKey: schoolQuery(id).queryKey,
    apply: (client, isOn) => setOptimisticField(client, schoolQuery(id).queryKey, RECORDING_ENABLED, isOn),
    affected: { renews: [schoolCalls.getSchool, schoolCalls.listAuditLog] },
  });

/** Saves the school and its contacts together, or nothing. */
export const useSaveDetails = (id: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof schoolDetailsCalls.updateSchoolDetails>) =>
      call(schoolDetailsCalls.updateSchoolDetails, { params: { id }, body }),
    { awaits: [schoolCalls.getSchool] },
  );
