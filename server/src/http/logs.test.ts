import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pino from 'pino';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { inPlatform } from '../database/platform.ts';
import { enqueue, openQueue } from '../jobs/queue.ts';
import { currentOwner, currentRequest, runInRequest } from '../logging/request-scope.ts';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../testing/builder.ts';

const app = testApp({ LOG_LEVEL: 'trace' });
let school: BuiltSchool;
const written: string[] = [];
const log = () => written.join('');

beforeAll(async () => {
  Object.assign(app.fastify.log, { [pino.symbols.streamSym]: { write: (line: string) => written.push(line) } });
  school = await app.build.school({ ownPupils: ['Persephone Quillfeather'] });
});
beforeEach(() => void written.splice(0));

test('a search logs the route, and neither the search text nor the user', async () => {
  const path = `/enterprises/${school.id}/readers?search=Quillfeather`;
  const { status, text, headers } = await app.ask('GET', path, { token: school.admin.token });
  expect(status).toBe(200);
  expect(text).toContain('Persephone Quillfeather');
  expect(log()).toContain('GET /v1/enterprises/:id/readers');
  expect(log()).toContain(String(headers['x-request-id']));
  for (const secret of ['Quillfeather', 'search', school.admin.token, school.admin.email])
    expect(log()).not.toContain(secret);
});

test('a login logs no address and no password', async () => {
  await app.ask('POST', '/auth', { payload: { email: school.admin.email, password: PASSWORD } });
  await app.ask('POST', '/auth', { payload: { email: school.admin.email, password: 'another-secret' } });
  expect(log()).toContain('POST /v1/auth');
  for (const secret of [school.admin.email, PASSWORD, 'another-secret']) expect(log()).not.toContain(secret);
});

test('an unknown or rejected path is not logged', async () => {
  for (const path of ['/persephone', '/persephone/%zz']) expect((await app.ask('GET', path)).status).toBe(404);
  expect(log()).not.toContain('persephone');
});

test('a database error logs its kind and place, and no value of the statement', async () => {
  const [pupil] = school.ownClass.pupils;
  await sql`alter table pupils add constraint rejected_name check (name !~ 'Quillfeather Junior')`.execute(
    app.database.kysely,
  );
  const { status, error } = await app.ask('POST', `/enterprises/${school.id}/readers/${pupil?.id}`, {
    token: school.admin.token,
    payload: { name: 'Quillfeather Junior' },
  });
  await sql`alter table pupils drop constraint rejected_name`.execute(app.database.kysely);
  expect({ status, error }).toEqual({ status: 500, error: { error: 'An error occurred', error_type: 'server' } });
  expect(log()).toContain('"constraint":"rejected_name"');
  expect(log()).toContain('23514');
  expect(log()).not.toMatch(/Quillfeather|Junior/);
});

test('a message of several lines is not part of the logged stack', async () => {
  const [pupil] = school.ownClass.pupils;
  await sql`create function reject_update() returns trigger language plpgsql as $$ begin raise exception E'no\n%', new.name; end $$`.execute(
    app.database.kysely,
  );
  await sql`create trigger reject_update before update on pupils for each row execute function reject_update()`.execute(
    app.database.kysely,
  );
  const { status } = await app.ask('POST', `/enterprises/${school.id}/readers/${pupil?.id}`, {
    token: school.admin.token,
    payload: { name: 'Quillfeather Senior' },
  });
  await sql`drop trigger reject_update on pupils`.execute(app.database.kysely);
  expect(status).toBe(500);
  expect(log()).toContain('"msg":"failed"');
  expect(log()).not.toMatch(/Quillfeather|Senior/);
});

test('a request has the same ID in the calls of a page and in the jobs that it enqueues', async () => {
  const ids = new Set<string>();
  const job = { name: 'cleaning', run: async () => void ids.add(currentRequest()?.requestId ?? '') };
  const queue = await openQueue(app.database, [job], (error) => {
    throw error;
  });
  const id = randomUUID();
  await runInRequest({ requestId: id, owner: currentOwner() }, async () => {
    await inPlatform(app.database, (db) => enqueue(db, 'cleaning', {}));
    const { headers } = await app.ask('GET', '/health');
    ids.add(String(headers['x-request-id']));
  });
  await queue.drain();
  await queue.stop();
  expect([...ids]).toEqual([id]);
});

test('the row and the log of a failed job contain no value of a statement', async () => {
  const violation = Object.assign(new Error('duplicate key'), {
    severity: 'ERROR',
    detail: 'Quillfeather',
    code: '23505',
  });
  const failures: object[] = [];
  const queue = await openQueue(
    app.database,
    [{ name: 'cleaning', retries: 0, run: () => Promise.reject(violation) }],
    (error) => {
      throw error;
    },
    { onFailure: (failure) => failures.push(failure) },
  );
  await inPlatform(app.database, (db) => enqueue(db, 'cleaning', {}));
  await expect(queue.drain()).rejects.toBe(violation);
  await queue.stop();
  const { rows } = await sql<{
    output: object;
  }>`select output from pgboss.job where name = 'cleaning' and output is not null`.execute(app.database.kysely);
  expect(rows[0]?.output).toMatchObject({ message: 'database error', code: '23505' });
  expect(failures).toMatchObject([{ name: 'cleaning', error: { code: '23505' } }]);
  expect(JSON.stringify([rows, failures])).not.toContain('Quillfeather');
});
