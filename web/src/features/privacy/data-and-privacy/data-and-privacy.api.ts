import { privacyCalls } from '#contract/calls/privacy.ts';
import { schoolClosingCalls } from '#contract/calls/school-closing.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { download } from '../../../shared/download.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { type TableDefaults, type TableState, tableQuery, visitTableState } from '../../../ui/table-url-state.ts';

/** Receipts have one order. */
export const erasuresTable: TableDefaults = { sorts: [] };

/** What is stored about the school, and former members of staff. For admins. */
export const dataQuery = (id: number) => apiQuery(privacyCalls.getDataAndPrivacy, { params: { id } });

/** A page of the receipts of erasures. For admins. */
export const erasuresQuery = (id: number, state: TableState) => {
  const { page, per_page } = tableQuery(state);
  return apiQuery(privacyCalls.listErasures, { params: { id }, query: { page, per_page } });
};

export const dataAndPrivacyQueries: FirstQueries = ({ schoolId, query }) => [
  dataQuery(schoolId),
  erasuresQuery(schoolId, visitTableState(query, erasuresTable)),
];

export const privacyDocumentQueries: FirstQueries = ({ schoolId }) => [dataQuery(schoolId)];

/** Chooses for how long some data is retained; null for the longest period. */
export const useSetPeriod = (id: number) =>
  useInvalidatingMutation(
    (body: { table: string; days: number | null }) => call(privacyCalls.setRetentionPeriod, { params: { id }, body }),
    { awaits: [privacyCalls.getDataAndPrivacy], renews: [schoolCalls.listAuditLog] },
  );

/** Chooses whether lists of pupils leave something to recognise pupils by. */
export const useSetImportDigests = (id: number) =>
  useInvalidatingMutation((keep: boolean) => call(privacyCalls.setImportDigests, { params: { id }, body: { keep } }), {
    awaits: [privacyCalls.getDataAndPrivacy],
    renews: [schoolCalls.listAuditLog],
  });

/** Erases the account of a former member of staff. */
export const useEraseFormerMember = (id: number) =>
  useInvalidatingMutation((userId: number) => call(privacyCalls.eraseFormerMember, { params: { id, userId } }), {
    awaits: [privacyCalls.getDataAndPrivacy, privacyCalls.listErasures],
    renews: [schoolCalls.listAuditLog],
  });

/** The school's record has the state of the closing. */
const CLOSING_CHANGED = { awaits: [schoolCalls.getSchool], renews: [schoolCalls.listAuditLog] };

/** Asks to close the school. */
export const useRequestClosing = (id: number) =>
  useInvalidatingMutation(() => call(schoolClosingCalls.requestClosing, { params: { id } }), CLOSING_CHANGED);

/** Confirms that the school closes now. */
export const useConfirmClosing = (id: number) =>
  useInvalidatingMutation(() => call(schoolClosingCalls.confirmClosing, { params: { id } }), CLOSING_CHANGED);

/** Withdraws the request, or reopens a closed school. */
export const useCancelClosing = (id: number) =>
  useInvalidatingMutation(() => call(schoolClosingCalls.cancelClosing, { params: { id } }), CLOSING_CHANGED);

export const downloadReceipt = (id: number, erasureId: number) =>
  download(privacyCalls.getErasureReceipt.path, { params: { id, erasureId } }, `erasure-${erasureId}.pdf`);
