import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import type { BodyInputOf, ReplyOf } from '#contract/call.ts';
import { ApiError } from '../../shared/api-error.ts';
import { call } from '../../shared/api-client.ts';
import { apiQuery } from '../../shared/api-query.ts';
import { can } from '../../shared/can.ts';
import type { FirstQueries } from '../../shared/first-queries.ts';
import { setOptimisticField, useOptimisticMutation } from '../../shared/use-optimistic-mutation.ts';
import { useInvalidatingMutation } from '../../shared/use-invalidating-mutation.ts';
import { type TableDefaults, type TableState, visitTableState } from '../../ui/table-url-state.ts';
import { needThresholdsQuery } from './need-thresholds.api.ts';
import { schoolQuery } from './school.api.ts';
import { termDatesQuery } from './term-dates.api.ts';

/** Which texts were accepted for the school. For administrators. */
export const termsAcceptancesQuery = (id: number) =>
  apiQuery(schoolDetailsCalls.listTermsAcceptances, { params: { id } });

/** A page of who changed what. For administrators. */
export const auditLogQuery = (id: number, { page, perPage }: TableState) =>
  apiQuery(schoolCalls.listAuditLog, { params: { id }, query: { page, per_page: perPage } });

/** The log has one order. */
export const auditTable: TableDefaults = { sorts: [] };

export const schoolPageQueries: FirstQueries = ({ user, schoolId, query }) => [
  termDatesQuery(schoolId),
  needThresholdsQuery(schoolId),
  ...(can(user, 'edit_school')
    ? [termsAcceptancesQuery(schoolId), auditLogQuery(schoolId, visitTableState(query, auditTable))]
    : []),
];

const RECORDING_ENABLED = {
  get: ({ enterprise: school }: ReplyOf<typeof schoolCalls.getSchool>) => school.recording_enabled,
  set: ({ enterprise: school }: ReplyOf<typeof schoolCalls.getSchool>, recording_enabled: boolean) => ({
    enterprise: { ...school, recording_enabled },
  }),
};

/** Switches recordings on or off. */
export const useSetRecording = (id: number) =>
  useOptimisticMutation({
    mutationKey: ['recording', id],
    // The API takes 1 and 0 here.
    mutationFn: (isOn: boolean) =>
      call(schoolDetailsCalls.updateSchool, { params: { id }, body: { recording_enabled: isOn ? 1 : 0 } }),
    queryKey: schoolQuery(id).queryKey,
    apply: (client, isOn) => setOptimisticField(client, schoolQuery(id).queryKey, RECORDING_ENABLED, isOn),
    affected: { renews: [schoolCalls.getSchool, schoolCalls.listAuditLog] },
  });

type Contact = BodyInputOf<typeof schoolDetailsCalls.updateContact>['contact'];

export interface SchoolDetails {
  school: { name: string; urn?: string | number | null | undefined };
  primary: Contact;
  /** Null leaves the billing contact as it is. */
  billing: Contact | null;
}

/** Errors of a call under the name that its part has in the form. */
async function within<T>(part: string, work: Promise<T>, cut = ''): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const errors = Object.fromEntries(
      Object.entries(error.errors).map(([path, texts]) => [
        `${part}.${cut && path.startsWith(cut) ? path.slice(cut.length) : path}`,
        texts,
      ]),
    );
    throw new ApiError(error.status, {
      error: error.error,
      error_type: error.error_type,
      ...(error.code && { code: error.code }),
      errors,
    });
  }
}

/** Saves the school and its contacts, one after the other: what was saved before a failure is saved. */
export const useSaveDetails = (id: number) =>
  useInvalidatingMutation(async ({ school, primary, billing }: SchoolDetails) => {
    await within(
      'school',
      call(schoolDetailsCalls.updateSchool, { params: { id }, body: { ...school, type: 'school' } }),
    );
    await within(
      'primary',
      call(schoolDetailsCalls.updateContact, { params: { id }, body: { contact: { ...primary, type: 'primary' } } }),
      'contact.',
    );
    if (billing)
      await within(
        'billing',
        call(schoolDetailsCalls.updateContact, { params: { id }, body: { contact: { ...billing, type: 'billing' } } }),
        'contact.',
      );
  });

interface ConfirmedDetails {
  school: { name: string; urn: string | null };
  contact: Contact;
}

/** Saves the school's name and URN, then its primary contact. Sent again it changes nothing more. */
export async function saveSchoolDetails(schoolId: number, { school, contact }: ConfirmedDetails): Promise<void> {
  const params = { id: schoolId };
  await call(schoolDetailsCalls.updateSchool, { params, body: school });
  await call(schoolDetailsCalls.updateContact, { params, body: { contact: { ...contact, type: 'primary' } } });
}
