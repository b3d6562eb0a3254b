import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { webPortal } from '../testing/web-portal.ts';
import { shareAssets } from './recent-assets.ts';

const root = mkdtempSync(join(tmpdir(), 'portal-assets-'));
afterAll(() => rmSync(root, { recursive: true }));
const DATA_DIR = join(root, 'data');
const app = testApp({ DATA_DIR });
const portal = webPortal(app);
const folder = join(DATA_DIR, 'assets');

/** The output folder of another build. */
function makeBuild(name: string, files: Record<string, string>): string {
  const web = join(root, name);
  mkdirSync(join(web, 'assets'), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(web, 'assets', file), text);
  return web;
}
const OTHER = makeBuild('other', {
  'Page-A1.js': 'plain',
  'Page-A1.js.br': 'brotli',
  'Page-A1.js.gz': 'gzip',
  'style-B2.css': 'css',
});

beforeEach(() => {
  app.setTime('2026-11-18T12:00:00.000Z');
  rmSync(folder, { recursive: true, force: true });
});

const now = () => app.services.clock.now();
const ask = async (url: string, encodings = '') => {
  const { statusCode, headers, body } = await portal.inject({ url, headers: { 'accept-encoding': encodings } });
  return { status: statusCode, encoding: headers['content-encoding'], type: headers['content-type'], body, headers };
};

test('a process serves the scripts and styles of another build, compressed as that build has them', async () => {
  expect((await ask('/assets/Page-A1.js')).status).toBe(404);
  await shareAssets(OTHER, DATA_DIR, now());
  const plain = await ask('/assets/Page-A1.js');
  expect(plain).toMatchObject({ status: 200, encoding: undefined, body: 'plain' });
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(plain.headers['content-security-policy']).toBeDefined();
  expect(await ask('/assets/Page-A1.js', 'br')).toMatchObject({ status: 200, encoding: 'br', body: 'brotli' });
  expect(await ask('/assets/Page-A1.js', 'gzip')).toMatchObject({ status: 200, encoding: 'gzip', body: 'gzip' });
  expect(await ask('/assets/style-B2.css')).toMatchObject({ body: 'css', type: 'text/css; charset=utf-8' });
  expect((await portal.inject({ method: 'HEAD', url: '/assets/Page-A1.js' })).statusCode).toBe(200);
});

test('the files of a build are served for a day after its last process has marked them, then deleted', async () => {
  await shareAssets(OTHER, DATA_DIR, now());
  app.setTime('2026-11-19T11:00:00.000Z');
  await shareAssets(OTHER, DATA_DIR, now());
  app.setTime('2026-11-20T11:00:00.000Z');
  expect((await ask('/assets/Page-A1.js')).status).toBe(200);
  app.setTime('2026-11-20T11:00:01.000Z');
  expect((await ask('/assets/Page-A1.js')).status).toBe(404);
  expect(existsSync(join(folder, 'Page-A1.js'))).toBe(true);
  await shareAssets(portal.web.folder, DATA_DIR, now());
  expect(readdirSync(folder)).toEqual(['app.js']);
});

test('a process stores its own build again after more than a day without a process', async () => {
  await shareAssets(OTHER, DATA_DIR, now());
  app.setTime('2026-12-18T12:00:00.000Z');
  await shareAssets(OTHER, DATA_DIR, now());
  expect(await ask('/assets/Page-A1.js')).toMatchObject({ status: 200, body: 'plain' });
});

test('no name reaches a file outside the assets, a partial copy or a compressed variant', async () => {
  await shareAssets(OTHER, DATA_DIR, now());
  writeFileSync(join(DATA_DIR, 'secrets.key'), 'secret');
  writeFileSync(join(folder, '.partial.js'), 'half');
  mkdirSync(join(folder, 'folder.js'));
  const paths = [join(DATA_DIR, 'secrets.key'), ...readdirSync(folder).map((name) => join(folder, name))];
  for (const path of paths) utimesSync(path, now(), now());
  for (const name of [
    '..%2fsecrets.key',
    '%2e%2e%2fsecrets.key',
    '..%5csecrets.key',
    '.partial.js',
    'folder.js',
    'Page-A1.js.br',
    'Page-A1.js.gz',
    'Page-A1.js%00',
    'Page-A1',
    'unknown-C3.js',
    '',
  ]) {
    const { status, body } = await ask(`/assets/${name}`, 'br');
    expect({ name, status }).toEqual({ name, status: 404 });
    expect(body).not.toMatch(/secret$|half|brotli|gzip/);
  }
});

test('the copies can be read by the portal’s account alone', async () => {
  await shareAssets(OTHER, DATA_DIR, now());
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([
    0o600, 0o600, 0o600, 0o600,
  ]);
});

test('two processes of two builds that start at once leave whole files of both', async () => {
  const next = makeBuild('next', { 'Page-D4.js': 'x'.repeat(1e6), 'style-B2.css': 'css' });
  await Promise.all([OTHER, next, OTHER, next].map((build) => shareAssets(build, DATA_DIR, now())));
  expect(readdirSync(folder).toSorted()).toEqual([
    'Page-A1.js',
    'Page-A1.js.br',
    'Page-A1.js.gz',
    'Page-D4.js',
    'style-B2.css',
  ]);
  expect(readFileSync(join(folder, 'Page-D4.js'), 'utf8')).toHaveLength(1e6);
});

test('a copy that fails leaves no partial file, and the files that are there stay marked', async () => {
  const broken = makeBuild('broken', { 'Page-A1.js': 'plain' });
  await shareAssets(broken, DATA_DIR, now());
  // A folder in place of a file cannot be read, as a full disk cannot be written.
  mkdirSync(join(broken, 'assets', 'Page-E5.js'));
  app.setTime('2026-11-19T11:00:00.000Z');
  await expect(shareAssets(broken, DATA_DIR, now())).rejects.toThrow('EISDIR');
  expect(readdirSync(folder)).toEqual(['Page-A1.js']);
  app.setTime('2026-11-20T10:00:00.000Z');
  expect((await ask('/assets/Page-A1.js')).status).toBe(200);
});
