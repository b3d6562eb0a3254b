import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from 'es-check';
import { BROWSERS } from '../web/build/browsers.ts';

/** Part of ES2024, but all browsers of the floor have it. */
const EARLY_FEATURE = 'StringToWellFormed';

/** A function that core-js adds where it is missing, as pdf.js's legacy build contains it. */
const inCoreJs = (name: string) => new RegExp(`\\},\\{${name}:`);

/** A function that a module of ours adds where it is missing. */
const inOurs = (name: string) => new RegExp(`\\.${name}\\?\\?=`);

/** A test for a native function: core-js calls it in a `try`, and replaces `JSON.parse` and `stringify` if that fails. */
const RAW_JSON_TEST = /\(function\(\)\{var \w+=`9007199254740993`/;

/**
 * es-check reports these also in a script that runs without them. They are accepted in a script that has the code which
 * replaces the feature, or tests for it.
 */
const REPLACEMENTS: Record<string, RegExp> = {
  ArrayBufferTransferToFixedLength: inOurs('transferToFixedLength'),
  Float16Array: /typeof Float16Array/,
  Iterator: inCoreJs('Iterator'),
  JSONIsRawJSON: RAW_JSON_TEST,
  JSONRawJSON: RAW_JSON_TEST,
  MapGetOrInsert: inCoreJs('getOrInsert'),
  MapGetOrInsertComputed: inCoreJs('getOrInsertComputed'),
  MathSumPrecise: inCoreJs('sumPrecise'),
  PromiseTry: inCoreJs('try'),
  PromiseWithResolvers: inOurs('withResolvers'),
  SetIntersection: inCoreJs('intersection'),
  Uint8ArrayFromBase64: inCoreJs('fromBase64'),
  Uint8ArraySetFromBase64: inCoreJs('setFromBase64'),
  Uint8ArraySetFromHex: inCoreJs('setFromHex'),
  Uint8ArrayToBase64: inCoreJs('toBase64'),
  Uint8ArrayToHex: inCoreJs('toHex'),
};

/**
 * Lists the scripts of a folder that use syntax or a function that one of the oldest browsers lacks. `build.target`
 * covers syntax, but no functions.
 */
export async function findTooNew(folder: string): Promise<string[]> {
  const query = BROWSERS.map((name) => name.replace(/^ios/, 'ios_saf').replace(/(?<=[a-z])(?=\d)/, ' ')).join(', ');
  const results = globSync(join(folder, '**/*.{js,mjs}')).map((file) => {
    const script = readFileSync(file, 'utf8');
    const replaced = Object.keys(REPLACEMENTS).filter((feature) => REPLACEMENTS[feature]!.test(script));
    // One call for each script, because a call ends after the first configuration with an error.
    return runChecks([
      {
        files: [file],
        module: true,
        checkBrowser: true,
        browserslistQuery: query,
        checkFeatures: true,
        allowList: [EARLY_FEATURE, ...replaced].join(','),
      },
    ]);
  });
  return (await Promise.all(results)).flatMap(({ errors }) => errors.map(({ file, err }) => `${file}: ${err.message}`));
}
