import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { findTooNew } from '../checks/built-scripts.ts';

const FOLDER = join(import.meta.dirname, '../dist/web');

test('the built scripts use nothing that the oldest supported browsers lack', async () => {
  expect(readdirSync(join(FOLDER, 'assets')).filter((name) => name.endsWith('.js')).length).toBeGreaterThan(50);
  expect(await findTooNew(FOLDER)).toEqual([]);
});

test('a page without the app has one script of at most 40 kB, compressed, with its inline scripts', () => {
  const scripts = readdirSync(join(FOLDER, 'assets')).filter((name) => /^guest-[\w-]+\.js$/.test(name));
  expect(scripts).toHaveLength(1);
  const html = readFileSync(join(FOLDER, 'index.html'), 'utf8');
  const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, source]) => source).join('');
  expect(inline.length).toBeGreaterThan(500);
  const sent = readFileSync(join(FOLDER, 'assets', scripts[0]!)).toString() + inline;
  expect(gzipSync(sent).length).toBeLessThanOrEqual(40_000);
});

test('the style sheet of the browser has every class and animation that the server renders', () => {
  const files = (folder: string, ending: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(ending))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
  const styles = files(join(FOLDER, 'assets'), '.css');
  const ofServer = files(join(FOLDER, '../web-server'), '.js');
  // The names that CSS modules have in a build, such as `_total_1rqtl_9`.
  const classes = new Set([...ofServer.matchAll(/"(_[\w-]+_[\w-]{5}_\d+)"/g)].map(([, name]) => name!));
  expect(classes.size).toBeGreaterThan(500);
  expect([...classes].filter((name) => !styles.includes(name))).toEqual([]);
});
