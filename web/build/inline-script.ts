import { join } from 'node:path';
import { build, type Plugin } from 'vite';

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
        return html.replace('<!--inline-script-->', () => `<script>${script}</script>`);
      },
    },
  };
}

async function compile(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry, formats: ['iife'], name: 'inlineScript', fileName: 'inline-script' },
      minify: true,
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error('inline-script.ts gave no script');
  return output.output[0].code.trim().replaceAll('</', '<\\/');
}
