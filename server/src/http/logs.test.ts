import { sql } from 'kysely';
import pino from 'pino';
import { beforeAll, beforeEach, expect, test } from 'vitest';
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

test('a search leaves the route in the log, and neither what was searched nor who asked', async () => {
  const path = `/enterprises/${school.id}/readers?search=Quillfeather`;
  const { status, text, headers } = await app.ask('GET', path, { token: school.admin.token });
  expect(status).toBe(200);
  expect(text).toContain('Persephone Quillfeather');
  expect(log()).toContain('GET /v1/enterprises/:id/readers');
  expect(log()).toContain(String(headers['x-request-id']));
  for (const secret of ['Quillfeather', 'search', school.admin.token, school.admin.email])
    expect(log()).not.toContain(secret);
});

test('a login leaves no address and no password', async () => {
  await app.ask('POST', '/auth', { payload: { email: school.admin.email, password: PASSWORD } });
  await app.ask('POST', '/auth', { payload: { email: school.admin.email, password: 'another-secret' } });
  expect(log()).toContain('POST /v1/auth');
  for (const secret of [school.admin.email, PASSWORD, 'another-secret']) expect(log()).not.toContain(secret);
});

test('an address that is unknown or refused leaves nothing of itself', async () => {
  for (const path of ['/persephone', '/persephone/%zz']) expect((await app.ask('GET', path)).status).toBe(404);
  expect(log()).not.toContain('persephone');
});

test('a fault of the database leaves its kind and place, and no value of the statement', async () => {
  const [pupil] = school.ownClass.pupils;
  await sql`alter table pupils add constraint refused check (name !~ 'Quillfeather Junior')`.execute(
    app.database.kysely,
  );
  const { status, error } = await app.ask('POST', `/enterprises/${school.id}/readers/${pupil?.id}`, {
    token: school.admin.token,
    payload: { name: 'Quillfeather Junior' },
  });
  await sql`alter table pupils drop constraint refused`.execute(app.database.kysely);
  expect({ status, error }).toEqual({ status: 500, error: { error: 'An error occurred', error_type: 'server' } });
  expect(log()).toContain('"constraint":"refused"');
  expect(log()).toContain('23514');
  expect(log()).not.toMatch(/Quillfeather|Junior/);
});

test('a message of several lines leaves none of them in the stack', async () => {
  const [pupil] = school.ownClass.pupils;
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception E'no\n%', new.name; end $$`.execute(
    app.database.kysely,
  );
  await sql`create trigger refuse before update on pupils for each row execute function refuse()`.execute(
    app.database.kysely,
  );
  const { status } = await app.ask('POST', `/enterprises/${school.id}/readers/${pupil?.id}`, {
    token: school.admin.token,
    payload: { name: 'Quillfeather Senior' },
  });
  await sql`drop trigger refuse on pupils`.execute(app.database.kysely);
  expect(status).toBe(500);
  expect(log()).toContain('"msg":"failed"');
  expect(log()).not.toMatch(/Quillfeather|Senior/);
});
