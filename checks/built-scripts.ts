import { join } from 'node:path';
import { runChecks } from 'es-check';
import { BROWSERS } from '../web/build/browsers.ts';

/** Part of ES2024, but all browsers of the floor have it. */
const EARLY_FEATURES = 'StringToWellFormed';

/** pdf.js brings its own replacements for what an older browser lacks, and a preview that fails offers the file. */
const OWN_REPLACEMENTS = /\/(PreviewPages|pdf\.worker\.min)-[\w-]+\.m?js$/;

/**
 * Lists the scripts of a folder that use syntax or a function that one of the oldest browsers lacks. `build.target`
 * covers syntax, but no functions.
 */
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
