import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type AffectedReplies, invalidateAffected } from './use-invalidating-mutation.ts';

interface OptimisticChange<Input, Reply> {
  /** The same for all changes of the same data, also from another component. */
  mutationKey: QueryKey;
  mutationFn: (input: Input) => Promise<Reply>;
  /** Queries that show the change: requests for them that are under way are dropped. */
  queryKey: QueryKey;
  /** Puts the change into the cache and returns what takes this change back, without touching later ones. */
  apply: (client: QueryClient, input: Input) => () => void;
  affected?: AffectedReplies;
}

/**
 * A change whose success is all but certain: shown at once and taken back when the server rejects it. Queries are
 * fetched again after the last of several changes, because a reply between two would undo the later one on screen.
 */
export function useOptimisticMutation<Input, Reply>(options: OptimisticChange<Input, Reply>) {
  const { mutationKey, mutationFn, queryKey, apply, affected = {} } = options;
  const client = useQueryClient();
  return useMutation({
    mutationKey,
    mutationFn,
    onMutate: async (input: Input) => {
      // Before the change is applied: cancelling restores what was there when the request began.
      await client.cancelQueries({ queryKey });
      return { revert: apply(client, input) };
    },
    onError: (_error, _input, context) => context?.revert(),
    onSettled: () => {
      if (client.isMutating({ mutationKey }) === 1) void invalidateAffected(client, affected);
    },
  });
}

/** An `apply` for one field of one query. Takes back its own value only: a later one stays. */
export function setOptimisticField<Reply, Value>(
  client: QueryClient,
  queryKey: QueryKey,
  field: { get: (reply: Reply) => Value; set: (reply: Reply, value: Value) => Reply },
  value: Value,
): () => void {
  const reply = client.getQueryData<Reply>(queryKey);
  if (reply === undefined) return () => {};
  const before = field.get(reply);
  client.setQueryData<Reply>(queryKey, field.set(reply, value));
  return () =>
    client.setQueryData<Reply>(queryKey, (current) =>
      current && Object.is(field.get(current), value) ? field.set(current, before) : current,
    );
}
