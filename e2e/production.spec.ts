import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from '@playwright/test';
import { expect, PASSWORD, people } from './portal.ts';
import { startPortal } from './server.ts';

const SOURCES = ['package.json', 'contract', 'content', 'seeds', 'server', 'dist'];

/** Copies what a release needs: the sources of the server, the build, and the packages of `npm ci --omit=dev`. */
function installRelease(from: string, to: string): void {
  const lock = JSON.parse(readFileSync(join(from, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>;
  };
  const paths = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);
  for (const path of SOURCES) cpSync(join(from, path), join(to, path), { recursive: true });
  for (const [path, { optional, devOptional }] of paths) {
    const isNested = (file: string) => file.slice(join(from, path).length).includes('node_modules');
    mkdirSync(dirname(join(to, path)), { recursive: true });
    try {
      cpSync(join(from, path), join(to, path), { recursive: true, filter: (file) => !isNested(file) });
    } catch (error) {
      // Packages for other platforms are not installed.
      if (!optional && !devOptional) throw error;
    }
  }
}

test('a release runs with the packages of npm ci --omit=dev: a login, a rendered page and a PDF', async ({
  request,
}) => {
  test.setTimeout(300_000);
  const root = mkdtempSync(join(tmpdir(), 'portal-release-'));
  installRelease(resolve(import.meta.dirname, '..'), root);
  const portal = await startPortal({}, { root });
  try {
    const login = await request.post(`${portal.url}/v1/auth`, {
      headers: { origin: portal.url },
      data: { email: people.admin, password: PASSWORD },
    });
    expect(login.status()).toBe(200);
    const page = await request.get(`${portal.url}/pupils`);
    expect(await page.text()).toContain('Pupils');
    expect(await page.text()).toMatch(/<table/);
    const guide = await request.get(`${portal.url}/v1/user-guide.pdf`);
    expect((await guide.body()).subarray(0, 5).toString()).toBe('%PDF-');
    const notices = await request.get(`${portal.url}/third-party-notices.txt`);
    expect(await notices.text()).toContain('Copyright (c) Meta Platforms');
  } finally {
    await portal.stop();
    rmSync(root, { recursive: true });
  }
});
