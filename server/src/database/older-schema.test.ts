import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { makeRestoreTarget, type RestoreTarget } from '../testing/restore-target.ts';
import { backUp } from '../backups/backup.ts';
import { restore } from '../backups/restore.ts';
import { dumpSchema } from './schema/dump-schema.queries.ts';
import { runStatements } from './statements.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-older-'));
afterAll(() => rmSync(folder, { recursive: true }));
const app = testApp();

/** Brings the database of this test to the schema of the last unreleased version. */
const makeOlder = () =>
  runStatements(
    app.database.kysely,
    `
alter table users add column pending_email text

create table need_dismissals (school_id bigint, pupil_id bigint)

${['classes', 'connections', 'pupils', 'sources']
  .map((name) => `alter table school_records_${name} rename to roster_${name}`)
  .join('\n\n')}

alter table runs rename to roster_runs

alter table run_rows rename to roster_rows

alter table roster_runs drop column title

alter table roster_pupils add column school_year integer

alter table roster_pupils drop column year_group

alter table roster_runs rename column records to roster

alter table roster_runs rename column closed_at to decided_at

alter table roster_runs rename column closed_by to decided_by

alter table roster_runs rename constraint runs_state_check to roster_runs_state_check

create table year_ends (school_id bigint, id bigint)

alter table subscriptions add column renewal_status text

alter table subscriptions drop column reverted_at

update kysely_migration set digest = null

insert into kysely_migration (name, timestamp) values ('0223_deleted_classes', '2026-11-27')
`,
  );

const restoreTo = async (target: RestoreTarget, name: string) => {
  const path = join(folder, name);
  await backUp(app.database, path, new Date());
  return restore(target.databaseUrl, path);
};

test('a backup of the last unreleased version is restored with its rows and numbers to the schema of this version', async () => {
  const current = await dumpSchema(app.database.kysely);
  const { ownClass } = await app.build.school();
  const [reverted, paying] = [await app.build.school(), await app.build.school()];
  for (const school of [reverted, paying]) await app.build.invoice(school);
  await sql`update invoices set status = 'uncollectible' where school_id = ${reverted.id}`.execute(app.database.kysely);
  await sql`update subscriptions set expires_at = starts_at + interval '20 days', reverted_at = starts_at + interval '20 days'
    where school_id = ${reverted.id}`.execute(app.database.kysely);
  const readRows = async (kysely = app.database.kysely) => ({
    pupils: await kysely.selectFrom('pupils').select(['school_id', 'id', 'name', 'class_id']).orderBy('id').execute(),
    log: await kysely.selectFrom('audit_chains').selectAll().execute(),
    subscriptions: await kysely
      .selectFrom('subscriptions')
      .select(['school_id', 'id', 'expires_at', 'ended_at', 'reverted_at'])
      .orderBy('school_id')
      .orderBy('id')
      .execute(),
    numbers: await kysely.selectFrom('document_numbers').selectAll().orderBy('kind').execute(),
  });
  const before = await readRows();
  await makeOlder();
  const target = await makeRestoreTarget(folder);
  try {
    const { manifest, findings } = await restoreTo(target, 'older.backup');
    expect(manifest.schema).toBe('0223_deleted_classes');
    expect(findings.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
    const database = await target.open();
    expect(await dumpSchema(database.kysely)).toBe(current);
    expect(await readRows(database.kysely)).toEqual(before);
    expect(before.pupils.length).toBeGreaterThan(1);
    const { id: nextId } = await database.kysely
      .insertInto('classes')
      .values({ school_id: before.pupils[0]!.school_id, name: 'Elm', name_key: 'elm', created_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(nextId).toBeGreaterThan(ownClass.id);
    await database.close();
  } finally {
    await target.remove();
  }
});

test('a backup with a column that this version cannot store is rejected with its name', async () => {
  await sql`alter table schools add column house text`.execute(app.database.kysely);
  const target = await makeRestoreTarget(folder);
  try {
    await expect(restoreTo(target, 'unknown.backup')).rejects.toThrow('whose schools.house this version cannot store');
  } finally {
    await target.remove();
  }
});
