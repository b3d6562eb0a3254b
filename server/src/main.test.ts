import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { NO_ACTOR, recordChange } from './audit/audit-log.queries.ts';
import { findServingPortal, readOwner } from './database/folder-owner.ts';
import { inSchool } from './database/school.ts';
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
  expect(findServingPortal(folder)?.url).toBe(`http://localhost:${port}`);
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
  // The next start waits for this one; on a slow machine it has ended by now.
  expect(['stopping', undefined]).toContain(readOwner(folder)?.state);
  expect(await portal.ended).toBe(0);
  expect(answered).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  expect(readOwner(folder)).toBeUndefined();
});

if (inject('template').kind === 'server')
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
