import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { loginCardCalls, type PasswordReset } from '#contract/calls/login-cards.ts';
import { ApiError } from '../../shared/api-error.ts';
import { call } from '../../shared/api-client.ts';
import { apiQuery } from '../../shared/api-query.ts';
import type { FirstQueries } from '../../shared/first-queries.ts';
import { useUser } from '../../shared/session.ts';
import { keepRecentCards } from './model/recent-cards.ts';

const POLL_INTERVAL_MS = 1_500;

/** A reset of passwords as a screen follows it. */
export interface ResetState {
  /** Names the new logins; null where none were asked for here. */
  id: string | null;
  status: PasswordReset['status'];
  /** Pupils whose passwords are reset. */
  total: number;
  links: PasswordReset['links'];
  /** True when the work itself failed after it had been accepted. */
  hasFailed: boolean;
  start: (pupils: readonly number[]) => Promise<{ reset: PasswordReset }>;
  /** Forgets a reset that is over, so that the next one can start. */
  clear: () => void;
}

/** How far a reset of passwords is. Answers only whoever asked for it. */
export const passwordResetQuery = (id: number, resetId: string) =>
  apiQuery(loginCardCalls.getPasswordReset, { params: { id, resetId } });

interface ResetQueryState {
  data?: { reset: PasswordReset } | undefined;
  error: unknown;
}

/** Milliseconds until the reset is requested again; false once it is over, and where the server rejects the request. */
function nextPollMs({ data, error }: ResetQueryState): number | false {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500)
    return error.retryAfter ? error.retryAfter * 1000 : false;
  return (data?.reset.status ?? 'loading') === 'loading' && POLL_INTERVAL_MS;
}

/** The same, requested again until the new logins are ready. */
export const followedResetQuery = (id: number, resetId: string) => ({
  ...passwordResetQuery(id, resetId),
  refetchInterval: ({ state }: { state: ResetQueryState }) => nextPollMs(state),
});

/** The new logins themselves, to be shown. They are never drawn on the server: passwords stay out of documents. */
export const newLoginsQuery = (id: number, resetId: string) =>
  apiQuery(loginCardCalls.listNewLogins, { params: { id, resetId } });

export const loginsPageQueries: FirstQueries = ({ schoolId, params: { id } }) =>
  id === undefined ? [] : [passwordResetQuery(schoolId, id)];

/** Resets pupils' passwords: a job on the server, asked after until its cards are there. */
export function usePasswordReset(id: number): ResetState {
  const userId = useUser().id;
  const [resetId, setResetId] = useState<string | null>(null);
  const begin = useMutation({
    mutationFn: (pupils: readonly number[]) =>
      call(loginCardCalls.resetPasswords, { params: { id }, body: { reader_ids: [...pupils] } }),
    onMutate: () => setResetId(null),
    onSuccess: ({ reset }, pupils) => {
      setResetId(reset.id);
      keepRecentCards({ userId, resetId: reset.id, pupilIds: [...pupils], at: Date.now() });
    },
  });
  const job = useQuery({
    ...followedResetQuery(id, resetId ?? ''),
    enabled: resetId !== null,
  });
  const reset = resetId === null ? undefined : (job.data?.reset ?? begin.data?.reset);
  return {
    id: resetId,
    status: begin.isPending ? 'loading' : (reset?.status ?? 'none'),
    total: reset?.total ?? 0,
    links: reset?.links ?? null,
    hasFailed: reset?.status === 'none',
    start: begin.mutateAsync,
    clear: () => setResetId(null),
  };
}

/** Makes new login cards while the person waits. */
export function useMakeLoginCards(id: number) {
  const userId = useUser().id;
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (pupils: readonly number[]) => {
      const { reset } = await call(loginCardCalls.makeLoginCards, {
        params: { id },
        body: { reader_ids: [...pupils] },
      });
      keepRecentCards({ userId, resetId: reset.id, pupilIds: [...pupils], at: Date.now() });
      client.setQueryData(passwordResetQuery(id, reset.id).queryKey, { reset });
      return reset;
    },
  });
}
