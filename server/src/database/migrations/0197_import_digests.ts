import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** Digests from spreadsheets, for schools that wish to keep them. See docs/school-records.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runStatements(
    db,
    `
alter table schools add column keeps_import_digests boolean not null default false

alter table pupils add column upn_digest bytea, add column birth_digest bytea
`,
  );
}
