import { runInWorker } from '../../../workers/worker-pool.ts';

/** The limits for rendering a document. */
export const RENDERING_LIMITS = { cpuMs: 20_000 };

/** Caches a slow document that is the same for everyone: rendered at the first request, and again after a failure. */
export function cacheDocument<Key extends string>(render: (key: Key, product: string) => Promise<Uint8Array>) {
  const cache = new Map<string, Promise<Buffer>>();
  return (key: Key, product: string): Promise<Buffer> => {
    const cacheKey = `${key} ${product}`;
    const found = cache.get(cacheKey) ?? render(key, product).then((bytes) => Buffer.from(bytes));
    cache.set(cacheKey, found);
    found.catch(() => cache.delete(cacheKey));
    return found;
  };
}

/** The user guide as a PDF, with the product's name. */
export const userGuide = cacheDocument((_: 'guide', product) =>
  runInWorker('renderGuide', { product }, RENDERING_LIMITS),
);
