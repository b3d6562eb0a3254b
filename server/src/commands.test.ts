import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { afterAll, expect, inject, test } from 'vitest';
import { testApp } from './testing/app.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command of the portal to its end, in an empty folder. */
async function run(command: string, words: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, command), ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += String(chunk)));
  const code = await new Promise<number>((done) => child.once('close', done));
  return { code, ...output };
}

test.each([
  ['operator.ts', ['add', 'office@company.example']],
  ['operator.ts', ['create', 'office@company.example']],
  ['backup.ts', ['backup', 'portal.backup']],
  ['catalogue.ts', ['import', import.meta.filename]],
])('%s %j without settings creates no database', async (command, words) => {
  const { code, stderr } = await run(command, words);
  expect(stderr).toContain(`There is no database in ${join(folder, 'data')}`);
  expect(code).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

if (inject('template').kind === 'server')
  test('npm run operator -- create EMAIL makes an operator who chooses a password with the link', async () => {
    const { engine } = app.database;
    const url = engine.kind === 'server' ? String(engine.pool.options.connectionString) : '';
    const settings = { DATABASE_URL: url, STAGE: 'local', HASH_COST: 'least' };
    const { stdout, stderr } = await run('operator.ts', ['create', 'first@company.example'], settings);
    expect(stderr).toContain(`Database: ${url}`);
    const [, token] = /^http:\/\/localhost:8080\/setup\/(\S+)\n$/.exec(stdout) ?? [];
    const session = await app.call(passwordCalls.exchangeSetUpLink, { body: { token: token! } });
    expect(session.reply).toMatchObject({ user: { email: 'first@company.example', require_password_reset: true } });

    const again = await run('operator.ts', ['create', 'First@company.example'], settings);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already: npm run operator -- add') });
  });

test('a start on a Node that is too old names the version that is needed', () => {
  const pretend = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.1' } })";
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${pretend}`, join(import.meta.dirname, '../start.mjs')],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(stderr).toContain('The portal needs Node 22.18 or later, best Node 24; this is 20.11.1.');
  expect(status).toBe(1);
});
