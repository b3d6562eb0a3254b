import type { Kysely } from 'kysely';
import { createSchoolTable } from '../school-table.ts';

/** Chains of digests over the audit logs. See docs/decisions/audit-chain.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSchoolTable(db, {
    name: 'audit_chains',
    columns: [
      'first_number bigint not null',
      'first_digest bytea not null',
      'last_number bigint not null',
      'last_digest bytea not null',
      'signature bytea not null',
    ],
    key: [],
  });
  await createSchoolTable(db, {
    name: 'audit_seals',
    columns: [
      'number bigint not null',
      'entry_id bigint not null',
      'salt bytea',
      'details_digest bytea not null',
      'digest bytea not null',
    ],
    key: ['number'],
    unique: [['entry_id']],
  });
}
