import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { inSchool, type SchoolDb } from './school.ts';
import { createSchoolTable, planSchoolTable, type SchoolTable } from './school-table.ts';

const app = testApp();

const HOUSES: SchoolTable = {
  name: 'pupil_houses',
  columns: ['pupil_id bigint not null', 'house text not null check (length(house) <= 40)', 'place int not null'],
  key: ['pupil_id'],
  unique: [['house', 'place']],
  references: [{ columns: ['pupil_id'], table: 'pupils', onDelete: 'cascade' }],
};

describe('a school table that a later migration creates', () => {
  let school: BuiltSchool;
  let otherSchool: BuiltSchool;
  const put = (db: SchoolDb, schoolId: number, pupilId: number, place: number) =>
    sql`insert into pupil_houses (school_id, pupil_id, house, place) values (${schoolId}, ${pupilId}, 'Oak', ${place})`.execute(
      db.tx,
    );
  const listAll = async (schoolId: number) =>
    (
      await inSchool(app.database, schoolId, (db) =>
        sql<{ pupil_id: number }>`select pupil_id from pupil_houses`.execute(db.tx),
      )
    ).rows;

  beforeAll(async () => {
    ({ school, otherSchool } = await app.build.twoSchools());
    await app.database.kysely.transaction().execute((tx) => createSchoolTable(tx, HOUSES));
  });
  afterAll(() => sql`drop table pupil_houses`.execute(app.database.kysely));

  test('a table from createSchoolTable lets each school see and write only its own rows', async () => {
    const [pupil, theirs] = [school.unplaced.id, otherSchool.unplaced.id];
    await inSchool(app.database, school.id, (db) => put(db, school.id, pupil, 1));
    expect(await listAll(school.id)).toEqual([{ pupil_id: pupil }]);
    expect(await listAll(otherSchool.id)).toEqual([]);
    await expect(inSchool(app.database, otherSchool.id, (db) => put(db, school.id, pupil, 2))).rejects.toThrow(
      'row-level security',
    );
    await inSchool(app.database, otherSchool.id, (db) => put(db, otherSchool.id, theirs, 1));
    await expect(
      inSchool(app.database, otherSchool.id, (db) => put(db, otherSchool.id, otherSchool.ownClass.pupils[0]!.id, 1)),
    ).rejects.toThrow('duplicate key');
  });

  test('rows of a table from createSchoolTable are deleted with their school and pupils', async () => {
    await expect(
      inSchool(app.database, school.id, (db) => put(db, school.id, otherSchool.unplaced.id, 9)),
    ).rejects.toThrow('foreign key');
    await sql`delete from schools where id = ${otherSchool.id}`.execute(app.database.kysely);
    expect(await listAll(otherSchool.id)).toEqual([]);
  });

  test('a table from createSchoolTable has row-level security', async () => {
    const { rows } = await sql<{ secured: boolean }>`
      select relrowsecurity and not relforcerowsecurity as secured from pg_class where relname = 'pupil_houses'`.execute(
      app.database.kysely,
    );
    expect(rows).toEqual([{ secured: true }]);
  });
});

test('createSchoolTable on a cluster distributes the table before it references anything', () => {
  const plan = planSchoolTable(HOUSES, true);
  const kinds = plan.map((statement) =>
    ['create table', 'create_distributed_table', 'references schools', 'references pupils', 'create policy'].find(
      (part) => statement.includes(part),
    ),
  );
  expect(plan[0]).toContain('sequential');
  expect(kinds.filter(Boolean)).toEqual([
    'create table',
    'create_distributed_table',
    'references schools',
    'references pupils',
    'create policy',
    'create policy',
  ]);
  expect(plan.find((statement) => statement.includes('create_distributed_table'))).toBe(
    "select create_distributed_table('pupil_houses', 'school_id', colocate_with => 'schools')",
  );
  expect(planSchoolTable(HOUSES, false).join()).not.toContain('create_distributed_table');
});

test('migrations after the initial schema create school tables with `createSchoolTable` alone', () => {
  const folder = join(import.meta.dirname, 'migrations');
  const later = readdirSync(folder).filter((name) => /^\d{4}_/.test(name) && name > '0001_initial_schema.ts');
  const byHand = later
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split(/;|\n\n/))
    .map((statement) => /create table (\w+)[^]*\bschool_id\b/i.exec(statement)?.[1])
    .filter((table) => table !== undefined);
  expect(byHand).toEqual([]);
});
