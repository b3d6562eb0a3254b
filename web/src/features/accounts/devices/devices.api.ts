import { useMutation } from '@tanstack/react-query';
import { sessionCalls } from '#contract/calls/sessions.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** Where the user is logged in. Not for support, who cannot see it. */
export const sessionsQuery = () => apiQuery(sessionCalls.listSessions, {});

export const securityPageQueries: FirstQueries = () => [sessionsQuery()];

const affected = { awaits: [sessionCalls.listSessions], renews: [] };

/** Logs out one device. */
export const useEndSession = () =>
  useInvalidatingMutation(
    (loginSessionId: string) => call(sessionCalls.endSession, { params: { loginSessionId } }),
    affected,
  );

/** Logs out all devices but this one. */
export const useEndOtherSessions = () => useInvalidatingMutation(() => call(sessionCalls.endOtherSessions), affected);

/** Logs out the device that an email is about. */
export const useEndSessionByLink = (token: string) =>
  useMutation({ mutationFn: () => call(sessionCalls.endSessionByLink, { body: { token } }) });
