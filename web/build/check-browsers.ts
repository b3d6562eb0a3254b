import { join } from 'node:path';
import { runChecks } from 'es-check';
import type { Plugin } from 'vite';

/** The oldest browsers that run the app. Also in index.html, README.md and the FAQ. */
export const BROWSERS = ['chrome111', 'edge111', 'firefox121', 'safari16.4', 'ios16.4'];

/** Part of ES2024, but all browsers of the floor have it. */
const EARLY_FEATURES = 'StringToWellFormed';

/** pdf.js brings its own replacements for what an older browser lacks, and a preview that fails offers the file. */
const OWN_REPLACEMENTS = /\/(PreviewPages|pdf\.worker\.min)-[\w-]+\.m?js$/;

/** Lists the scripts of a folder that use a function that one of these browsers lacks. */
export async function findTooNew(folder: string): Promise<string[]> {
  const query = BROWSERS.map((name) => name.replace(/^ios/, 'ios_saf').replace(/(?<=[a-z])(?=\d)/, ' ')).join(', ');
  const { errors } = await runChecks([
    {
      files: ['js', 'mjs'].map((type) => join(folder, `**/*.${type}`)),
      looseGlobMatching: true,
      module: true,
      checkBrowser: true,
      browserslistQuery: query,
      checkFeatures: true,
      allowList: EARLY_FEATURES,
    },
  ]);
  return errors.filter(({ file }) => !OWN_REPLACEMENTS.test(file)).map(({ file, err }) => `${file}: ${err.message}`);
}

/** Fails the build when a script needs a newer browser than the floor. `build.target` covers syntax, but no functions. */
export function checkBrowsers(): Plugin {
  return {
    name: 'check-browsers',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async writeBundle({ dir = '' }) {
      const tooNew = await findTooNew(dir);
      if (tooNew.length > 0) this.error(tooNew.join('\n'));
    },
  };
}
