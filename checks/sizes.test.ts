import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BREAKPOINTS } from '../web/build/breakpoints.ts';
import { findOtherSizes, STICKY, STICKY_SHEET } from './sizes.ts';

const sheets = globSync('web/src/**/*.css');
const styles = sheets.map((path) => readFileSync(path, 'utf8')).join('\n');

it.each([
  'font-size: 0.9rem;',
  'font-size: 13px;',
  'font-size: 0.92em;',
  'font: 700 1.5rem/1.25 var(--font-screen);',
  'gap: 0.6rem var(--space-m);',
  'margin: 0 -8px;',
  'padding-inline-start: calc(var(--space-s) + 0.25rem);',
  '@media (max-width: 600px) {',
  '@media (min-width: 900px) and (max-width: 1000px) {',
])('finds %s', (line) => {
  expect(findOtherSizes(`.a {\n${line}\n}`)).toEqual([{ line: 2, text: line }]);
});

it.each([
  'font-size: var(--text-s);',
  'font: inherit;',
  'font: 700 1.5rem/1.25 var(--font-child);',
  'gap: var(--space-s) 0;',
  'margin: -1px auto 0 calc(-1 * var(--space-xs));',
  'padding: 0 0.5em;',
  'scroll-margin-top: 48px;',
  '@media (--phone) {',
  '@media print {',
  '@container (max-width: 36rem) {',
])('leaves %s', (line) => {
  expect(findOtherSizes(line)).toEqual([]);
});

it('style sheets use only tokens and named breakpoints, and every token and breakpoint is used', () => {
  expect(sheets.length).toBeGreaterThan(80);
  const other = sheets.flatMap((path) =>
    findOtherSizes(readFileSync(path, 'utf8')).map(({ line, text }) => `${path}:${line}: ${text}`),
  );
  expect(other).toEqual([]);
  const tokens = readFileSync('web/src/ui/tokens.css', 'utf8');
  const there = [...tokens.matchAll(/^ *(--(?:text|space)-[\w-]+):/gm)].map(([, token]) => token);
  const used = [...styles.matchAll(/var\((--(?:text|space)-[\w-]+)\)/g)].map(([, token]) => token);
  expect([...new Set(used)].toSorted()).toEqual(there.toSorted());
  expect(Object.keys(BREAKPOINTS).filter((breakpoint) => !styles.includes(`(${breakpoint})`))).toEqual([]);
});

it('only base.css makes something stick, so that the focus is never hidden under it', () => {
  expect(sheets.filter((path) => readFileSync(path, 'utf8').includes(STICKY))).toEqual([STICKY_SHEET]);
  const components = globSync('web/src/**/*.{ts,tsx}').filter((path) => !/\.test\./.test(path));
  expect(components.filter((path) => /position: '(sticky|fixed)'/.test(readFileSync(path, 'utf8')))).toEqual([]);
});
