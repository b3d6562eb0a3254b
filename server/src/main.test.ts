import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testApp } from './testing/app.ts';
import { testSettings } from './testing/test-settings.ts';
import { VERSION } from './version.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-main-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a start prints the release, and SIGTERM ends the process cleanly although a client never completes its request', async () => {
  const { engine } = app.database;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env.PATH,
      ...testSettings,
      DATA_DIR: folder,
      PORT: '0',
      DEMO: 'off',
      ...(engine.kind === 'server' ? { DATABASE_URL: String(engine.pool.options.connectionString) } : {}),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  let said = '';
  const port = await new Promise<number>((ready) => {
    child.stdout.on('data', (text: Buffer) => {
      said += String(text);
      const [, found] = / is at http:\/\/[^:]+:(\d+) /.exec(said) ?? [];
      if (found) ready(Number(found));
    });
  });
  expect(said).toContain(`Storylark ${VERSION} is at http://`);
  // A request whose body never comes: without a cut it would be waited for as long as a request may take, and answered 408.
  const client = connect(port, '127.0.0.1').setEncoding('utf8');
  let answered = '';
  client.on('error', () => undefined).on('data', (text: string) => (answered += text));
  client.write(
    'POST /v1/auth HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n',
  );
  await new Promise((taken) => client.once('data', taken));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(answered).toBe('HTTP/1.1 100 Continue\r\n\r\n');
});
