import { join } from 'node:path';
import type { Plugin } from 'vite';
import { compile } from './compile.ts';

const ENTRY = 'src/entry-guest.ts';

/**
 * Builds the script of the pages without the app, apart from the app: files that both used would contain what only the
 * app needs. The manifest names it.
 */
export function guestScript(): Plugin {
  let root = '';
  return {
    name: 'guest-script',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved(config) {
      root = config.root;
    },
    async generateBundle() {
      const source = await compile(join(root, ENTRY));
      this.emitFile({ type: 'asset', name: 'guest.js', originalFileName: ENTRY, source });
    },
  };
}
