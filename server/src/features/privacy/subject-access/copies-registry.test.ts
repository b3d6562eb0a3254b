import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { describeCopiedTables } from './copies.queries.ts';
import { copiedTables, declaredColumns, findCopy, freeTexts, isWithheld } from './copies.registry.ts';
import { HOLDINGS, tableEntries } from '../registry/registry.public.ts';
import { readInSchool } from '../../../database/school.ts';
import type { TableName } from '../../../database/table-kinds.ts';

const app = testApp();
const KINDS = ['pupil', 'staff'] as const;

test('every table about pupils or staff is a part of their copy, or the registry says why not', () => {
  const unexplained = tableEntries.flatMap(([table, { holding }]) =>
    KINDS.filter(
      (kind) =>
        (HOLDINGS[holding].whose as readonly string[]).includes(kind === 'pupil' ? 'pupils' : 'staff') &&
        findCopy(table, kind) === undefined,
    ).map((kind) => `${table} of ${kind}`),
  );
  expect(unexplained).toEqual([]);
  for (const table of ['pupils', 'reading_sessions', 'pupil_notes', 'sessions', 'audit_log', 'pupil_tags'] as const)
    expect(copiedTables('pupil')).toContain(table);
  for (const table of ['users', 'staff', 'sessions', 'outbox', 'audit_log', 'class_teachers'] as const)
    expect(copiedTables('staff')).toContain(table);
});

test.each(KINDS)('a copy for a %s has no hash, key or secret', async (kind) => {
  const school = await app.build.school();
  const tables = await readInSchool(app.database, school.id, (db) => describeCopiedTables(db, kind));
  expect(tables.map(({ table }) => table)).toEqual(copiedTables(kind));
  const columns = tables.flatMap(({ table, columns: names }) => names.map((name) => `${table}.${name}`));
  expect(columns.length).toBeGreaterThan(40);
  expect(
    columns.filter((name) => /hash|secret|token|_key$|_digest$|[.]digest$|sealed|credential|html|link$/.test(name)),
  ).toEqual([]);
});

/** The columns of copied tables that can contain texts, besides those whose constraint lists every value. */
async function listTextColumns(kind: (typeof KINDS)[number]): Promise<{ table: TableName; column: string }[]> {
  const { rows } = await sql<{ table: TableName; column: string }>`
    select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${copiedTables(kind)}::text[]) and a.attnum > 0
      and not a.attisdropped and format_type(a.atttypid, null) in ('text', 'text[]', 'jsonb', 'json', 'character varying')
      and not exists (
        select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
          and pg_get_constraintdef(k.oid) like 'CHECK ((% = ANY (ARRAY[%')`.execute(app.database.kysely);
  return rows;
}

test.each(KINDS)('every column with texts of a copy for a %s is reviewed, withheld or no free text', async (kind) => {
  const columns = await listTextColumns(kind);
  expect(columns.length).toBeGreaterThan(20);
  const undeclared = columns.filter(({ table, column }) => {
    const { reviewed, notFreeText } = declaredColumns(table);
    return !isWithheld(table, column, kind) && ![...reviewed, ...notFreeText].includes(column);
  });
  expect(undeclared).toEqual([]);
});

test('the registry of copies names no column that does not exist', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`.execute(
    app.database.kysely,
  );
  const existing = new Set(rows.map(({ name }) => name));
  const declared = tableEntries.flatMap(([table]) =>
    Object.values(declaredColumns(table)).flatMap((columns) => columns.map((column) => `${table}.${column}`)),
  );
  expect(declared.filter((name) => !existing.has(name))).toEqual([]);
});

test('notes, remarks and the names of tags are the texts that an admin reviews', () => {
  expect(freeTexts.map(({ table, column }) => `${table}.${column}`)).toEqual([
    'need_responses.remark',
    'pupil_notes.text',
    'pupil_tags.name',
  ]);
});
