import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { loginCardCalls, type PasswordReset } from '#contract/calls/login-cards.ts';
import { ApiError } from '../../../shared/api-error.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { useUser } from '../../../shared/session.ts';
import { currentTime } from '../../../shared/page-scope.ts';
import { callForPresent } from '../../../ui/present-pupils.ts';
import { keepRecentCards } from './model/recent-cards.ts';

const POLL_INTERVAL_MS = 1_500;

interface NamedPupil {
  id: number;
  name: string;
}

/** A password reset as its dialog follows it. */
export interface ResetState {
  /** ID of the new logins; null before the reset has started. */
  id: string | null;
  status: PasswordReset['status'];
  /** The request has been sent, and its reply has not arrived. */
  isStarting: boolean;
  /** Why the reset did not start; null without an error. */
  error: unknown;
  /** The job failed after it had been accepted. */
  hasFailed: boolean;
  /** Pupils whose passwords are reset. */
  total: number;
  links: PasswordReset['links'];
  start: (pupils: readonly NamedPupil[]) => void;
  /** The pupils whose passwords are reset: those who still exist. */
  pupils: readonly NamedPupil[] | undefined;
  /** Returns to the beginning, for the next reset. */
  clear: () => void;
}

/** The progress of a password reset. Only for the user who started it. */
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

/** The same, polled until the new logins are ready. */
export const followedResetQuery = (id: number, resetId: string) => ({
  ...passwordResetQuery(id, resetId),
  refetchInterval: ({ state }: { state: ResetQueryState }) => nextPollMs(state),
});

/** The new logins themselves. The server never renders them, so that documents contain no passwords. */
const newLoginsQuery = (id: number, resetId: string) =>
  apiQuery(loginCardCalls.listNewLogins, { params: { id, resetId } });

/** Which logins: those of a reset, or those of new pupils by the token of their link. */
export type LoginSource = { resetId: string } | { token: string };

/** The logins of new pupils. The token is sent in the body of a POST, so that no log has it. */
const createdLoginsQuery = (id: number, token: string) =>
  queryOptions({
    queryKey: [loginCardCalls.showCreatedLogins.path, id, token],
    queryFn: () => call(loginCardCalls.showCreatedLogins, { params: { id }, body: { token } }),
  });

export const useNewLoginCards = (id: number, source: LoginSource) => {
  // Passwords are removed from memory with the page, and never change while it is open.
  const options = { gcTime: 0, staleTime: Infinity };
  const ofReset = useQuery({
    ...newLoginsQuery(id, 'resetId' in source ? source.resetId : ''),
    ...options,
    enabled: 'resetId' in source,
  });
  const created = useQuery({
    ...createdLoginsQuery(id, 'token' in source ? source.token : ''),
    ...options,
    enabled: 'token' in source,
  });
  return 'token' in source ? created : ofReset;
};

/** Whether the ID in a page's URL is that of a reset, and not the token of a link to a file. */
export const isResetId = (id: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

export const loginsPageQueries: FirstQueries = ({ schoolId, params: { id = '' } }) =>
  isResetId(id) ? [passwordResetQuery(schoolId, id)] : [];

/** Resets pupils' passwords, and polls while a job on the server makes many new ones. */
export function usePasswordReset(id: number): ResetState {
  const userId = useUser().id;
  const begin = useMutation({
    mutationFn: async (pupils: readonly NamedPupil[]) => {
      const { present, reply } = await callForPresent(pupils, (found) =>
        call(loginCardCalls.resetPasswords, { params: { id }, body: { reader_ids: found.map((pupil) => pupil.id) } }),
      );
      const pupilIds = present.map((pupil) => pupil.id);
      keepRecentCards({ userId, resetId: reply.reset.id, pupilIds, at: currentTime() });
      return { reset: reply.reset, pupils: present };
    },
  });
  const started = begin.data?.reset;
  const job = useQuery({
    ...followedResetQuery(id, started?.id ?? ''),
    enabled: started?.status === 'loading',
  });
  const reset = started && (job.data?.reset ?? started);
  return {
    id: started?.id ?? null,
    status: begin.isPending ? 'loading' : (reset?.status ?? 'none'),
    isStarting: begin.isPending,
    error: begin.error,
    hasFailed: reset?.status === 'none',
    total: reset?.total ?? 0,
    links: reset?.links ?? null,
    start: begin.mutate,
    pupils: begin.data?.pupils,
    clear: begin.reset,
  };
}
