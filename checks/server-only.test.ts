import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SERVER_ONLY_FILES, SERVER_ONLY_TESTS } from '#server/testing/server-only.ts';

const root = join(import.meta.dirname, '..');

const tests = ['server/src', 'seeds'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => `${folder}/${path}`),
);

/** A test that is left out, or ends early, without a server. */
const CONDITION =
  /\b(if|runIf) ?\(\s*(inject\('template'\)\.kind === 'server'|template\.kind === 'server'|isServer\b)|engine\.kind (=== 'embedded'|!== 'server')\) return/;

/** Shrinks with the lists. */
const MAX_FILES = 32;

test('every server test that needs PostgreSQL is on the list of those, with a reason', () => {
  const conditional = tests.filter(
    (path) => !(path in SERVER_ONLY_FILES) && CONDITION.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(Object.keys(SERVER_ONLY_TESTS).sort()).toEqual(conditional.sort());
  const listed = [...Object.keys(SERVER_ONLY_FILES), ...Object.keys(SERVER_ONLY_TESTS)];
  expect(listed.filter((path) => !tests.includes(path))).toEqual([]);
  expect(listed.length).toBeLessThanOrEqual(MAX_FILES);
});
