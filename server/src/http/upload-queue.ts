import { UPLOAD_BYTES } from '#contract/limits.ts';
import { BoundedQueue } from '../bounded-queue.ts';
import { AppError } from './errors.ts';

const RETRY_AFTER_SECONDS = 5;
/** Uploads of one user, running and waiting. */
const MAX_PER_USER = 3;

const overloaded = () =>
  new AppError('too_many_requests', {
    retryAfter: RETRY_AFTER_SECONDS,
    text: 'The server is busy reading other files. Wait a moment, then send this file again.',
  });

const uploads = new BoundedQueue({ concurrency: 6, maxWaiting: 20, overloaded });
/** Larger uploads than those of the import: each takes several times its size while it is read. */
const largeUploads = new BoundedQueue({ concurrency: 1, maxWaiting: 10, overloaded });
const countByUser = new Map<number, number>();

function addToCount(userId: number, change: 1 | -1): void {
  const count = (countByUser.get(userId) ?? 0) + change;
  if (count > 0) countByUser.set(userId, count);
  else countByUser.delete(userId);
}

/**
 * Runs the handling of an upload when a slot is free. Called before the body is read, so that a waiting upload uses no
 * memory.
 * @param maxBytes what the call accepts; above the limit of the import, one upload runs at a time
 * @param signal fires when the client has gone
 * @throws too_many_requests with `retryAfter`, when this process or this user has too many uploads
 */
export async function runUpload<T>(
  userId: number,
  maxBytes: number,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  if ((countByUser.get(userId) ?? 0) >= MAX_PER_USER) throw overloaded();
  addToCount(userId, 1);
  try {
    return await (maxBytes > UPLOAD_BYTES ? largeUploads : uploads).run(work, signal);
  } finally {
    addToCount(userId, -1);
  }
}
