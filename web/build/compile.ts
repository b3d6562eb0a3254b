import { build } from 'vite';
import { BROWSERS } from './browsers.ts';
import { stripContractSchemas } from './strip-contract-schemas.ts';

/** Builds a script of its own, in one file. */
export async function compile(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [stripContractSchemas()],
    build: {
      write: false,
      target: BROWSERS,
      lib: { entry, formats: ['iife'], name: 'script', fileName: 'script' },
      minify: true,
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error(`${entry} gave no script`);
  return output.output[0].code.trim();
}
