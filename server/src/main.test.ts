import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { NO_ACTOR, recordChange } from './audit/audit-log.queries.ts';
import { inSchool } from './database/school.ts';
import { findLocalUrl } from './local-url.ts';
import { testApp } from './testing/app.ts';
import { startPortal } from './testing/portal-process.ts';
import { VERSION } from './version.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-main-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a start prints the release, and SIGTERM ends the process cleanly although a client never completes its request', async () => {
  const { engine } = app.database;
  const portal = startPortal({
    DATA_DIR: folder,
    ...(engine.kind === 'server' ? { DATABASE_URL: String(engine.pool.options.connectionString) } : {}),
  });
  await portal.waitFor('API reference');
  const [, port] = / is at http:\/\/[^:]+:(\d+) /.exec(portal.output()) ?? [];
  expect(findLocalUrl(folder)).toBe(`http://localhost:${port}`);
  expect(portal.output()).toContain(`Storylark ${VERSION} is at http://`);
  // A request whose body never comes: without a cut it would be waited for as long as a request may take, and answered 408.
  const client = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  let answered = '';
  client.on('error', () => undefined).on('data', (text: string) => (answered += text));
  client.write(
    'POST /v1/auth HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n',
  );
  await new Promise((taken) => client.once('data', taken));
  portal.kill('SIGTERM');
  await portal.waitFor('Stopping');
  expect(findLocalUrl(folder)).toBeUndefined();
  expect(await portal.ended).toBe(0);
  expect(answered).toBe('HTTP/1.1 100 Continue\r\n\r\n');
});

/** A portal on the database of the test; its port is in its output. */
async function startServing(name: string, settings: Record<string, string> = {}) {
  const { engine } = app.database;
  const portal = startPortal({
    DATA_DIR: mkdtempSync(join(folder, `${name}-`)),
    DATABASE_URL: engine.kind === 'server' ? String(engine.pool.options.connectionString) : '',
    ...settings,
  });
  await portal.waitFor('API reference');
  const [, port] = / is at http:\/\/[^:]+:(\d+) /.exec(portal.output()) ?? [];
  return { ...portal, port: Number(port), url: `http://127.0.0.1:${port}` };
}

/** The status of the reply, or the code of the error. */
const statusOf = (url: string, options: RequestInit = {}): Promise<number | string> =>
  fetch(url, options).then(
    ({ status }) => status,
    (error: Error) => (error.cause as { code: string }).code,
  );

if (inject('template').kind === 'server') {
  test('after SIGTERM a process serves for DRAIN_SECONDS while its health is 503, and a second signal ends the wait', async () => {
    const settings = { DRAIN_SECONDS: '60' };
    const [once, twice, interrupted] = await Promise.all(
      ['once', 'twice', 'interrupted'].map((name) => startServing(name, settings)),
    );
    for (const portal of [once!, twice!]) portal.kill('SIGTERM');
    for (const { url } of [once!, twice!]) {
      await expect.poll(() => statusOf(`${url}/v1/health`)).toBe(503);
      expect(await statusOf(`${url}/v1/live`)).toBe(200);
      const login = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
      expect(await statusOf(`${url}/v1/auth`, login)).toBe(422);
    }
    twice!.kill('SIGTERM');
    interrupted!.kill('SIGINT');
    expect(await twice!.ended).toBe(0);
    expect(await interrupted!.ended).toBe(0);
    // Would fail if the others had waited for as long as this one.
    expect(await statusOf(`${once!.url}/v1/health`)).toBe(503);
    once!.kill('SIGINT');
    expect(await once!.ended).toBe(0);
    expect(await statusOf(`${once!.url}/v1/live`)).toBe('ECONNREFUSED');
  });

  test('a request that arrives after the port was closed, on a connection from before, is served', async () => {
    const portal = await startServing('closed');
    const [late, unfinished] = [0, 1].map(() => connect(portal.port, '127.0.0.1').setEncoding('utf8'));
    let answered = '';
    late!.on('data', (text: string) => (answered += text));
    unfinished!.on('error', () => undefined);
    // Its reply shows that the portal has accepted the connection before it.
    unfinished!.write(
      'POST /v1/auth HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n',
    );
    await new Promise((done) => unfinished!.once('data', done));
    portal.kill('SIGTERM');
    await expect.poll(() => statusOf(`${portal.url}/v1/live`)).toBe('ECONNREFUSED');
    late!.write('GET /v1/live HTTP/1.1\r\nhost: a\r\n\r\n');
    await new Promise((done) => late!.once('close', done));
    expect(answered).toMatch(/^HTTP\/1\.1 200 OK\r\n(.*\r\n)*connection: close\r\n/i);
    unfinished!.destroy();
    expect(await portal.ended).toBe(0);
  });

  test('a process seals what the audit logs have waiting when it starts, and again when it stops', async () => {
    const { id } = await app.build.school();
    const add = () =>
      inSchool(app.database, id, (db) =>
        recordChange(db, NO_ACTOR, app.services.clock.now(), {
          action: 'terms_accepted',
          subjectKind: 'school',
          subjectId: id,
        }),
      );
    const countSeals = async () => {
      const seals = await app.database.kysely
        .selectFrom('audit_seals')
        .select('number')
        .where('school_id', '=', id)
        .execute();
      return seals.length;
    };
    await add();
    const { engine } = app.database;
    const portal = startPortal({
      DATA_DIR: mkdtempSync(join(folder, 'sealing-')),
      DATABASE_URL: engine.kind === 'server' ? String(engine.pool.options.connectionString) : '',
    });
    await portal.waitFor('API reference');
    await expect.poll(countSeals, { timeout: 30_000 }).toBe(1);
    await add();
    portal.kill('SIGTERM');
    expect(await portal.ended).toBe(0);
    expect(await countSeals()).toBe(2);
  });
}
