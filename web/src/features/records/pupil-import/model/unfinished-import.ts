import { currentTime } from '../../../../shared/page-scope.ts';
import { privateKey, store } from '../../../../shared/storage.ts';
import { useStored } from '../../../../shared/use-stored.ts';
import type { Creation } from '../pupil-import.api.ts';

/**
 * An import that this browser sent without receiving the reply. Sent again with the same idempotency key, it returns
 * the first reply, and is carried out only if the first request never arrived.
 */
export interface UnfinishedImport {
  userId: number;
  /** When it was first sent. */
  at: number;
  request: Creation;
}

const KEY = privateKey('unfinished-import');
/** The API keeps an idempotency key for a day. */
const LIFE_MS = 24 * 3_600_000;

export const storeUnfinishedImport = (value: UnfinishedImport | null): void => store(KEY, value);

/** The user's unfinished import from this browser; null while the page hydrates. */
export function useUnfinishedImport(userId: number): UnfinishedImport | null {
  const stored = useStored(KEY) as UnfinishedImport | null;
  const isCurrent =
    stored?.userId === userId && currentTime() - stored.at < LIFE_MS && Array.isArray(stored.request?.pupils);
  return isCurrent ? stored : null;
}
