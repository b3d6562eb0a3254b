import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { administer, createDatabaseAccount, type DatabaseAccount } from '../testing/database-account.ts';
import { runCommand, startPortal } from '../testing/portal-process.ts';
import { checkDatabase, explainFacts, explainRoles } from './check-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-database-checks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RIGHT = {
  PUBLIC_URL: 'https://portal.readwell.co.uk',
  SECRETS_KEY: 'Yq7LrU2mZ0pVtK9wXcB4nHs8JdFgAe31',
  TRUST_PROXY: '127.0.0.1',
  CONTACT_EMAIL: 'office@readwell.co.uk',
  PRODUCT_NAME: 'Readwell',
  SELLER_NAME: 'Readwell Ltd',
  SELLER_ADDRESS: '1 High Street;Leeds;LS1 4AP',
  SELLER_VAT_NUMBER: 'GB 123 4567 82',
  BANK_ACCOUNT: 'Readwell Ltd;20-41-15;73920184',
  // From age's own documentation.
  BACKUP_RECIPIENTS: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  STAGE: 'production',
  HASH_COST: 'full',
  LOG_LEVEL: 'info',
  DEMO: 'off',
  MAX_EVENT_LOOP_DELAY: '1000',
  DRAIN_SECONDS: '6',
};

const FACTS = {
  version: 150_004,
  encoding: 'UTF8',
  account: 'portal',
  database: 'portal',
  isSuperuser: false,
  canCreateRoles: true,
  canCreateDatabases: true,
  owner: 'portal',
  isOwner: true,
  isStandby: false,
  isReadOnly: false,
  maxConnections: 100,
};
const ROLE = { name: 'portal_school', exists: true, isJoinedAtStart: false, isMember: true, isAdmin: false };

describe('the account of a database', () => {
  const config = readConfig({ ...RIGHT, DATABASE_URL: 'postgres://127.0.0.1/portal' });

  test.each([
    [{ version: 140_011 }, 'names PostgreSQL 14. Upgrade the server'],
    [{ isStandby: true, isReadOnly: true }, 'names a standby, which cannot be written to'],
    [{}, undefined],
  ])('a database with the facts %j is reported with %j', (change, text) => {
    const explained = explainFacts({ ...FACTS, ...change }, config);
    if (text === undefined) expect(explained).toBeUndefined();
    else expect(explained).toContain(text);
  });

  test.each([
    [
      'is rejected when roles are missing and it may not create them',
      {},
      { exists: false, isMember: false },
      'may not create',
    ],
    [
      'is accepted when roles are missing and it may create them',
      { canCreateRoles: true },
      { exists: false },
      undefined,
    ],
    ['is accepted as a member of the roles', {}, {}, undefined],
    ['is rejected when it is no member of a role', {}, { isMember: false }, 'may not use the roles portal_school'],
    [
      'is accepted as an administrator of the roles without being a member',
      {},
      { isMember: false, isAdmin: true },
      undefined,
    ],
    [
      'is rejected when it is no administrator of the role that it joins at each start',
      {},
      { isJoinedAtStart: true },
      'may not use the roles portal_school',
    ],
    ['is accepted on PostgreSQL 15 when it may create roles', { canCreateRoles: true }, { isMember: false }, undefined],
    [
      'is rejected on PostgreSQL 16 when it may create roles, but not grant those of others',
      { canCreateRoles: true, version: 160_002 },
      { isMember: false },
      'may not use',
    ],
  ])('an account %s', (_, facts, role, text) => {
    const explained = explainRoles({ ...FACTS, canCreateRoles: false, ...facts }, [{ ...ROLE, ...role }]);
    if (text === undefined) expect(explained).toBeUndefined();
    else expect(explained).toContain(text);
  });
});

/** A server that accepts connections and never answers. */
async function openSilentServer(): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

test('a database server that never answers is reported', async () => {
  const url = `postgres://portal@127.0.0.1:${await openSilentServer()}/portal`;
  expect(await checkDatabase(readConfig({ ...RIGHT, DATABASE_URL: url }), { withKeys: true })).toEqual({
    errors: [{ setting: 'DATABASE_URL', text: expect.stringContaining('names a database that cannot be used') }],
    warnings: [],
  });
});

const template = inject('template');
if (template.kind === 'server')
  describe('npm run config and a start', () => {
    const create = async (options: Parameters<typeof createDatabaseAccount>[1] = {}): Promise<DatabaseAccount> => {
      const account = await createDatabaseAccount(template.url, options);
      onTestFinished(() => account.remove());
      return account;
    };
    const change = (url: string, part: 'pathname' | 'port' | 'hostname', value: string): string => {
      const changed = new URL(url);
      changed[part] = value;
      return changed.href;
    };
    /** Settings of a portal with folders of its own. */
    const settingsOf = async (given: Record<string, string>): Promise<Record<string, string>> => {
      const own = mkdtempSync(join(folder, 'portal-'));
      const [data, backups] = ['data', 'backups'].map((name) => join(own, name)) as [string, string];
      mkdirSync(backups);
      return { ...RIGHT, PORT: String(await findFreePort()), DATA_DIR: data, BACKUP_DIR: backups, ...given };
    };
    const readTables = async (url: string): Promise<unknown[]> => {
      const { rows } = await administer(
        url,
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
      );
      return rows;
    };
    /** Expects the command and a start to end with this issue. */
    const expectIssue = async (given: Record<string, string>, issue: string) => {
      const settings = await settingsOf(given);
      const { code, stdout } = await runCommand('print-config.ts', [], settings, folder);
      expect(stdout).toContain(`\n  ${issue}`);
      expect(code).toBe(1);
      const portal = startPortal(settings);
      void portal.waitFor('API reference').then(
        () => portal.kill('SIGKILL'),
        () => undefined,
      );
      expect(await portal.ended).toBe(1);
      expect(portal.output()).toContain(issue);
      expect(portal.output()).not.toMatch(/\n\s+at /);
    };

    test('npm run config and a start accept an account and a database as documented', async () => {
      const { url, adminUrl } = await create();
      const settings = await settingsOf({ DATABASE_URL: url });
      const { code, stdout } = await runCommand('print-config.ts', [], settings, folder);
      expect(stdout.split('\n\n').slice(1)).toEqual([
        'Warnings:\n  SMTP_URL is not set: emails are written to DATA_DIR/outbox and reach no one',
        'The settings are valid.\n',
      ]);
      expect(code).toBe(0);
      expect(await readTables(adminUrl)).toEqual([]);
      const portal = startPortal(settings);
      await portal.waitFor('API reference');
      portal.kill('SIGINT');
      expect(await portal.ended).toBe(0);
      expect(portal.output()).toContain('SMTP_URL is not set');
      expect(portal.output().match(/"setting":"\w+"/g)).toEqual(['"setting":"SMTP_URL"']);
      // Once there are tables, roles and a key.
      expect(await runCommand('print-config.ts', [], settings, folder)).toMatchObject({ code: 0 });
      const withOtherKey = { ...settings, SECRETS_KEY: 'Zz7LrU2mZ0pVtK9wXcB4nHs8JdFgAe31' };
      const { stdout: rejected } = await runCommand('print-config.ts', [], withOtherKey, folder);
      expect(rejected).toContain('SECRETS_KEY does not contain the key of this database');
    });

    test('npm run config accepts the port of the running portal, and rejects that of another program', async () => {
      const { url } = await create();
      const settings = await settingsOf({ DATABASE_URL: url });
      const portal = startPortal(settings);
      await portal.waitFor('API reference');
      expect(await runCommand('print-config.ts', [], settings, folder)).toMatchObject({ code: 0 });
      portal.kill('SIGTERM');
      await portal.ended;
      const server = createServer((socket) => socket.end()).listen(Number(settings.PORT), '127.0.0.1');
      await new Promise((done) => server.once('listening', done));
      onTestFinished(() => void server.close());
      expect(await runCommand('print-config.ts', [], settings, folder)).toMatchObject({
        code: 1,
        stdout: expect.stringContaining(`PORT ${settings.PORT} is in use by another program`),
      });
    });

    test('npm run config and a start reject a superuser in production and create no tables', async () => {
      const { adminUrl, name } = await create();
      await administer(template.url, `alter role ${name} superuser`);
      await expectIssue({ DATABASE_URL: adminUrl }, 'DATABASE_URL names the account');
      expect(await readTables(adminUrl)).toEqual([]);
      const local = readConfig({ DATABASE_URL: adminUrl, STAGE: 'local' });
      expect(await checkDatabase(local, { withKeys: true })).toEqual({ errors: [], warnings: [] });
    });

    test('npm run config and a start reject an account that may not create roles', async () => {
      const { url, name } = await create({ attributes: '' });
      await expectIssue({ DATABASE_URL: url }, `DATABASE_URL names the account ${name}, which may not`);
    });

    test('npm run config and a start accept an account that administers the roles and may not create any', async () => {
      const owner = await create();
      const portal = startPortal(await settingsOf({ DATABASE_URL: owner.url }));
      await portal.waitFor('API reference');
      portal.kill('SIGTERM');
      await portal.ended;
      const { url, name } = await create({ attributes: '' });
      await administer(
        template.url,
        `grant portal_school, portal_platform, portal_idle, portal_audit to ${name} with admin option`,
      );
      const config = readConfig({ ...RIGHT, DATABASE_URL: url });
      expect(await checkDatabase(config, { withKeys: true })).toEqual({ errors: [], warnings: [] });
      const second = startPortal(await settingsOf({ DATABASE_URL: url }));
      await second.waitFor('API reference');
      second.kill('SIGTERM');
      expect(await second.ended).toBe(0);
    });

    test('npm run config and a start reject an account that does not own the database', async () => {
      const { url, name } = await create({ isOwner: false });
      await expectIssue({ DATABASE_URL: url }, `DATABASE_URL names the account ${name}, but the database belongs to`);
    });

    test('npm run config and a start reject a database with a table that a superuser created', async () => {
      const { url, adminUrl, name } = await create();
      await administer(adminUrl, 'create table kysely_migration (name text)');
      await expectIssue(
        { DATABASE_URL: url },
        `DATABASE_URL names the account ${name}, but the table public.kysely_migration belongs to`,
      );
    });

    test('npm run config and a start reject a database that may only be read', async () => {
      const { url, name } = await create();
      await administer(template.url, `alter database ${name} set default_transaction_read_only = on`);
      await expectIssue({ DATABASE_URL: url }, 'DATABASE_URL names a database in which the account');
    });

    test('npm run config and a start reject a database with another encoding than UTF-8', async () => {
      const { url } = await create({ encoding: 'SQL_ASCII' });
      await expectIssue({ DATABASE_URL: url }, 'DATABASE_URL names a database with the encoding SQL_ASCII');
    });

    test('npm run config and a start reject a direct URL on which nothing listens', async () => {
      const { url, adminUrl } = await create();
      const closed = change(url, 'port', String(await findFreePort()));
      await expectIssue(
        { DATABASE_URL: url, DATABASE_DIRECT_URL: closed },
        'DATABASE_DIRECT_URL names a database that cannot be used: connect ECONNREFUSED',
      );
      expect(await readTables(adminUrl)).toEqual([]);
    });

    test('npm run config and a start reject a direct URL of another database and change neither database', async () => {
      const [account, otherAccount] = [await create(), await create()];
      await administer(template.url, `grant ${otherAccount.name} to ${account.name}`);
      await expectIssue(
        { DATABASE_URL: account.url, DATABASE_DIRECT_URL: change(account.url, 'pathname', `/${otherAccount.name}`) },
        'DATABASE_DIRECT_URL names another database or server than DATABASE_URL',
      );
      expect([await readTables(account.adminUrl), await readTables(otherAccount.adminUrl)]).toEqual([[], []]);
    });

    test('npm run config and a start accept a direct URL that leads to the same database in another way', async () => {
      const { url } = await create();
      const settings = { DATABASE_URL: url, DATABASE_DIRECT_URL: `${url}?application_name=direct` };
      const config = readConfig({ ...RIGHT, ...settings });
      expect(await checkDatabase(config, { withKeys: true })).toEqual({ errors: [], warnings: [] });
    });

    test('npm run config and a start warn of a pool with more connections than the server allows', async () => {
      const { url } = await create();
      const { rows } = await administer(url, "select current_setting('max_connections')::int as max");
      const [{ max }] = rows as [{ max: number }];
      const config = { ...readConfig({ ...RIGHT, DATABASE_URL: url }), databasePoolSize: max };
      expect(await checkDatabase(config, { withKeys: true })).toEqual({
        errors: [],
        warnings: [{ setting: 'DATABASE_POOL_SIZE', text: expect.stringContaining(`the server allows ${max}`) }],
      });
    });

    test('npm run config and a start warn of an account that cannot make the scratch database of the weekly restore test', async () => {
      const { url, name } = await create({ attributes: 'createrole' });
      const config = readConfig({ ...RIGHT, DATABASE_URL: url, BACKUP_DIR: folder });
      const { warnings } = await checkDatabase(config, { withKeys: true });
      expect(warnings).toEqual([
        { setting: 'RESTORE_TEST', text: expect.stringContaining(`alter role ${name} createdb`) },
      ]);
      const without = await checkDatabase({ ...config, hasRestoreTest: false }, { withKeys: true });
      expect(without.warnings).toEqual([]);
    });

    test('npm run config and a start reject a database that does not exist', async () => {
      const { url } = await create();
      await expectIssue(
        { DATABASE_URL: change(url, 'pathname', '/no_such_database') },
        'DATABASE_URL names a database that cannot be used: database "no_such_database" does not exist',
      );
    });
  });
