import { queryOptions } from '@tanstack/react-query';
import type { Call, ReplyOf } from '#contract/call.ts';
import { addressOf, type Params, type Query } from './address.ts';
import { call, type CallInput } from './api-client.ts';
import { takePreloaded } from './preloaded-responses.ts';
import { getSession } from './session.ts';

/**
 * Query options of a reading call: `useQuery(apiQuery(getPupil, { params: { id, readerId } }))`.
 * The key begins with the call's path, so `invalidateQueries({ queryKey: queryKeyOf(listPupils) })` reaches all its pages.
 */
export function apiQuery<C extends Call>(spec: C, input: CallInput<C>) {
  const { params, query } = input as { params?: Params; query?: Query };
  return queryOptions({
    queryKey: [spec.path, input] as const,
    // What the page asked for before its scripts were there may have come: it is shown at once.
    initialData: () => takePreloaded(addressOf(spec.path, params, query), getSession()?.key) as ReplyOf<C> | undefined,
    queryFn: ({ signal }) => (call as (spec: C, input: object) => Promise<ReplyOf<C>>)(spec, { ...input, signal }),
  });
}

/** The beginning of the keys of all queries of a call. */
export const queryKeyOf = (spec: Pick<Call, 'path'>) => [spec.path] as const;
