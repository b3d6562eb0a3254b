import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessCalls } from '#contract/calls/access.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { testApp } from './testing/app.ts';
import { PASSWORD } from './testing/builder.ts';
import { runCommand } from './testing/portal-process.ts';
import { testSettings } from './testing/test-settings.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command of the portal to its end, in an empty folder. */
const run = (command: string, words: string[], environment: Record<string, string> = {}) =>
  runCommand(command, words, environment, folder);

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
  describe('npm run operator', () => {
    const serverUrl = () => {
      const { engine } = app.database;
      return engine.kind === 'server' ? String(engine.pool.options.connectionString) : '';
    };
    const settings = () => ({ ...testSettings, DATABASE_URL: serverUrl() });

    test('-- create EMAIL makes an operator who chooses a password with the link', async () => {
      const { stdout, stderr } = await run('operator.ts', ['create', 'first@company.example'], settings());
      expect(stderr).toContain(`Database: ${serverUrl()}`);
      const [, token] = /^http:\/\/localhost:8080\/setup\/(\S+)\n$/.exec(stdout) ?? [];
      const session = await app.call(passwordCalls.exchangeSetUpLink, { body: { token: token! } });
      expect(session.reply).toMatchObject({ user: { email: 'first@company.example', require_password_reset: true } });

      const again = await run('operator.ts', ['create', 'First@company.example'], settings());
      expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already: npm run operator -- add') });
    });

    test('verify-audit reports a change of an audit log from outside', async () => {
      const school = await app.build.school();
      const body = { name: 'Owls' };
      await app.call(classCalls.createClass, { params: { id: school.id }, body, token: school.admin.token });
      await app.runJobs({ scheduled: true });
      expect(await run('verify-audit.ts', [], settings())).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^✓ /),
      });
      const { id: entry } = await app.database.kysely
        .updateTable('audit_log')
        .set({ actor_user_id: null })
        .where('school_id', '=', school.id)
        .returning('id')
        .executeTakeFirstOrThrow();
      expect(await run('verify-audit.ts', [], settings())).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`school ${school.id}: entry ${entry} was changed`),
      });
    });

    test('-- add EMAIL rejects an unconfirmed address, and ends the sessions of the account that it takes', async () => {
      const person = await app.build.person('standard');
      const setConfirmed = (at: Date | null) =>
        app.database.kysely.updateTable('users').set({ email_confirmed_at: at }).where('id', '=', person.id).execute();
      const getMe = () => app.call(accessCalls.getMe, { token: person.token });
      await setConfirmed(null);
      const rejected = await run('operator.ts', ['add', person.email], settings());
      expect(rejected).toMatchObject({ code: 1, stderr: expect.stringContaining(`${person.email} is not confirmed`) });
      expect((await getMe()).reply.user.is_operator).toBe(false);
      await setConfirmed(new Date());
      const added = await run('operator.ts', ['add', person.email], settings());
      expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('is now an operator') });
      expect((await getMe()).status).toBe(401);
    });

    test('-- reset-second-factor EMAIL helps an operator who has lost it, and no one else', async () => {
      const { admin } = await app.build.school();
      const operator = await app.build.operator();
      const reset = (email: string) => run('operator.ts', ['reset-second-factor', email], settings());
      const other = await reset(admin.email);
      expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('is not an operator') });
      expect(await reset(operator.email)).toMatchObject({ code: 0, stderr: expect.stringContaining('Database: ') });
      expect((await app.call(accessCalls.getMe, { token: operator.token })).status).toBe(401);
      const { error } = await app.call(accessCalls.logIn, { body: { email: operator.email, password: PASSWORD } });
      expect(error).toMatchObject({ code: 'enrolment_required' });
      expect(await reset(operator.email)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no second factor'),
      });
    });
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
