import { AppError } from './errors.ts';

/** Uploads of this process that are read into memory and worked on at once. */
const MAX_ACTIVE = 6;
/** Uploads that wait beside them; their bodies stay with the senders. */
const MAX_WAITING = 20;
/** Uploads of one user, active and waiting. */
const MAX_PER_USER = 3;
const RETRY_AFTER_SECONDS = 5;

let active = 0;
const waiting = new Set<() => void>();
const byUser = new Map<number, number>();

function countUser(userId: number, by: 1 | -1): void {
  const count = (byUser.get(userId) ?? 0) + by;
  if (count > 0) byUser.set(userId, count);
  else byUser.delete(userId);
}

/**
 * Waits for the turn of an upload; called before its body is read, so that what waits holds no memory.
 * @param signal given up when it fires: the sender has gone
 * @returns what ends the turn
 * @throws too_many_requests with `retryAfter`, when too many wait in this process or of this user
 */
export async function enterUploadQueue(userId: number, signal: AbortSignal): Promise<() => void> {
  if (waiting.size >= MAX_WAITING || (byUser.get(userId) ?? 0) >= MAX_PER_USER)
    throw new AppError('too_many_requests', {
      retryAfter: RETRY_AFTER_SECONDS,
      text: 'Other files are being read. Wait a moment, then send this one again.',
    });
  countUser(userId, 1);
  if (active < MAX_ACTIVE) active += 1;
  else
    await new Promise<void>((start) => {
      waiting.add(start);
      signal.addEventListener('abort', () => {
        // One that has its turn already goes on, and ends it where it finds the body cut off.
        if (waiting.delete(start)) {
          active += 1;
          start();
        }
      });
    });
  return () => {
    countUser(userId, -1);
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else active -= 1;
  };
}
