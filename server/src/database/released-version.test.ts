import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { makeEmptyDatabase } from '../testing/databases.ts';
import type { ReleasedVersion } from '../testing/released-version.ts';
import type { RecordedStatement } from '../testing/statement-recorder.ts';
import released from '../testing/released-version.json' with { type: 'json' };
import { hasClusterExtension } from './cluster/cluster.queries.ts';
import { prepareDatabase } from './database.ts';
import { migrate, migrationNames, needsMigration, RELEASED_SCHEMA } from './migrations.ts';
import { SCHOOL_ROLE } from './row-level-security.ts';

/*
 * While processes are restarted one after the other, the previous release serves beside this one, on this one's schema:
 * docs/decisions/releases-side-by-side.md
 */

/** Until 1.0.0 no release is recorded: `schema` is null and there are no statements. */
const { schema, statements } = released as ReleasedVersion;

/**
 * What a migration since the release additionally requires of a row, and why the rows of the released version meet it:
 * `'a new rule: staff: CHECK (…)': 'The release before stores a role in every row.'`
 */
const INTENDED_REQUIREMENTS: Record<string, string> = {};

const app = testApp();
beforeAll(async () => {
  if (await hasClusterExtension(app.database.kysely))
    throw new Error(
      'Run this test on a server without the extension citus: planning the list of pupils without a school crashes a coordinator with Citus 13.2.',
    );
});

/** Makes PostgreSQL resolve the names, types and permissions of a statement without running it. */
async function explain(tx: Kysely<never>, role: 'school' | 'platform', text: string): Promise<void> {
  if (role === 'school') {
    await sql.raw(`set local role ${SCHOOL_ROLE}`).execute(tx);
    await sql.raw("set local app.school_id = '1'").execute(tx);
  }
  await sql.raw(`prepare released as ${text}`).execute(tx);
  try {
    const { rows } = await sql<{ n: number }>`
      select coalesce(array_length(parameter_types, 1), 0) as n from pg_prepared_statements
      where name = 'released'`.execute(tx);
    const values = Array.from({ length: rows[0]?.n ?? 0 }, () => 'null').join(', ');
    await sql.raw(`explain execute released${values && `(${values})`}`).execute(tx);
    await sql`deallocate released`.execute(tx);
  } catch (error) {
    await sql`rollback to released`.execute(tx);
    await sql`deallocate released`.execute(tx);
    throw error;
  }
}

/** The reasons why statements fail in this transaction. */
async function findObstacles(tx: Kysely<never>, sent: readonly RecordedStatement[]): Promise<string[]> {
  const refusals: string[] = [];
  for (const [role, text] of sent) {
    await sql`savepoint released`.execute(tx);
    await explain(tx, role, text).catch((error: Error) =>
      refusals.push(`${error.message}: ${role}: ${text.replaceAll(/\s+/g, ' ').slice(0, 400)}`),
    );
    await sql`rollback to released`.execute(tx);
  }
  return refusals;
}

interface Column {
  type: string;
  /** An insert may omit the column. */
  optional: boolean;
}
interface Shape {
  columns: Record<string, Column>;
  /** The checks, foreign keys and unique indexes of a row. */
  rules: string[];
}

/** What the tables accept, from the catalog. */
async function readShape(db: Kysely<never>): Promise<Shape> {
  const { rows: columns } = await sql<Column & { name: string }>`
    select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull or a.atthasdef or a.attidentity <> '' as optional
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'kysely%'
      and a.attnum > 0 and not a.attisdropped`.execute(db);
  const { rows: rules } = await sql<{ rule: string }>`
    select conrelid::regclass || ': ' || pg_get_constraintdef(oid) as rule from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'x')
    union select indrelid::regclass || ': ' || regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON \\S+', 'INDEX')
      from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = 'public'::regnamespace and indisunique`.execute(db);
  return {
    columns: Object.fromEntries(columns.map(({ name, type, optional }) => [name, { type, optional }])),
    rules: rules.map(({ rule }) => rule),
  };
}

const tableOf = (name: string): string => name.split(/[.:]/)[0] ?? '';

/** What the new schema removes, or additionally requires, for code that knows the old one. */
function findContractions(old: Shape, today: Shape): string[] {
  const known = new Set(Object.keys(old.columns).map(tableOf));
  return [
    ...Object.entries(old.columns).flatMap(([name, { type, optional }]) => {
      const now = today.columns[name];
      if (!now) return [`${name} is gone`];
      if (now.type !== type) return [`${name} was ${type} and is ${now.type}`];
      return optional && !now.optional ? [`${name} could be left out`] : [];
    }),
    ...Object.entries(today.columns)
      .filter(([name, { optional }]) => !(name in old.columns) && known.has(tableOf(name)) && !optional)
      .map(([name]) => `${name} is new and cannot be left out`),
    ...today.rules
      .filter((rule) => !old.rules.includes(rule) && known.has(tableOf(rule)))
      .map((rule) => `a new rule: ${rule}`),
  ].filter((line) => !(line in INTENDED_REQUIREMENTS));
}

const asNever = (db: unknown) => db as Kysely<never>;

/** The findings after a change of the schema, which is undone. */
async function changed<T>(change: string | undefined, look: (tx: Kysely<never>) => Promise<T>): Promise<T> {
  const tx = await app.database.kysely.startTransaction().execute();
  try {
    if (change) await sql.raw(change).execute(tx);
    return await look(asNever(tx));
  } finally {
    await tx.rollback().execute();
  }
}

/** Statements of this version, as a release records them. */
const OWN_STATEMENTS: readonly RecordedStatement[] = [
  ['school', 'select archived_from from pupils where school_id = $1'],
  ['school', 'update classes set name = $1 where school_id = $2'],
  ['platform', 'insert into book_completions (school_id, pupil_id) values ($1, $2)'],
];

describe('the previous release', () => {
  test('the previous release is recorded with its statements, except before 1.0.0', () => {
    expect(migrationNames).toContain(RELEASED_SCHEMA);
    expect([schema, statements.length > 300]).toEqual(schema === null ? [null, false] : [RELEASED_SCHEMA, true]);
  });

  test('the previous release can run each of its statements on the current schema, in the same role', async () => {
    expect(await changed(undefined, (tx) => findObstacles(tx, [...statements, ...OWN_STATEMENTS]))).toEqual([]);
  });

  test.each([
    ['alter table pupils drop column archived_from', 'archived_from'],
    ['revoke update on classes from portal_school', 'permission denied for table classes'],
    ['alter table book_completions rename to completions', 'relation "book_completions" does not exist'],
  ])('a migration that does “%s” is found to break the previous release', async (change, why) => {
    expect((await changed(change, (tx) => findObstacles(tx, OWN_STATEMENTS))).join('\n')).toContain(why);
  });

  test('the previous release can write every row as before on the current schema', async () => {
    const { database, remove } = await makeEmptyDatabase(inject('template'));
    try {
      await migrate(database.kysely, RELEASED_SCHEMA);
      const old = await readShape(asNever(database.kysely));
      expect(findContractions(old, await readShape(asNever(app.database.kysely)))).toEqual([]);
    } finally {
      await remove();
    }
  });
});

test.each([
  ['alter table pupils drop column name_key', 'pupils.name_key is gone'],
  ['alter table pupils alter column archived_by type numeric', 'pupils.archived_by was bigint and is numeric'],
  ['alter table pupils alter column class_id set not null', 'pupils.class_id could be left out'],
  ['alter table pupils add column house text not null', 'pupils.house is new and cannot be left out'],
  ["alter table pupils add check (name <> 'x')", 'a new rule: pupils: CHECK'],
  ['create unique index one_page on class_books (school_id, book_id)', 'a new rule: class_books: CREATE UNIQUE INDEX'],
  ['alter table pupils rename to readers', 'pupils.id is gone'],
])('a migration that does “%s” is found to remove something that the previous release uses', async (change, found) => {
  const old = await changed(undefined, readShape);
  expect(findContractions(old, await changed(change, readShape)).join('\n')).toContain(found);
});

test.each([
  "alter table pupils add column house text not null default ''",
  'alter table pupils add column house text',
  'alter table pupils alter column name_key drop not null',
  'create table houses (school_id bigint primary key references schools (id), name text not null check (length(name) > 0))',
  'create index pupils_by_age on pupils (school_id, created_at)',
])('a migration that does “%s” is found to remove nothing', async (change) => {
  const old = await changed(undefined, readShape);
  expect(findContractions(old, await changed(change, readShape))).toEqual([]);
});

const template = inject('template');
if (template.kind === 'server')
  describe('a start while a process of another version is connected', () => {
    /**
     * The outcome of a start while another process is connected, whether it changed the schema, and the outcome once
     * that process has ended.
     */
    async function startBeside(applicationName: string) {
      const { database, remove } = await makeEmptyDatabase(template);
      const connectionString =
        database.engine.kind === 'server' ? String(database.engine.pool.options.connectionString) : '';
      const client = new pg.Client({ connectionString, application_name: applicationName });
      await client.connect();
      try {
        const start = () => prepareDatabase(database, async () => 'started');
        const first = await start().catch((error: Error) => error.message);
        const isChanged = !(await needsMigration(database.kysely));
        await client.end();
        return { first, isChanged, afterwards: await start() };
      } finally {
        await remove();
      }
    }

    test('a start fails with an explanation and changes nothing while a process two releases behind runs', async () => {
      expect(await startBeside('school-portal 0000_before')).toEqual({
        first: expect.stringContaining(
          'more than one release old still uses this database (its schema is 0000_before)',
        ),
        isChanged: false,
        afterwards: 'started',
      });
    });

    test.each([...new Set([`school-portal ${RELEASED_SCHEMA}`, `school-portal ${migrationNames.at(-1)}`, 'psql'])])(
      'a start succeeds beside a connection named %s',
      async (name) => {
        expect(await startBeside(name)).toEqual({ first: 'started', isChanged: true, afterwards: 'started' });
      },
    );

    test('a process names its schema on its connections', async () => {
      const { rows } = await sql<{ name: string }>`select current_setting('application_name') as name`.execute(
        app.database.kysely,
      );
      expect(rows).toEqual([{ name: `school-portal ${migrationNames.at(-1)}` }]);
    });
  });
