import { schoolCalls } from '#contract/calls/school.ts';
import { subjectRequestCalls } from '#contract/calls/subject-requests.ts';
import { REQUEST_KINDS, type RequestKind } from '#contract/rights.ts';
import type { BodyInputOf } from '#contract/call.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { download } from '../../../shared/download.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { parseId } from '../../../shared/parse-id.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { type TableDefaults, type TableState, tableQuery, visitTableState } from '../../../ui/table-url-state.ts';

/** The list of requests has one order. */
export const requestsTable: TableDefaults = { sorts: [], filters: ['kind'] };
/** The texts of a request have one order. */
export const pagedTable: TableDefaults = { sorts: [] };

/** The kind of request that a URL names. */
export const parseKind = (value: string | null | undefined): RequestKind | undefined =>
  REQUEST_KINDS.find((kind) => kind === value);

/** A page of the school's requests, of one kind or all. */
export const requestsQuery = (id: number, state: TableState) => {
  const { page, per_page } = tableQuery(state);
  const kind = parseKind(state.filters.kind);
  return apiQuery(subjectRequestCalls.listSubjectRequests, {
    params: { id },
    query: { page, per_page, ...(kind && { kind }) },
  });
};

export const requestsPageQueries: FirstQueries = ({ schoolId, query }) => [
  requestsQuery(schoolId, visitTableState(query, requestsTable)),
];

/** A request with its file and downloads. */
export const requestQuery = (id: number, requestId: number) =>
  apiQuery(subjectRequestCalls.getSubjectRequest, { params: { id, requestId } });

/** A page of the texts to decide about. */
export const textsQuery = (id: number, requestId: number, state: TableState) => {
  const { page, per_page } = tableQuery(state);
  return apiQuery(subjectRequestCalls.listSubjectTexts, { params: { id, requestId }, query: { page, per_page } });
};

export const requestPageQueries: FirstQueries = ({ schoolId, params, query }) => {
  const requestId = parseId(params.id);
  if (requestId === undefined) return [];
  return [requestQuery(schoolId, requestId), textsQuery(schoolId, requestId, visitTableState(query, pagedTable))];
};

/** The person with an ID, or the people with a name, whom a new request can be about. */
export const subjectsQuery = (id: number, query: { pupil: number } | { staff: number } | { search: string }) =>
  apiQuery(subjectRequestCalls.listDataSubjects, { params: { id }, query });

/** What the URL of a new request names: a person, or the text of a search. */
export function readSubject(query: URLSearchParams): Parameters<typeof subjectsQuery>[1] | undefined {
  const pupil = parseId(query.get('pupil'));
  if (pupil !== undefined) return { pupil };
  const staff = parseId(query.get('staff'));
  if (staff !== undefined) return { staff };
  const search = query.get('search')?.trim().slice(0, 100);
  return search ? { search } : undefined;
}

/** The person whom a new request is about, or those that a search finds. */
export const newRequestQueries: FirstQueries = ({ schoolId, query }) => {
  const subject = readSubject(query);
  return subject ? [subjectsQuery(schoolId, subject)] : [];
};

const REQUEST_CALLS = [subjectRequestCalls.getSubjectRequest, subjectRequestCalls.listSubjectRequests];

export const useOpenRequest = (id: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof subjectRequestCalls.openSubjectRequest>) =>
      call(subjectRequestCalls.openSubjectRequest, { params: { id }, body }),
    { awaits: [subjectRequestCalls.listSubjectRequests], renews: [schoolCalls.listAuditLog] },
  );

export const useRecordStep = (id: number, requestId: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof subjectRequestCalls.recordSubjectStep>) =>
      call(subjectRequestCalls.recordSubjectStep, { params: { id, requestId }, body }),
    { awaits: REQUEST_CALLS, renews: [schoolCalls.listAuditLog] },
  );

export const useUndoStep = (id: number, requestId: number) =>
  useInvalidatingMutation(
    (stepId: number) => call(subjectRequestCalls.undoSubjectStep, { params: { id, requestId, stepId } }),
    { awaits: REQUEST_CALLS, renews: [schoolCalls.listAuditLog] },
  );

/** Includes a text in the file, with passages blacked out, or leaves it out. */
export const useDecideText = (id: number, requestId: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof subjectRequestCalls.decideSubjectText>) =>
      call(subjectRequestCalls.decideSubjectText, { params: { id, requestId }, body }),
    { awaits: [subjectRequestCalls.listSubjectTexts, subjectRequestCalls.getSubjectRequest], renews: [] },
  );

export const useMakeFile = (id: number, requestId: number) =>
  useInvalidatingMutation(() => call(subjectRequestCalls.makeSubjectFile, { params: { id, requestId } }), {
    awaits: [subjectRequestCalls.getSubjectRequest],
    renews: [schoolCalls.listAuditLog],
  });

export const useDownloadFile = (id: number, requestId: number) =>
  useInvalidatingMutation(
    () =>
      download(
        subjectRequestCalls.downloadSubjectFile.path,
        { params: { id, requestId } },
        `subject-access-${requestId}.zip`,
      ),
    { awaits: [subjectRequestCalls.getSubjectRequest], renews: [schoolCalls.listAuditLog] },
  );

export const useCloseRequest = (id: number, requestId: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof subjectRequestCalls.closeSubjectRequest>) =>
      call(subjectRequestCalls.closeSubjectRequest, { params: { id, requestId }, body }),
    { awaits: REQUEST_CALLS, renews: [schoolCalls.listAuditLog] },
  );
