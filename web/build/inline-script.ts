import { join } from 'node:path';
import type { Plugin } from 'vite';
import { compile } from './compile.ts';

/** Puts `inline-script.ts` into index.html. */
export function inlineScript(): Plugin {
  let root = '';
  return {
    name: 'inline-script',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved(config) {
      root = config.root;
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        const script = await compile(join(root, 'inline-script.ts'));
        return html.replace('<!--inline-script-->', () => `<script>${script.replaceAll('</', '<\\/')}</script>`);
      },
    },
  };
}
