import { UPLOAD_BYTES } from '#contract/limits.ts';
import { BoundedQueue, type WorkOwner } from '../bounded-queue.ts';
import { AppError } from '../errors.ts';

const RETRY_AFTER_SECONDS = 5;
/** Uploads of one person, running and waiting. */
const MAX_PER_PERSON = 3;

const overloaded = () =>
  new AppError('too_many_requests', {
    retryAfter: RETRY_AFTER_SECONDS,
    text: 'The server is busy reading other files. Wait a moment, then send this file again.',
  });

/** Counts the uploads of each person in both queues. */
const admitted = new BoundedQueue({
  concurrency: Infinity,
  maxWaiting: 0,
  perPerson: { running: MAX_PER_PERSON, waiting: 0 },
  overloaded,
});
const uploads = new BoundedQueue({ concurrency: 6, maxWaiting: 20, overloaded });
/** Larger uploads than those of the import: each takes several times its size while it is read. */
const largeUploads = new BoundedQueue({ concurrency: 1, maxWaiting: 10, overloaded });

/**
 * Runs the handling of an upload when a slot is free. Called before the body is read, so that a waiting upload uses no
 * memory.
 * @param maxBytes what the call accepts; above the limit of the import, one upload runs at a time
 * @param signal fires when the client has gone
 * @throws too_many_requests with `retryAfter`, when this process or this person has too many uploads
 */
export const runUpload = <T>(
  owner: WorkOwner,
  maxBytes: number,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> => admitted.run(owner, () => (maxBytes > UPLOAD_BYTES ? largeUploads : uploads).run(owner, work, signal));
