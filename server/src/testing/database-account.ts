import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Runs statements as the superuser of the tests. */
export async function administer(url: string, ...statements: string[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let result = await client.query('select 1');
    for (const statement of statements) result = await client.query(statement);
    return result;
  } finally {
    await client.end();
  }
}

/** An account with a database, as docs/running.md creates them, and with deviations. */
export interface DatabaseAccount {
  name: string;
  /** As the account. */
  url: string;
  /** The same database as the superuser. */
  adminUrl: string;
  remove(): Promise<void>;
}

export async function createDatabaseAccount(
  serverUrl: string,
  { attributes = 'createrole createdb', isOwner = true, encoding = 'UTF8' } = {},
): Promise<DatabaseAccount> {
  const name = `account_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(16).toString('hex');
  await administer(
    serverUrl,
    `create role ${name} login ${attributes} password '${password}'`,
    `create database ${name} ${isOwner ? `owner ${name}` : ''} encoding '${encoding}' lc_collate 'C' lc_ctype 'C' template template0`,
  );
  const admin = new URL(serverUrl);
  admin.pathname = `/${name}`;
  const own = new URL(admin);
  own.username = name;
  own.password = password;
  return {
    name,
    url: own.href,
    adminUrl: admin.href,
    remove: async () => {
      await administer(serverUrl, `drop database if exists ${name} with (force)`);
      // Rights on schemas and roles of other databases of the server.
      await administer(serverUrl, `drop owned by ${name}`, `drop role ${name}`);
    },
  };
}
