import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const MANTINE_ID = /^\.\.?\/use-id\/use-id\.mjs$/;
const OUR_ID = resolve(import.meta.dirname, '../src/ui/mantine-id.ts');

/** Replaces Mantine's `useId` with ours. Fails the build when Mantine has moved its own. */
export function mantineId(): Plugin {
  let isReplaced = false;
  return {
    name: 'mantine-id',
    enforce: 'pre',
    resolveId(source) {
      if (!MANTINE_ID.test(source)) return null;
      isReplaced = true;
      return OUR_ID;
    },
    buildEnd(error) {
      if (!error && this.environment.mode === 'build' && !isReplaced)
        this.error("Mantine's useId was not found, so it was not replaced: see web/build/mantine-id.ts.");
    },
  };
}
