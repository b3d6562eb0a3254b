import type { Kysely } from 'kysely';
import { createSchoolTable } from '../school-table.ts';
import { runStatements } from '../statements.ts';

/** What makes a login's caller known: docs/decisions/known-devices.md */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runStatements(db, 'alter table devices add column network_hash bytea');
  await createSchoolTable(db, {
    name: 'trusted_networks',
    columns: ['network_hash bytea not null', 'last_used_at timestamptz not null'],
    key: ['network_hash'],
  });
  await runStatements(db, 'create index trusted_networks_by_last_use on trusted_networks (last_used_at)');
}
