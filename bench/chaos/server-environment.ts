import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, type Postgres, startPostgres } from '../harness/postgres.ts';
import { DatabaseProxy } from './database-proxy.ts';
import { MailServer } from './mail-server.ts';
import { PortalProcess } from './portal-process.ts';
import { Readers } from './readers.ts';
import { addTotal, printLine } from './report.ts';

/** Runs a statement on a connection of its own. */
export async function query<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** PostgreSQL, a mail server and the portal with the demonstration schools, under a load of reading sessions. */
export class ServerEnvironment {
  readonly folder: string;
  readonly mailServer: MailServer;
  readonly proxy: DatabaseProxy;
  readonly portal: PortalProcess;
  readonly readers: Readers;
  /** A folder of its own, because the portal closes it to the user who runs PostgreSQL. */
  readonly dataFolder: string;
  readonly backupFolder: string;
  /** The address of the mail server, for another portal. */
  readonly smtpUrl: string;
  readonly #port: number;
  #postgres: Postgres;

  private constructor(folder: string, postgres: Postgres, port: number, parts: Parts) {
    this.folder = folder;
    this.#postgres = postgres;
    this.#port = port;
    this.mailServer = parts.mailServer;
    this.proxy = parts.proxy;
    this.portal = parts.portal;
    this.dataFolder = parts.dataFolder;
    this.backupFolder = parts.backupFolder;
    this.smtpUrl = parts.smtpUrl;
    this.readers = new Readers(parts.portal);
  }

  static async open(folder: string): Promise<ServerEnvironment> {
    printLine('PostgreSQL and the portal with the demonstration schools …');
    const port = await freePort();
    const postgres = await startPostgres(join(folder, 'postgres'), port);
    await query(postgres.url(), 'create database portal');
    const mailServer = new MailServer();
    const proxy = new DatabaseProxy(postgres.url('postgres', 'portal'));
    const backupFolder = join(folder, 'backups');
    mkdirSync(backupFolder, { mode: 0o700 });
    const dataFolder = join(folder, 'data');
    const smtpUrl = await mailServer.open();
    const portal = new PortalProcess(await freePort(), {
      DATABASE_URL: await proxy.open(),
      DATA_DIR: dataFolder,
      SMTP_URL: smtpUrl,
      BACKUP_DIR: backupFolder,
    });
    const environment = new ServerEnvironment(folder, postgres, port, {
      mailServer,
      proxy,
      portal,
      dataFolder,
      backupFolder,
      smtpUrl,
    });
    try {
      await portal.start().waitUntilReady();
      await environment.readers.start();
      return environment;
    } catch (error) {
      await environment.close();
      throw error;
    }
  }

  /** The database without the proxy. */
  get databaseUrl(): string {
    return this.#postgres.url('postgres', 'portal');
  }

  serverUrl = (database?: string): string => this.#postgres.url('postgres', database);

  stopPostgres = (): Promise<void> => this.#postgres.stop();

  async startPostgres(): Promise<void> {
    this.#postgres = await startPostgres(join(this.folder, 'postgres'), this.#port);
  }

  /** Ends the load and looks for each acknowledged session. */
  async addStoredTotal(): Promise<void> {
    await this.readers.stop();
    const stored = await query(this.databaseUrl, 'select id from reading_sessions where id = any ($1)', [
      [...this.readers.acknowledged],
    ]);
    addTotal('all of these, looked up in the database', this.readers, stored.length);
  }

  async close(): Promise<void> {
    await this.readers.stop();
    await this.portal.end('SIGKILL');
    this.proxy.close();
    await this.mailServer.close();
    await this.#postgres.stop();
  }
}

interface Parts {
  mailServer: MailServer;
  proxy: DatabaseProxy;
  portal: PortalProcess;
  dataFolder: string;
  backupFolder: string;
  smtpUrl: string;
}
