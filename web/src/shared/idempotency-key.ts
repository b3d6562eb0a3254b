import { useState } from 'react';

function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

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
