import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Call } from '#contract/call.ts';

type GetCall = Pick<Call, 'path'>;

export interface AffectedReplies {
  /** Calls whose replies show the change to the user. The mutation is pending until they are up to date. */
  awaits?: readonly GetCall[];
  /** Other calls whose replies contain it, fetched again in the background; all others by default. */
  renews?: readonly GetCall[];
}

const isOneOf = (calls: readonly GetCall[], queryKey: readonly unknown[]) =>
  calls.some(({ path }) => path === queryKey[0]);

/** Marks replies as out of date. Resolves once those of `awaits` are up to date, without waiting for the others. */
export async function invalidateAffected(client: QueryClient, { awaits = [], renews }: AffectedReplies): Promise<void> {
  void client.invalidateQueries({
    predicate: ({ queryKey }) => !isOneOf(awaits, queryKey) && (!renews || isOneOf(renews, queryKey)),
  });
  await client.invalidateQueries({ predicate: ({ queryKey }) => isOneOf(awaits, queryKey) });
}

/** A call that changes data. Also after a failure its replies are fetched again: another user's change may be the reason. */
export function useInvalidatingMutation<Input, Reply>(
  change: (input: Input) => Promise<Reply>,
  affected: AffectedReplies = {},
) {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => invalidateAffected(client, affected) });
}
