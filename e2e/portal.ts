import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';

/** The portal as a newcomer starts it: the embedded database and the demonstration schools in a folder of its own. */
export interface Portal {
  url: string;
  folder: string;
  /** Runs `npm run operator -- …` while the portal rests, as the embedded database asks for, and answers what it says. */
  operator(...words: string[]): Promise<string>;
  /** Changes the embedded database while the portal rests, for what has no screen yet. */
  alter(statement: string, values: unknown[]): Promise<void>;
  stop(): Promise<void>;
}

export const PASSWORD = 'reading-1';
export const people = {
  admin: 'head@willowbank.example',
  teacher: 'teacher@willowbank.example',
  otherAdmin: 'head@otherschool.example',
} as const;

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** @param more settings besides those of every journey */
export async function startPortal(more: Record<string, string> = {}): Promise<Portal> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-journeys-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    cwd: resolve(import.meta.dirname, '..'),
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      PUBLIC_URL: url,
      DATABASE_URL: '',
      SMTP_URL: '',
      STAGE: 'local',
      LOG_LEVEL: 'error',
      ...more,
    },
  };
  const start = async () => {
    const started = spawn(process.execPath, ['server/src/main.ts'], { ...settings, stdio: ['ignore', 'pipe', 'pipe'] });
    await listening(started);
    return started;
  };
  let server = await start();
  const rest = async () => {
    const ended = new Promise((done) => server.once('exit', done));
    server.kill('SIGTERM');
    await ended;
  };
  const whileResting = async <T>(work: () => Promise<T>): Promise<T> => {
    await rest();
    try {
      return await work();
    } finally {
      server = await start();
    }
  };
  return {
    url,
    folder,
    operator: (...words) =>
      whileResting(async () => {
        const { stdout } = await promisify(execFile)(process.execPath, ['server/src/operator.ts', ...words], settings);
        return stdout.trim();
      }),
    alter: (statement, values) =>
      whileResting(async () => {
        const database = await PGlite.create({ dataDir: join(folder, 'postgres') });
        const { affectedRows } = await database.query(statement, values);
        await database.close();
        expect(affectedRows, statement).toBeGreaterThan(0);
      }),
    stop: async () => {
      await rest();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function listening(server: ChildProcess): Promise<void> {
  let output = '';
  return new Promise((done, fail) => {
    const read = (text: Buffer) => {
      output += text.toString();
      if (output.includes('API reference')) done();
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    // Its last words may come after its exit.
    server.once('close', (code, signal) =>
      fail(new Error(`The portal ended before it was there (${signal ?? code}):\n${output}`)),
    );
  });
}

/** A journey has the portal, and a page for whoever it logs in. */
export const test = base.extend<{ logIn: (email: string) => Promise<Page> }, { portal: Portal }>({
  portal: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are wanted from this pattern
    async ({}, use) => {
      const portal = await startPortal();
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ portal }, use) => use(portal.url),
  logIn: async ({ page }, use) => {
    await use(async (email) => {
      await page.goto('/login');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(page).not.toHaveURL(/\/login/);
      await expect(page.getByRole('navigation').or(page.getByRole('banner')).first()).toBeVisible();
      return page;
    });
  },
});

/** A token of the API, for what a journey prepares or checks behind the screen. */
export async function tokenOf(portal: Portal, email: string): Promise<string> {
  const response = await fetch(`${portal.url}/v1/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { meta } = (await response.json()) as { meta: { token: string } };
  return meta.token;
}

/** A call of the API by the holder of a token; fails unless it succeeds. */
export async function callApi<T = unknown>(
  portal: Portal,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  token?: string,
): Promise<T> {
  const response = await fetch(`${portal.url}/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.ok, `${method} ${path}: ${text}`).toBe(true);
  return JSON.parse(text || '{}') as T;
}

/** A school of its own with its admin, for a journey that changes passwords or terms. The terms are accepted unless told otherwise. */
export async function registerSchool(portal: Portal, email: string, { hasTerms = true } = {}): Promise<void> {
  const account = { first_name: 'Olive', last_name: 'Oak', email, password: PASSWORD };
  const { meta } = await callApi<{ meta: { token: string } }>(portal, 'POST', '/users', account);
  const school = { name: 'Oak Row Primary', type: 'school' };
  const { enterprise } = await callApi<{ enterprise: { id: number } }>(
    portal,
    'POST',
    '/enterprises',
    school,
    meta.token,
  );
  if (hasTerms) await callApi(portal, 'POST', `/enterprises/${enterprise.id}/terms/accept`, undefined, meta.token);
}

/** The text of a mail as it travels, its lines put together again. */
export const readMail = (mail: string): string =>
  mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Waits for a mail to the address with a link that begins with the path, and answers the newest such link. */
export async function mailedLink(portal: Portal, email: string, path: string): Promise<string> {
  const outbox = join(portal.folder, 'outbox');
  const pattern = new RegExp(`${portal.url}${path}[\\w/?=-]+`);
  const find = () => {
    let names: string[] = [];
    try {
      names = readdirSync(outbox)
        .filter((name) => name.endsWith('.eml'))
        .sort()
        .toReversed();
    } catch {
      // The first mail makes the folder.
    }
    const mails = names
      .map((name) => readMail(readFileSync(join(outbox, name), 'utf8')))
      .filter((mail) => mail.toLowerCase().includes(`to: ${email.toLowerCase()}`));
    return mails.map((mail) => pattern.exec(mail)?.[0]).find(Boolean);
  };
  await expect.poll(find, { message: `a mail to ${email} with a link to ${path}`, timeout: 15_000 }).toBeTruthy();
  return find()!;
}

/** Fails when axe finds anything against WCAG 2.2 AA or good practice on the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => `    ${html.slice(0, 160)}`).join('\n')}`,
  );
  expect(found, `axe on ${page.url()}`).toEqual([]);
}

export { expect };
