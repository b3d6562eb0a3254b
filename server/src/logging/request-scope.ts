import { AsyncLocalStorage } from 'node:async_hooks';
import type { WorkOwner } from '../bounded-queue.ts';

/** What all work for one request shares, including its jobs. */
interface RequestScope {
  /** Logged on each line and sent as `x-request-id`. */
  readonly requestId: string;
  /** Whose turn this work takes in the queues. */
  readonly owner: WorkOwner;
  /** The span that this work belongs to, if traces are recorded; opaque to other modules. */
  readonly span?: unknown;
  /** While a page is rendered: what its calls look up once, by key; opaque to other modules. */
  readonly lookups?: Map<string, Promise<unknown>>;
}

const scopes = new AsyncLocalStorage<RequestScope>();

/** Runs work as part of a request. */
export const runInRequest = <T>(scope: RequestScope, work: () => T): T => scopes.run(scope, work);

/** The request that the current work belongs to; undefined outside a request. */
export const currentRequest = (): RequestScope | undefined => scopes.getStore();

/** Owns the work of commands, of the start and of jobs for no school. */
const PORTAL: WorkOwner = { school: 'portal', person: 'portal' };

/** Whose turn the current work takes in the queues. */
export const currentOwner = (): WorkOwner => currentRequest()?.owner ?? PORTAL;
