import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { fingerprintsOf } from './auth/secrets-key.ts';
import { openEmbedded, requireServer } from './database/embedded.ts';
import { makeEmptyDatabase } from './testing/databases.ts';
import { startPortal } from './testing/portal-process.ts';

const root = mkdtempSync(join(tmpdir(), 'portal-start-'));
const complete = join(root, 'complete');
afterAll(() => rmSync(root, { recursive: true }));

/** A start that ends by itself. */
async function startAndFail(settings: Record<string, string>): Promise<string> {
  const portal = startPortal(settings);
  void portal.waitFor('API reference').then(
    () => portal.kill('SIGKILL'),
    () => undefined,
  );
  expect({ code: await portal.ended, output: portal.output() }).toMatchObject({ code: 1 });
  const output = portal.output();
  expect(output).not.toMatch(/\n\s+at |undefined/);
  return output;
}

/** A start that is ended with the test. */
async function startAndServe(settings: Record<string, string>) {
  const portal = startPortal(settings);
  onTestFinished(async () => {
    portal.kill('SIGKILL');
    await portal.ended;
  });
  await portal.waitFor('API reference');
  return portal;
}

/** A copy of a data folder with a database. */
function copyFolder(name: string): string {
  const folder = join(root, name);
  cpSync(complete, folder, { recursive: true });
  return folder;
}

beforeAll(async () => {
  const database = await openEmbedded(complete);
  await database.close();
});

test('a port in use is named with another port to use, before the database is created', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const folder = join(root, 'port');
  expect(await startAndFail({ DATA_DIR: folder, PORT: String(port) })).toContain(
    `PORT ${port} is in use by another program. Stop that program, or choose another port: PORT=${port < 65_535 ? port + 1 : 8080} npm start`,
  );
  expect(existsSync(join(folder, 'postgres'))).toBe(false);
  expect(await startAndFail({ DATA_DIR: folder, METRICS_PORT: String(port) })).toContain(
    `METRICS_PORT ${port} is in use by another program.`,
  );
});

test('a host that is not an address of the machine is named with those to use', async () => {
  const output = await startAndFail({ DATA_DIR: join(root, 'host'), HOST: '192.0.2.1' });
  expect(output).toContain('HOST 192.0.2.1 is not an address of this machine (EADDRNOTAVAIL). Use 127.0.0.1, or');
});

test('backups without a server are rejected with the command that copies the embedded database to one', async () => {
  const backups = join(root, 'backups');
  mkdirSync(backups);
  const folder = join(root, 'backed-up');
  expect(await startAndFail({ DATA_DIR: folder, BACKUP_DIR: backups })).toContain(
    'BACKUP_DIR needs a PostgreSQL server in DATABASE_URL. The embedded database is for trying: npm run move -- --to DATABASE_URL copies it to a server',
  );
  expect(existsSync(folder)).toBe(false);
});

describe.runIf(inject('template').kind === 'server')('a record beside the backups', () => {
  const startWith = async (record: string): Promise<string> => {
    const { database, remove } = await makeEmptyDatabase(inject('template'));
    onTestFinished(remove);
    const backups = mkdtempSync(join(root, 'backups-'));
    writeFileSync(join(backups, 'last-numbers.json'), record);
    const DATABASE_URL = requireServer(database).directUrl;
    return startAndFail({ DATA_DIR: join(backups, 'data'), DATABASE_URL, BACKUP_DIR: backups });
  };

  test('a record of the last numbers that is newer than the database stops the start, which names the command to run', async () => {
    const output = await startWith('{"generation":7,"invoice":0,"credit_note":0}');
    expect(output).toContain('its generation is 0');
    expect(output).toContain('says 7.\nRun npm run after-restore before you start the portal.');
  });

  test('a damaged record of the last numbers stops the start, which says what to write into it', async () => {
    expect(await startWith('{')).toContain('last-numbers.json is damaged. Replace it with a copy');
  });
});

test.each(['', 'postgres'])('a file in place of the folder DATA_DIR/%s is named with what to do', async (name) => {
  const folder = join(root, `file-${name}`);
  if (name) mkdirSync(folder);
  const file = join(folder, name);
  writeFileSync(file, '');
  expect(await startAndFail({ DATA_DIR: folder })).toContain(
    `DATA_DIR must be a folder: ${join(folder, name).replace(/\/$/, '')} is a file. Move it away, or choose another folder`,
  );
});

describe('a data folder', () => {
  test('a data folder of a newer version is left unchanged, and the message names the ways out', async () => {
    const folder = copyFolder('newer');
    const database = await openEmbedded(folder);
    if (database.engine.kind === 'embedded')
      await database.engine.pglite.exec(`
        create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
        insert into kysely_migration values ('9999_of_a_later_version', '2030-01-01')`);
    await database.close();
    expect(await startAndFail({ DATA_DIR: folder })).toContain(
      'The database was used by a newer version of the portal. Start that version or a later one, or name another database.',
    );
  });

  test('a data folder with another version of PostgreSQL is named with the way to keep its data', async () => {
    const folder = copyFolder('other-postgres');
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '16\n');
    expect(await startAndFail({ DATA_DIR: folder })).toMatch(
      /has the format of PostgreSQL 16.*npm run move -- --to DATABASE_URL/,
    );
  });

  test('a data folder whose key is missing or is another one is rejected with the names of both keys', async () => {
    const folder = copyFolder('other-key');
    const own = { DATA_DIR: folder, SECRETS_KEY: 'the-own-key-of-this-folder-0123456789' };
    const portal = await startAndServe(own);
    portal.kill('SIGTERM');
    expect(await portal.ended).toBe(0);
    const [key, other] = ['the-own-key-of-this-folder-0123456789', 'another-key-0123456789-0123456789'].map(
      (secret) => fingerprintsOf({ secretsKeys: [secret], dataDir: folder })[0],
    );
    const rejected = await startAndFail({ ...own, SECRETS_KEY: 'another-key-0123456789-0123456789' });
    expect(rejected).toContain(
      `SECRETS_KEY does not contain the key of this database, ${key}, but ${other}. Set SECRETS_KEY to the key with which the portal ran before, or copy its file secrets.key to DATA_DIR.`,
    );
    // Without the setting, the portal makes a key in the folder.
    expect(await startAndFail({ ...own, SECRETS_KEY: '' })).toContain(
      `does not contain the key of this database, ${key}`,
    );
  });

  test('a data folder without PG_VERSION is reported as damaged, not replaced by a new database', async () => {
    const folder = copyFolder('partial');
    rmSync(join(folder, 'postgres', 'PG_VERSION'));
    const output = await startAndFail({ DATA_DIR: folder });
    expect(output).toContain(`The database in ${folder} cannot be opened (PG_VERSION is missing).`);
    expect(output).toContain(`Move ${join(folder, 'postgres')} away to start with a new database`);
    expect(existsSync(join(folder, 'postgres', 'PG_VERSION'))).toBe(false);
  });

  test.each([
    ['without its tables', (postgres: string) => rmSync(join(postgres, 'base'), { recursive: true })],
    ['with half of its control file', (postgres: string) => truncateSync(join(postgres, 'global', 'pg_control'), 100)],
    ['without its log', (postgres: string) => rmSync(join(postgres, 'pg_wal'), { recursive: true })],
  ])('%s is reported as damaged', async (name, damage) => {
    const folder = copyFolder(name.replaceAll(' ', '-'));
    damage(join(folder, 'postgres'));
    const output = await startAndFail({ DATA_DIR: folder });
    expect(output).toContain(`The database in ${folder} cannot be opened (`);
    expect(output).toContain('It is damaged, or only part of it was copied.');
  });

  test('a data folder whose creation was interrupted gets its database at the next start', async () => {
    const folder = join(root, 'interrupted');
    const first = startPortal({ DATA_DIR: folder });
    await first.waitFor('Opening the database');
    // Between the lock and the complete database.
    await expect.poll(() => existsSync(join(folder, 'postgres')), { interval: 5 }).toBe(true);
    first.kill('SIGKILL');
    await first.ended;
    // Its lock expires after 15 seconds.
    utimesSync(join(folder, 'in-use.lock'), 0, 0);
    await startAndServe({ DATA_DIR: folder });
    expect(existsSync(join(folder, 'postgres-incomplete'))).toBe(false);
  });

  test('a data folder that is copied while the portal runs opens, or is reported as damaged', async () => {
    const folder = copyFolder('running');
    await startAndServe({ DATA_DIR: folder });
    const copy = join(root, 'copy');
    cpSync(folder, copy, { recursive: true });
    const portal = startPortal({ DATA_DIR: copy });
    await portal.waitFor('API reference').catch(() => expect(portal.output()).toContain('It is damaged, or only part'));
    portal.kill('SIGTERM');
    await portal.ended;
  });

  test('a data folder that another portal serves from is opened only once that portal has stopped', async () => {
    const folder = copyFolder('in-use');
    const first = await startAndServe({ DATA_DIR: folder });
    const second = startPortal({ DATA_DIR: folder });
    await second.waitFor('Another process is using the data folder; waiting for it to stop');
    first.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    await second.waitFor('API reference');
    second.kill('SIGTERM');
    expect(await second.ended).toBe(0);
  });
});
