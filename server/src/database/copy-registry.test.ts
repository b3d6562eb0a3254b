import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { describeCopiedTables } from './copies.ts';
import { copiedTables, findCopy, freeTexts } from './copy-registry.ts';
import { HOLDINGS } from './data-registry.ts';
import { readInSchool } from './school.ts';
import { TABLES, tableEntries } from './table-registry.ts';

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

test('every table with a long free text about pupils is reviewed', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and a.attname in ('text', 'remark', 'note', 'notes', 'comment')
      and c.relkind in ('r', 'p')`.execute(app.database.kysely);
  const ofPupils = rows.filter(({ table }) => 'pupil' in (TABLES as Record<string, object>)[table]!);
  expect(freeTexts.map(({ table, column }) => ({ table, column }))).toEqual(
    expect.arrayContaining(ofPupils.map(({ table, column }) => ({ table, column }))),
  );
  expect(ofPupils).toHaveLength(freeTexts.length);
});
