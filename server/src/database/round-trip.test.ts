import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';

const app = testApp();

/** Values of each column type of the schema, and of types that only expressions have: as a statement sends them, and as it returns them when that differs. */
const VALUES: Record<string, readonly (readonly [sent: unknown, returned?: unknown])[]> = {
  bigint: [[0], [-7], [2 ** 53 - 1]],
  'bigint[]': [[[]], [[1, -20, 2 ** 40]], [[3, null, -4]]],
  'character varying': [[''], ['a b']],
  boolean: [[true], [false]],
  bytea: [[Buffer.alloc(0)], [Buffer.from([0, 1, 39, 92, 127, 128, 255])]],
  date: [['2026-02-28'], ['0001-01-01'], ['9999-12-31']],
  integer: [[0], [-2_147_483_648], [2_147_483_647]],
  'integer[]': [[[]], [[1, -2]], [[3, null]]],
  interval: [['1 day 02:03:04']],
  jsonb: [
    ['[]', []],
    [
      '{"name":"Zoë \\"Z\\" O’Neil","list":[1,-2.5,null,true]}',
      { name: 'Zoë "Z" O’Neil', list: [1, -2.5, null, true] },
    ],
  ],
  numeric: [[0], [-12.25], [1234.5]],
  smallint: [[-32_768], [32_767]],
  text: [[''], ['O’Neil\n\t\\ "\'$1'], ['🦉']],
  'text[]': [[[]], [['a', '', 'NULL', 'with "quotes", commas and \\ {braces}']], [['b', null]]],
  'timestamp with time zone': [[new Date('2026-11-18T12:00:00.123Z')], [new Date('1900-01-01T00:00:00Z')]],
  uuid: [['9a7c2f52-0f3b-4d3d-8a55-3a1d2d1f9c12']],
};

const listColumnTypes = async (): Promise<string[]> => {
  const { rows } = await sql<{ type: string }>`
    select distinct regexp_replace(format_type(a.atttypid, a.atttypmod), '\\(.*\\)', '') as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by 1`.execute(app.database.kysely);
  return rows.map(({ type }) => type);
};

test('every column type of the schema has sample values that are written and read', async () => {
  expect((await listColumnTypes()).filter((type) => !(type in VALUES))).toEqual([]);
});

test.each(Object.entries(VALUES))(
  'a column of the type %s returns the value that was written',
  async (type, values) => {
    // A prepared statement has the types of its first use, so each type has a table of its own.
    const table = sql.id(`round_trips_${type.replaceAll(/\W/g, '_')}`);
    const read = await app.database.kysely.transaction().execute(async (tx) => {
      await sql`create temporary table ${table} (position int, value ${sql.raw(type)}) on commit drop`.execute(tx);
      for (const [position, [sent]] of [...values, [null] as const].entries())
        await sql`insert into ${table} values (${position}, ${sent})`.execute(tx);
      return (await sql<{ value: unknown }>`select value from ${table} order by position`.execute(tx)).rows;
    });
    expect(read.map(({ value }) => value)).toStrictEqual([...values.map(([sent, returned = sent]) => returned), null]);
  },
);
