import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { seriesLook } from './series.ts';

const tokens = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

it('levels 1 to 6, 12 and the Total have a colour each, for light and for dark', () => {
  const colours = [1, 2, 3, 4, 5, 6, 12, null].map((key) => {
    const [, name = ''] = /^var\((--[\w-]+)\)$/.exec(seriesLook(key).colour) ?? [];
    return new RegExp(`${name}: (light-dark\\(#\\w+, #\\w+\\));`).exec(tokens)?.[1];
  });
  expect(colours).not.toContain(undefined);
  expect(new Set(colours).size).toBe(8);
});
