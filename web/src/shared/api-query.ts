import { queryOptions } from '@tanstack/react-query';
import type { Call, ReplyOf } from '#contract/call.ts';
import { call, type CallInput } from './api-client.ts';

/** The call is recorded as a view of pupils' data. */
const RECORDED = { meta: { isRecorded: true } } as const;

/** Whether each fetch of the query is recorded as a view of pupils' data. */
export const isRecorded = ({ meta }: { meta?: Record<string, unknown> | undefined }): boolean =>
  meta?.isRecorded === true;

/**
 * Query options of a call that reads: `useQuery(apiQuery(getPupil, { params: { id, readerId } }))`. The key starts
 * with the call's path, so `invalidateQueries({ queryKey: queryKeyOf(listPupils) })` matches every page of it.
 */
export function apiQuery<C extends Call>(spec: C, input: CallInput<C>) {
  return queryOptions({
    queryKey: [spec.path, input] as const,
    // Only what the user opens is a view: docs/decisions/who-looked.md
    ...(spec.views && RECORDED),
    queryFn: ({ signal }) => (call as (spec: C, input: object) => Promise<ReplyOf<C>>)(spec, { ...input, signal }),
  });
}

/** The key prefix of all queries of a call. */
export const queryKeyOf = (spec: Pick<Call, 'path'>) => [spec.path] as const;
