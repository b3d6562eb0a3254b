import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Call } from '#contract/call.ts';
import { queryKeyOf } from './api-query.ts';

interface Change<Input, Reply, Shown> {
  change: (input: Input) => Promise<Reply>;
  /** The query that shows what is changed, and what it shows once the change is made. */
  queryKey: readonly unknown[];
  apply: (shown: Shown, input: Input) => Shown;
  /** Calls whose replies hold it too: they are asked for again. */
  renews: readonly Pick<Call, 'path'>[];
}

/** A change whose outcome is all but certain: shown at once, and taken back when the server refuses it. */
export function useOptimisticMutation<Input, Reply, Shown>(options: Change<Input, Reply, Shown>) {
  const { change, queryKey, apply, renews } = options;
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onMutate: async (input: Input) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<Shown>(queryKey);
      if (before !== undefined) client.setQueryData(queryKey, apply(before, input));
      return { before };
    },
    onError: (_error, _input, context) => client.setQueryData(queryKey, context?.before),
    onSettled: () => Promise.all(renews.map((call) => client.invalidateQueries({ queryKey: queryKeyOf(call) }))),
  });
}
