import { relative } from 'node:path';
import type { Plugin } from 'vite';

const PAGE = /\/\w+Page\.tsx$/;

/** Tells the server of each screen which source it comes from, as the manifest of the browser's build names it. */
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
