import { relative } from 'node:path';
import type { Plugin } from 'vite';

const PAGE = /\/\w+Page\.tsx$/;

/** Exports from each screen the name of its source, as the manifest of the browser's build has it, for the server. */
export function moduleIds(): Plugin {
  let root = '';
  return {
    name: 'module-ids',
    applyToEnvironment: ({ name }) => name === 'ssr',
    configResolved(config) {
      root = config.root;
    },
    transform: (code, id) =>
      PAGE.test(id)
        ? { code: `${code}\nexport const moduleId = ${JSON.stringify(relative(root, id))};`, map: null }
        : null,
  };
}
