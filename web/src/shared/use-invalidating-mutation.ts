import { useMutation, useQueryClient } from '@tanstack/react-query';

/**
 * A call that changes people, classes or the school. What is shown is asked for again before it counts as done,
 * also after a failure: somebody else's change may be the reason. One name stands in lists, classes and charts,
 * so everything on the page is renewed, which is a call or two.
 */
export function useInvalidatingMutation<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => client.invalidateQueries() });
}
