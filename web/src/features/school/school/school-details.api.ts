import { supportAccessCalls } from '#contract/calls/support-access.ts';
import { factorPolicyCalls } from '#contract/calls/factor-policy.ts';
import { type NeedThresholds, readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { type NamesInEmails, schoolCalls } from '#contract/calls/school.ts';
import type { BodyInputOf, ReplyOf } from '#contract/call.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { can } from '../../../shared/can.ts';
import { mailDeliveriesQueries } from '../../../shared/mail-deliveries.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { setOptimisticField, useOptimisticMutation } from '../../../shared/use-optimistic-mutation.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { SIGN_IN_PROVIDERS } from '../../../shared/product.ts';
import { connectionsQuery } from '../../accounts/sign-in-providers/connections.public.ts';
import { programsQuery } from '../programs/program-queries.public.ts';
import { pupilTagsQuery } from './pupil-tags.api.ts';
import { schoolQuery } from './school.api.ts';
import { schoolHoursQuery, termDatesQuery } from './term-dates.api.ts';

/** The texts that were accepted for the school. For admins. */
export const termsAcceptancesQuery = (id: number) =>
  apiQuery(schoolDetailsCalls.listTermsAcceptances, { params: { id } });

export const schoolPageQueries: FirstQueries = (visit) => [...mailDeliveriesQueries(visit), ...settingsQueries(visit)];

const settingsQueries: FirstQueries = ({ user, schoolId }) => [
  schoolQuery(schoolId),
  termDatesQuery(schoolId),
  schoolHoursQuery(schoolId),
  ...(can(user, 'view_pupils') ? [needThresholdsQuery(schoolId)] : []),
  ...(can(user, 'edit_school')
    ? [
        termsAcceptancesQuery(schoolId),
        pupilTagsQuery(schoolId),
        programsQuery(schoolId),
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

/** Chooses how emails that are sent unasked name pupils. */
export const useSetNamesInEmails = (id: number) =>
  useInvalidatingMutation(
    (names_in_emails: NamesInEmails) =>
      call(schoolDetailsCalls.updateSchool, { params: { id }, body: { names_in_emails } }),
    { awaits: [schoolCalls.getSchool], renews: [schoolCalls.listAuditLog] },
  );

/** Saves the school and its contacts together, or nothing. */
export const useSaveDetails = (id: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof schoolDetailsCalls.updateSchoolDetails>) =>
      call(schoolDetailsCalls.updateSchoolDetails, { params: { id }, body }),
    { awaits: [schoolCalls.getSchool] },
  );

/** Saves the primary or the billing contact. */
export const useSaveContact = (id: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof schoolDetailsCalls.updateContact>) =>
      call(schoolDetailsCalls.updateContact, { params: { id }, body }),
    { awaits: [schoolCalls.getSchool], renews: [schoolDetailsCalls.getBillingContact] },
  );

/** The rules for who is on the list of pupils who need help. */
export const needThresholdsQuery = (id: number) => apiQuery(readingNeedsCalls.getNeedThresholds, { params: { id } });

export const useSaveNeedThresholds = (id: number) =>
  useInvalidatingMutation(
    (body: NeedThresholds) => call(readingNeedsCalls.updateNeedThresholds, { params: { id }, body }),
    { awaits: [readingNeedsCalls.getNeedThresholds] },
  );

/** Who needs a second factor, and who has none. For admins. */
export const factorPolicyQuery = (id: number) => apiQuery(factorPolicyCalls.getFactorPolicy, { params: { id } });

export const useSaveFactorPolicy = (id: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof factorPolicyCalls.updateFactorPolicy>) =>
      call(factorPolicyCalls.updateFactorPolicy, { params: { id }, body }),
    { awaits: [factorPolicyCalls.getFactorPolicy], renews: [schoolCalls.listAuditLog] },
  );

/** Whether support may see data about children. For admins. */
export const supportAccessQuery = (id: number) => apiQuery(supportAccessCalls.getSupportAccess, { params: { id } });

const SUPPORT_ACCESS_AFFECTED = { awaits: [supportAccessCalls.getSupportAccess], renews: [schoolCalls.listAuditLog] };

/** Allows support to see data about children for an hour, or withdraws the permission. */
export const useSetSupportAccess = (id: number) =>
  useInvalidatingMutation(
    (isAllowed: boolean) =>
      call(isAllowed ? supportAccessCalls.allowSupportAccess : supportAccessCalls.endSupportAccess, { params: { id } }),
    SUPPORT_ACCESS_AFFECTED,
  );
