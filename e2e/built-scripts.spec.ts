import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { findTooNew } from '../checks/built-scripts.ts';
import { listClasses } from '../checks/style-classes.ts';
import { shortClassName } from '../web/build/class-names.ts';

const FOLDER = join(import.meta.dirname, '../dist/web');
const SOURCES = join(import.meta.dirname, '../web/src');

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

test('the style sheet of the browser has every class of every CSS module', () => {
  const list = (folder: string, ending: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));
  const [sheet, ...others] = list(join(FOLDER, 'assets'), '.css');
  expect(others).toEqual([]);
  const styles = readFileSync(join(FOLDER, 'assets', sheet!), 'utf8');
  const classes = list(SOURCES, '.module.css').flatMap((module) =>
    [...listClasses(readFileSync(join(SOURCES, module), 'utf8'))].map((name) => ({ name, module })),
  );
  expect(classes.length).toBeGreaterThan(400);
  const isMissing = ({ name, module }: { name: string; module: string }) =>
    !styles.includes(`.${shortClassName(name, module)}`);
  expect(classes.filter(isMissing)).toEqual([]);
});
