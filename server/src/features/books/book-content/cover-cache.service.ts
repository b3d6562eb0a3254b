import { LRUCache } from 'lru-cache';

const MAX_BYTES = 48 * 1024 * 1024;

/** The most recently requested covers. Keys count towards the size, so that it limits the memory used. */
export const createCoverCache = (maxBytes = MAX_BYTES): LRUCache<string, Buffer> =>
  new LRUCache({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 16,
    sizeCalculation: (bytes, key) => bytes.length + key.length,
  });
