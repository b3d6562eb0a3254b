import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BROWSERS } from '../web/build/browsers.ts';
import { findTooNew } from './built-scripts.ts';

const ROOT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'portal-scripts-'));
beforeEach(() => mkdirSync(folder, { recursive: true }));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('finds functions that an older browser lacks, in the file that uses them', async () => {
  writeFileSync(join(folder, 'fine.js'), 'export const last = [1].at(-1);\nexport const text = "a".toWellFormed();');
  writeFileSync(join(folder, 'function.js'), 'export const { promise } = Promise.withResolvers();');
  writeFileSync(join(folder, 'worker.mjs'), 'export const all = await Array.fromAsync([]);');
  const found = await findTooNew(folder);
  expect(found).toHaveLength(2);
  expect(found.join('\n')).toContain('PromiseWithResolvers (chrome 111 requires 119');
  expect(found.join('\n')).toContain('worker.mjs');
});

it('accepts a newer function only in a script that adds this function where it is missing', async () => {
  const use = 'export const { promise } = Promise.withResolvers();';
  writeFileSync(join(folder, 'replaced.js'), `Promise.withResolvers??=()=>({});${use}`);
  expect(await findTooNew(folder)).toEqual([]);
  writeFileSync(join(folder, 'other.js'), use);
  writeFileSync(join(folder, 'more.js'), `Promise.withResolvers??=()=>({});${use}Promise.try(() => 0);`);
  const found = (await findTooNew(folder)).toSorted();
  expect(found).toHaveLength(2);
  expect(found[0]).toMatch(/more\.js: Unsupported features detected: PromiseTry/);
  expect(found[1]).toMatch(/other\.js: Unsupported features detected: PromiseWithResolvers/);
});

it('finds syntax that an older browser lacks', async () => {
  writeFileSync(join(folder, 'syntax.js'), 'export const isMatch = /[a--b]/v.test("a");');
  expect(await findTooNew(folder)).toHaveLength(1);
});

it.each(['README.md', 'content/help/faq/10.md', 'web/index.html'])('%s names the oldest browsers', (path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const names = { chrome: 'Chrome (?:and|or) Edge', edge: 'Edge', firefox: 'Firefox', safari: 'Safari', ios: 'iPadOS' };
  for (const browser of BROWSERS) {
    const [, name = '', version = ''] = /^([a-z]+)([\d.]+)$/.exec(browser) ?? [];
    expect(text).toMatch(new RegExp(`${names[name as keyof typeof names]} ${version.replace('.', '\\.')}`));
  }
});
