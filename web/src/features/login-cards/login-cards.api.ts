import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { loginCardCalls, type PasswordReset } from '#contract/calls/login-cards.ts';
import { call } from '../../shared/api-client.ts';
import { apiQuery } from '../../shared/api-query.ts';
import type { FirstQueries } from '../../shared/first-queries.ts';

const ASK_AGAIN_MS = 1_500;

/** A reset of passwords as a screen follows it. */
export interface ResetState {
  status: PasswordReset['status'];
  /** Pupils whose passwords are reset. */
  total: number;
  links: PasswordReset['links'];
  /** True when the work itself failed after it had been accepted. */
  hasFailed: boolean;
  start: (pupils: readonly number[]) => Promise<unknown>;
  /** Forgets a reset that is over, so that the next one can start. */
  clear: () => void;
}

/** How far a reset of passwords is. Answers only whoever asked for it. */
export const passwordResetQuery = (id: number, resetId: string) =>
  apiQuery(loginCardCalls.getPasswordReset, { params: { id, resetId } });

export const loginsPageQueries: FirstQueries = ({ schoolId, params: { id } }) =>
  id === undefined ? [] : [passwordResetQuery(schoolId, id)];

/** Resets pupils' passwords: a job on the server, asked after until its cards are there. */
export function usePasswordReset(id: number): ResetState {
  const [resetId, setResetId] = useState<string | null>(null);
  const begin = useMutation({
    mutationFn: (pupils: readonly number[]) =>
      call(loginCardCalls.resetPasswords, { params: { id }, body: { reader_ids: [...pupils] } }),
    onMutate: () => setResetId(null),
    onSuccess: ({ reset }) => setResetId(reset.id),
  });
  const job = useQuery({
    ...passwordResetQuery(id, resetId ?? ''),
    enabled: resetId !== null,
    refetchInterval: ({ state }) => ((state.data?.reset.status ?? 'loading') === 'loading' ? ASK_AGAIN_MS : false),
  });
  const reset = resetId === null ? undefined : (job.data?.reset ?? begin.data?.reset);
  return {
    status: begin.isPending ? 'loading' : (reset?.status ?? 'none'),
    total: reset?.total ?? 0,
    links: reset?.links ?? null,
    hasFailed: reset?.status === 'none',
    start: begin.mutateAsync,
    clear: () => setResetId(null),
  };
}
