import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { listJobs } from '../app.ts';
import { readConfig } from '../config.ts';
import { connectServer, type Database, prepareDatabase } from '../database/database.ts';
import { openEmbedded } from '../database/embedded.ts';
import { migrationNames } from '../database/migrations.ts';
import { loadCatalogue } from '../features/books/catalogue/catalogue.public.ts';
import { openQueue } from '../jobs/queue.ts';
import { listReleasedStatements, type ReleasedVersion } from './released-version.ts';
import { flushStatements, type RecordedStatement, recordStatements } from './statement-recorder.ts';
import { testSettings } from './test-settings.ts';

/** The prepared database that each test file copies. */
export type Template =
  | { kind: 'embedded'; dump: string }
  /** `statements` names the file that lists the statements sent. */
  | { kind: 'server'; url: string; name: string; statements: string };

/** A connection that is patient on a busy machine. */
const PATIENT_MS = 60_000;

/** Of the connections to a test's database. */
const CONNECTIONS = { connections: 8, connectTimeoutMs: PATIENT_MS, statementTimeoutMs: PATIENT_MS };

const fail = (error: Error): never => {
  throw error;
};

/** Prepares a database as a start does, with the catalogue. */
export async function prepareForTests(database: Database): Promise<void> {
  await prepareDatabase(database, async () => {
    await loadCatalogue(database, new Date());
    const services = { config: readConfig(testSettings), database, clock: { now: () => new Date() } };
    const queue = await openQueue(
      database,
      listJobs(services, async () => undefined),
      fail,
    );
    await queue.stop();
  });
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const newName = (): string => `test_${randomBytes(6).toString('hex')}`;

const named = (url: string, database: string): string => {
  const at = new URL(url);
  at.pathname = `/${database}`;
  return at.href;
};

/** Creates the template once per run; `remove` deletes it. */
export async function makeTemplate(
  serverUrl: string | undefined,
): Promise<{ template: Template; remove: () => Promise<void> }> {
  if (!serverUrl) {
    const database = await openEmbedded();
    await prepareForTests(database);
    const { engine } = database;
    if (engine.kind !== 'embedded') throw new Error('The embedded database is not embedded.');
    const dump = await engine.pglite.dumpDataDir('none');
    await database.close();
    const folder = mkdtempSync(join(tmpdir(), 'portal-tests-'));
    writeFileSync(join(folder, 'template.tar'), Buffer.from(await dump.arrayBuffer()));
    return {
      template: { kind: 'embedded', dump: join(folder, 'template.tar') },
      remove: async () => rmSync(folder, { recursive: true }),
    };
  }
  const name = `template_${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, `create database ${name}`);
  const database = connectServer(named(serverUrl, name), {
    onLost: fail,
    connections: 4,
    connectTimeoutMs: PATIENT_MS,
  });
  await prepareForTests(database);
  await database.close();
  const statements = join(mkdtempSync(join(tmpdir(), 'portal-statements-')), 'statements.jsonl');
  for (const file of [statements, `${statements}.breaches`]) writeFileSync(file, '');
  return {
    template: { kind: 'server', url: serverUrl, name, statements },
    remove: async () => {
      await administer(serverUrl, `drop database if exists ${name} with (force)`);
      const lines = readFileSync(statements, 'utf8').split('\n').filter(Boolean);
      const sent = lines.map((line) => JSON.parse(line) as RecordedStatement);
      const texts = new Set(sent.map(([, text]) => text));
      // A single file of tests may send none.
      if (texts.size === 0 && !process.env.TEST_FILES)
        throw new Error('No statement was recorded, so none was checked against the rules of a cluster.');
      const breaches = new Set(readFileSync(`${statements}.breaches`, 'utf8').split('\n').filter(Boolean));
      process.stdout.write(
        `${texts.size} different statements were read; ${breaches.size} break a rule of a cluster.\n`,
      );
      for (const breach of breaches) process.stdout.write(`  ${JSON.parse(breach) as string}\n`);
      rmSync(dirname(statements), { recursive: true });
      const { RECORD_RELEASE: file } = process.env;
      if (file) {
        const released: ReleasedVersion = { schema: migrationNames.at(-1)!, statements: listReleasedStatements(sent) };
        writeFileSync(file, `${JSON.stringify(released, null, 2)}\n`);
      }
      if (breaches.size > 0) throw new Error('Statements break the rules of a cluster: see above.');
    },
  };
}

/** `served` is for the product. In `database`, which is otherwise the same, statements run as the owner. */
type Copy = { database: Database; served: Database; remove: () => Promise<void> };

async function createDatabase(url: string, from: string): Promise<Copy & { name: string }> {
  const name = newName();
  await administer(url, `create database ${name} template ${from}`);
  const served = connectServer(named(url, name), { ...CONNECTIONS, startsIdle: true });
  const { kysely, close } = connectServer(named(url, name), CONNECTIONS);
  return {
    name,
    served,
    database: {
      ...served,
      kysely,
      get jobs() {
        return served.jobs;
      },
      set jobs(jobs) {
        served.jobs = jobs;
      },
    },
    remove: async () => {
      await served.close();
      await close();
      await administer(url, `drop database if exists ${name} with (force)`);
    },
  };
}

/** A test's own database: a copy of the template. */
export async function copyTemplate(template: Template): Promise<Copy> {
  if (template.kind === 'server') {
    const copy = await createDatabase(template.url, template.name);
    await recordStatements(copy.name);
    return {
      ...copy,
      remove: async () => {
        await copy.remove();
        flushStatements(template.statements);
      },
    };
  }
  const database = await openEmbedded(undefined, new Blob([readFileSync(template.dump)]));
  return { database, served: database, remove: () => database.close() };
}

/** A test's own database without tables, on the same engine as the template. */
export async function makeEmptyDatabase(template: Template): Promise<Copy> {
  if (template.kind === 'server') return createDatabase(template.url, 'template0');
  const database = await openEmbedded();
  return { database, served: database, remove: () => database.close() };
}
