import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { accessCalls } from '#contract/calls/access.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { fingerprintsOf } from '../auth/secrets-key.ts';
import { testApp } from '../testing/app.ts';
import { makeEmptyDatabase } from '../testing/databases.ts';
import { PASSWORD } from '../testing/builder.ts';
import { runCommand } from '../testing/portal-process.ts';
import { testSettings } from '../testing/test-settings.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command of the portal to its end, in an empty folder. */
const run = (command: string, words: string[], environment: Record<string, string> = {}) =>
  runCommand(command, words, environment, folder);

test.each([
  ['operator.ts', ['add', 'office@company.example']],
  ['operator.ts', ['create', 'office@company.example']],
  ['catalogue.ts', ['import', import.meta.filename]],
])('%s %j without settings creates no database', async (command, words) => {
  const { code, stderr } = await run(command, words);
  expect(stderr).toContain(`There is no database in ${join(folder, 'data')}`);
  expect(code).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['backup', 'portal.backup'],
  ['restore', 'portal.backup'],
  ['restore', 'portal.backup', '--into', 'copy'],
  ['after-restore'],
])('npm run %s on the embedded database names the command that copies it to a server', async (...words) => {
  expect(await run('backup.ts', words)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'A backup or restore needs a PostgreSQL server in DATABASE_URL. The embedded database is for trying: npm run move -- --to DATABASE_URL copies it',
    ),
  });
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

    test('-- rotate-key moves to a new key and retires the old one, which then is rejected by every command', async () => {
      const [old, next] = [testSettings.SECRETS_KEY ?? '', 'a-new-key-for-tests-of-more-than-32-characters'];
      const [oldKey = '', newKey = ''] = [old, next].map(
        (secret) => fingerprintsOf({ secretsKeys: [secret], dataDir: folder })[0],
      );
      await app.database.kysely.deleteFrom('secret_keys').execute();
      const rotate = (keys: string, ...words: string[]) =>
        run('operator.ts', ['rotate-key', ...words], { ...settings(), SECRETS_KEY: keys });
      expect(await rotate(old)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`The current key is ${oldKey}, the only one`),
      });
      expect(await rotate(next)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`does not contain the key of this database, ${oldKey}, but ${newKey}`),
      });
      const rotated = await rotate(`${next},${old}`, '--discard');
      expect(rotated.stdout).toContain(`The key ${oldKey} is retired.`);
      expect(rotated.code).toBe(0);
      const wrong = {
        code: 1,
        stderr: expect.stringContaining(`SECRETS_KEY begins with the key ${oldKey}, which was retired`),
      };
      expect(await rotate(old)).toMatchObject(wrong);
      expect(await run('verify-audit.ts', [], settings())).toMatchObject(wrong);
      const checked = await run('print-config.ts', [], settings());
      expect(checked.stdout).toContain(`SECRETS_KEY begins with the key ${oldKey}, which was retired`);
      expect(checked.code).toBe(1);
      await app.database.kysely.deleteFrom('secret_keys').execute();
    });

    test('-- forget-key FINGERPRINT replaces a key that is lost', async () => {
      const lost = '0123456789abcdef';
      const insert = { fingerprint: lost, first_used_at: new Date() };
      await app.database.kysely.insertInto('secret_keys').values(insert).execute();
      expect(await run('operator.ts', ['create', 'lost@company.example'], settings())).toMatchObject({ code: 0 });
      expect(await run('operator.ts', ['rotate-key'], settings())).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`does not contain the key of this database, ${lost}`),
      });
      expect(await run('operator.ts', ['forget-key', 'portal'], settings())).toMatchObject({ code: 1 });
      expect(await run('operator.ts', ['forget-key', lost], settings())).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`The key ${lost} is retired as lost.`),
      });
      expect(await run('operator.ts', ['rotate-key'], settings())).toMatchObject({ code: 0 });
    });

    test('a restore names the key of the backup that SECRETS_KEY lacks, and a process without it does not start', async () => {
      const secret = testSettings.SECRETS_KEY ?? '';
      const [key = ''] = fingerprintsOf({ secretsKeys: [secret], dataDir: folder });
      expect(await run('operator.ts', ['rotate-key'], settings())).toMatchObject({ code: 0 });
      const file = join(mkdtempSync(join(folder, 'backup-')), 'portal.backup');
      expect(await run('backup.ts', ['backup', file], settings())).toMatchObject({ code: 0 });
      const { database, remove } = await makeEmptyDatabase(inject('template'));
      const { engine } = database;
      const target = {
        ...testSettings,
        DATABASE_URL: engine.kind === 'server' ? String(engine.pool.options.connectionString) : '',
        SECRETS_KEY: 'another-key-for-tests-of-more-than-32-characters',
      };
      try {
        expect((await run('backup.ts', ['restore', file], target)).stdout).toContain(
          `✗ SECRETS_KEY contains every key of the backup, except the key ${key}`,
        );
        expect(await run('verify-audit.ts', [], target)).toMatchObject({
          code: 1,
          stderr: expect.stringContaining(`does not contain the key of this database, ${key}`),
        });
        const both = `${target.SECRETS_KEY},${secret}`;
        expect(await run('verify-audit.ts', [], { ...target, SECRETS_KEY: both })).toMatchObject({ code: 0 });
      } finally {
        await remove();
        rmSync(dirname(file), { recursive: true });
      }
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
    ['--import', `data:text/javascript,${pretend}`, join(import.meta.dirname, '../../start.mjs')],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(stderr).toContain('The portal needs Node 22.18 or later, best Node 24; this is 20.11.1.');
  expect(status).toBe(1);
});
