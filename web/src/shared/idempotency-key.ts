import { useState } from 'react';
import { randomKey } from './random-key.ts';

/**
 * Keys under which the same request is done once, however often it is sent: `keyFor(body)`. Another body is
 * another request and gets another key; so does the same one after `forget()`, when it is meant a second time.
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
