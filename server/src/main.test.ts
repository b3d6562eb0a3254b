import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testApp } from './testing/app.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-main-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('SIGTERM ends the process in good order, under a client that takes none of its answers', async () => {
  const { engine } = app.database;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      PORT: '0',
      DEMO: 'off',
      STAGE: 'local',
      LOG_LEVEL: 'silent',
      ...(engine.kind === 'server' ? { DATABASE_URL: String(engine.pool.options.connectionString) } : {}),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const port = await new Promise<number>((ready) => {
    let said = '';
    child.stdout.on('data', (text: Buffer) => {
      said += String(text);
      const [, found] = / is at http:\/\/[^:]+:(\d+) /.exec(said) ?? [];
      if (found) ready(Number(found));
    });
  });
  // More answers than the buffers on the way hold, none of which is read.
  const client = connect(port, '127.0.0.1');
  client.on('error', () => undefined).pause();
  client.write('GET /v1/openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(100));
  await new Promise((sent) => client.once('readable', sent));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  client.destroy();
});
