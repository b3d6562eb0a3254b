import { answersFilesAlone, type Call } from '#contract/call.ts';
import { BoundedQueue, type WorkOwner } from '../bounded-queue.ts';
import { AppError } from '../errors.ts';

/** Files of one person: one at work and four that wait, as in the worker pool. */
const MAX_PER_PERSON = 5;
const RETRY_AFTER_S = 5;

/** Counts the requests for files of each person. */
const admitted = new BoundedQueue({
  concurrency: Infinity,
  maxWaiting: 0,
  perPerson: { running: MAX_PER_PERSON, waiting: 0 },
  overloaded: () => new AppError('busy', { retryAfter: RETRY_AFTER_S }),
});

/** Whether a request is for a file; a call with files may also return JSON. */
export const isForFile = (call: Pick<Call, 'files' | 'reply'>, query: { output?: unknown }): boolean =>
  call.files.length > 0 && (answersFilesAlone(call) || (query.output ?? 'json') !== 'json');

/**
 * Runs a request for a file. One too many is rejected before the database reads what the file would contain.
 * @throws busy with `retryAfter`, when the person already waits for five files of this process
 */
export const runForFile = <T>(owner: WorkOwner, work: () => Promise<T>): Promise<T> => admitted.run(owner, work);
