import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BREAKPOINTS, findOtherSizes } from './sizes.ts';

const sheets = globSync('web/src/**/*.css');
const styles = sheets.map((path) => readFileSync(path, 'utf8')).join('\n');

it.each([
  'font-size: 0.9rem;',
  'font-size: 13px;',
  'font-size: 0.92em;',
  'font: 700 1.5rem/1.25 var(--font-screen);',
  '@media (max-width: 600px) {',
  '@media (min-width: 900px) and (max-width: 1000px) {',
])('finds %s', (line) => {
  expect(findOtherSizes(`.a {\n${line}\n}`)).toEqual([{ line: 2, text: line }]);
});

it.each([
  'font-size: var(--text-s);',
  'font: inherit;',
  'font: 700 1.5rem/1.25 var(--font-child);',
  '@media (max-width: 599.98px) {',
  '@media print {',
  '@container (max-width: 36rem) {',
])('leaves %s', (line) => {
  expect(findOtherSizes(line)).toEqual([]);
});

it('every style sheet has its sizes of text from tokens, which are there, and changes at the breakpoints alone, each of which is used', () => {
  expect(sheets.length).toBeGreaterThan(80);
  const other = sheets.flatMap((path) =>
    findOtherSizes(readFileSync(path, 'utf8')).map(({ line, text }) => `${path}:${line}: ${text}`),
  );
  expect(other).toEqual([]);
  const tokens = readFileSync('web/src/ui/tokens.css', 'utf8');
  for (const [, token] of styles.matchAll(/var\((--text-[\w-]+)\)/g)) expect(tokens).toContain(`${token}:`);
  expect(BREAKPOINTS.filter((breakpoint) => !styles.includes(`(${breakpoint})`))).toEqual([]);
});
