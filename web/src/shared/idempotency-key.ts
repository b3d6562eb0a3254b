import { useState } from 'react';

/** A key of 128 random bits, as hexadecimal digits. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

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
