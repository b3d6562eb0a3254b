import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOLDINGS } from './holdings.registry.ts';
import { STORES } from './stores.registry.ts';
import { CATALOGUE_TABLES, PLATFORM_TABLES, SCHOOL_TABLES } from '../../../database/table-kinds.ts';
import type { TableEntry } from './table-entry.registry.ts';
import { rulesOf, tableEntries } from './tables.registry.ts';

const app = testApp();
const names = async (query: string) =>
  (await sql.raw<{ name: string }>(query).execute(app.database.kysely)).rows.map(({ name }) => name);
const keys = async () =>
  (
    await sql<{ name: string; target: string; columns: string[]; targets: string[] }>`
      select k.conrelid::regclass::text as name, k.confrelid::regclass::text as target,
        array(select attname::text from unnest(k.conkey) with ordinality c (n, i) join pg_attribute on attrelid = k.conrelid and attnum = c.n order by i) as columns,
        array(select attname::text from unnest(k.confkey) with ordinality c (n, i) join pg_attribute on attrelid = k.confrelid and attnum = c.n order by i) as targets
      from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace`.execute(
      app.database.kysely,
    )
  ).rows;
const kindOf = (name: string) =>
  [CATALOGUE_TABLES, SCHOOL_TABLES, PLATFORM_TABLES].findIndex((list) => (list as readonly string[]).includes(name));

test('every table is declared in the registry', async () => {
  const listed = [...CATALOGUE_TABLES, ...SCHOOL_TABLES, ...PLATFORM_TABLES];
  const tables = await names(`select relname as name from pg_class where relkind in ('r', 'p')
    and relnamespace = 'public'::regnamespace and relname not like 'kysely%' order by relname`);
  expect([...listed].sort()).toEqual(tables);
});

test('only the keys of school tables start with the school', async () => {
  const others = await names(`
    select distinct t.relname as name from pg_index i join pg_class t on t.oid = i.indrelid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where t.relnamespace = 'public'::regnamespace and i.indisunique
      and a.attname <> case t.relname when 'schools' then 'id' else 'school_id' end`);
  expect(others.filter((name) => kindOf(name) === 1)).toEqual([]);
  expect((SCHOOL_TABLES as readonly string[]).filter((name) => others.includes(name))).toEqual([]);
});

test('foreign keys of school tables point to the school or to the catalogue', async () => {
  const found = await keys();
  expect(found.length).toBeGreaterThan(20);
  for (const { name, target, columns, targets } of found.filter((key) => kindOf(key.name) === 1)) {
    expect([name, target, kindOf(target)]).not.toEqual([name, target, 2]);
    if (kindOf(target) === 1)
      expect([name, columns[0], targets[0]]).toEqual([name, 'school_id', target === 'schools' ? 'id' : 'school_id']);
  }
  expect(found.filter((key) => kindOf(key.name) !== 1 && kindOf(key.target) === 1)).toEqual([]);
});

test('the registry lists a referenced table before the tables that refer to it', async () => {
  for (const list of [CATALOGUE_TABLES, SCHOOL_TABLES] as readonly (readonly string[])[])
    for (const { name, target } of await keys())
      if (name !== target && list.includes(name) && list.includes(target))
        expect([name, list.indexOf(name)]).not.toEqual([name, Math.min(list.indexOf(name), list.indexOf(target))]);
});

test('no foreign key of a school table is set to null on delete, which a cluster rejects', async () => {
  expect(
    await names(`select conname as name from pg_constraint where contype = 'f' and confdeltype in ('n', 'd')
      and connamespace = 'public'::regnamespace`),
  ).toEqual([]);
});

const columns = async () =>
  (
    await sql<{ table: string; column: string; type: string }>`
      select c.relname as table, a.attname as column, a.atttypid::regtype::text as type from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
        and c.relname not like 'kysely%'`.execute(app.database.kysely)
  ).rows;

test('every platform table with a school ends with it, except memberships, which end last, and the links to invoices', async () => {
  const withSchool = (await columns()).filter(({ column }) => column === 'school_id').map(({ table }) => table);
  const platform = withSchool.filter((name) => (PLATFORM_TABLES as readonly string[]).includes(name));
  const ending = tableEntries.filter(([, { endsWithSchool }]) => endsWithSchool).map(([name]) => name);
  expect(platform.filter((name) => !ending.includes(name as never)).sort()).toEqual(['invoice_links', 'user_schools']);
  expect(ending.filter((name) => !platform.includes(name))).toEqual([]);
});

test('only the school’s name, the head of its audit log and what tax law requires outlive a school', () => {
  const outliving = tableEntries.filter(([, { outlivesSchool }]) => outlivesSchool);
  expect(outliving.filter(([, { holding }]) => holding !== 'billing').map(([name]) => name)).toEqual([
    'schools',
    'audit_chains',
  ]);
});

/** The names of columns with the ID of a person. */
const PERSON =
  /^(pupil|user|actor_user|impersonator|impersonator_user|operator|manager|new_admin|former_admin)_ids?$|_by$|^held_for$/;

test('every column with the ID of a pupil, user or author is declared, so that erasure deletes or keeps it on purpose', async () => {
  const all = await columns();
  expect(all.length).toBeGreaterThan(200);
  const declared = ({ table, column }: { table: string; column: string }) => {
    const { pupil, user, people = [] } = new Map<string, TableEntry>(tableEntries).get(table)!;
    return [pupil, user, ...people].includes(column);
  };
  expect(
    all.filter((column) => PERSON.test(column.column) && column.type.startsWith('bigint') && !declared(column)),
  ).toEqual([]);
});

test('the key and columns of each retention rule are those of its table', async () => {
  const { rows } = await sql<{ table: string; key: string[] }>`
    select conrelid::regclass::text as table,
      array(select attname::text from unnest(conkey) with ordinality c (n, i) join pg_attribute on attrelid = conrelid and attnum = c.n order by i) as key
    from pg_constraint where contype = 'p' and connamespace = 'public'::regnamespace`.execute(app.database.kysely);
  const keyOf = new Map(rows.map(({ table, key }) => [table, key]));
  const all = new Set((await columns()).map(({ table, column }) => `${table}.${column}`));
  for (const [table] of tableEntries)
    for (const { key, column, clear = [], linked, choices = [], days, where } of rulesOf(table)) {
      expect([table, key]).toEqual([table, keyOf.get(table)]);
      for (const one of [...(column ? [column] : []), ...clear]) expect([...all]).toContain(`${table}.${one}`);
      if (linked) expect([...all]).toContain(`${linked.table}.${linked.column}`);
      expect(column ?? where).toBeDefined();
      // A school may only shorten.
      expect(choices.filter((choice) => choice >= (days ?? Infinity))).toEqual([]);
    }
});

const SOURCES = join(import.meta.dirname, '../../..');
const WRITES =
  /import \{[^}]*\b(writeFile|writeFileSync|appendFile|copyFile|createWriteStream|mkdir|mkdirSync|open)\b[^}]*\} from 'node:fs(\/promises)?'|\bpino\.destination/;

test('every source file that writes files or logs belongs to a declared store', () => {
  const writers = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|^testing\//.test(path))
    .filter((path) => WRITES.test(readFileSync(join(SOURCES, path), 'utf8')))
    // Commands of developers, which write into the source.
    .filter((path) => !/(^|\/)print-\w+\.ts$/.test(path));
  const declared = new Set(Object.values(STORES).flatMap((store) => store.writers));
  expect(writers.sort()).toEqual([...declared].sort());
});

test('every schema of the database is declared', async () => {
  const schemas = await names(`select nspname as name from pg_namespace
    where nspname not like 'pg\\_%' and nspname not in ('information_schema', 'public')`);
  expect(schemas.map((name) => `the schema ${name}`).filter((name) => !(name in STORES))).toEqual([]);
});

test('every kind of data is stored somewhere, and each is retained by a rule or a reason', () => {
  const stored = new Set([
    ...tableEntries.map(([, { holding }]) => holding),
    ...Object.values(STORES).map(({ holding }) => holding),
  ]);
  expect(Object.keys(HOLDINGS).filter((name) => !stored.has(name as keyof typeof HOLDINGS))).toEqual([]);
  for (const [name, holding] of Object.entries(HOLDINGS)) {
    const rules = tableEntries.flatMap(([table, entry]) => (entry.holding === name ? rulesOf(table) : []));
    expect([name, 'kept' in holding || rules.length > 0]).toEqual([name, true]);
  }
});
