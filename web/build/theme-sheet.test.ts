import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defaultCssVariablesResolver, DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { expect, it } from 'vitest';
import { cssVariables, theme } from '../src/ui/theme.ts';
import { sheetOfTheme } from './theme-sheet.ts';

const WEB = resolve(import.meta.dirname, '../src');
const STYLES = resolve(import.meta.dirname, '../../node_modules/@mantine/core/styles');

/** The values of a selector's variables, in the layer or over it. */
function variablesOf(sheet: string, selector: string): Record<string, string> {
  const blocks = sheet.split('}').filter((block) => block.replace('@layer mantine {', '').trim().startsWith(selector));
  return Object.fromEntries(
    blocks
      .flatMap((block) => block.slice(block.lastIndexOf('{') + 1).split(';'))
      .map((line) => line.split(': ', 2) as [string, string])
      .filter(([name]) => name),
  );
}

it('the theme’s style sheet has every variable of Mantine that its styles and ours use', async () => {
  const imported = [...readFileSync(join(WEB, 'ui/mantine.css'), 'utf8').matchAll(/styles\/([\w-]+\.layer\.css)/g)].map(
    ([, name = '']) => readFileSync(join(STYLES, name), 'utf8'),
  );
  const own = globSync('**/*.{css,ts,tsx}', { cwd: WEB }).map((name) => readFileSync(join(WEB, name), 'utf8'));
  const used = new Set([...imported, ...own].flatMap((text) => text.match(/(?<=var\()--mantine-[\w-]+/g) ?? []));
  const sheet = await sheetOfTheme();
  expect(used.size).toBeGreaterThan(30);
  expect([...used].filter((name) => !sheet.includes(`${name}:`))).toEqual([]);
});

it.each(['light', 'dark'] as const)(
  'the theme’s style sheet has the %s values that Mantine would write into the page',
  async (scheme) => {
    const sheet = await sheetOfTheme();
    const merged = mergeMantineTheme(DEFAULT_THEME, theme);
    const [mantines, ours] = [defaultCssVariablesResolver(merged), cssVariables(merged)];
    const expected: Record<string, string> = {
      ...mantines.variables,
      ...mantines[scheme],
      ...ours.variables,
      ...ours[scheme],
    };
    const is = {
      ...variablesOf(sheet.slice(0, sheet.indexOf('}}')), ':root, :host'),
      ...variablesOf(sheet.slice(0, sheet.indexOf('}}')), `:root[data-mantine-color-scheme="${scheme}"]`),
      ...variablesOf(sheet.slice(sheet.indexOf('}}') + 2), ':root, :host'),
      ...variablesOf(sheet.slice(sheet.indexOf('}}') + 2), `:root[data-mantine-color-scheme="${scheme}"]`),
    };
    expect(Object.keys(is).length).toBeGreaterThan(150);
    for (const [name, value] of Object.entries(is)) expect([name, value]).toEqual([name, expected[name]]);
    // Only colours that the theme does not name are left out.
    const missing = Object.keys(expected).filter((name) => !(name in is));
    expect(missing.filter((name) => !/^--mantine-color-(?!lagoon|coral|brick|gray|dark)[a-z]+-/.test(name))).toEqual(
      [],
    );
  },
);
