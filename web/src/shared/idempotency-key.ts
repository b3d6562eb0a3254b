import { useState } from 'react';
import { randomKey } from './random-key.ts';

/**
 * Returns the same key for the same request, so that the server carries it out once: `keyFor(body)`. Another body
 * gets another key. `forget()` lets the same body count as a new request.
 */
export function useIdempotencyKey(): { keyFor: (body: unknown) => string; forget: () => void } {
  const [keys] = useState(() => new Map<string, string>());
  return {
    keyFor: (body) => {
      const text = JSON.stringify(body);
      const key = keys.get(text) ?? randomKey();
      keys.set(text, key);
      return key;
    },
    forget: () => keys.clear(),
  };
}
