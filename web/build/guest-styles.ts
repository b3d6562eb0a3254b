import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const LIST = 'src/guest-styles.ts';

/** Keeps the CSS modules that `guest-styles.ts` imports in the app's style sheet, although no script of the app uses them. */
export function guestStyles(): Plugin {
  const kept = new Set<string>();
  return {
    name: 'guest-styles',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    // After Vite, which marks CSS modules as free of side effects.
    enforce: 'post',
    configResolved({ root }) {
      const list = join(root, LIST);
      for (const [, path] of readFileSync(list, 'utf8').matchAll(/^import '(.+)';$/gm))
        kept.add(resolve(dirname(list), path!));
    },
    transform: (code, id) => (kept.has(id) ? { code, map: null, moduleSideEffects: 'no-treeshake' } : null),
  };
}
