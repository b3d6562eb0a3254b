import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { CATALOGUE_TABLES, PLATFORM_TABLES, SCHOOL_TABLES } from './table-kinds.ts';

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

test('every table is of one kind', async () => {
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

test('referenced tables come first in the list, so that they are distributed first', async () => {
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
