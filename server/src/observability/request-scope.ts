import { AsyncLocalStorage } from 'node:async_hooks';

/** What all work for one request has in common, its jobs too. */
interface RequestScope {
  /** In each line of the log and in the answer's `x-request-id`. */
  readonly requestId: string;
  /** The span that this work is part of, where traces are taken; opaque to everybody else. */
  readonly span?: unknown;
}

const scopes = new AsyncLocalStorage<RequestScope>();

/** Runs work as part of a request. */
export const runInRequest = <T>(scope: RequestScope, work: () => T): T => scopes.run(scope, work);

/** The request that the running work is part of; undefined outside of any. */
export const currentRequest = (): RequestScope | undefined => scopes.getStore();
