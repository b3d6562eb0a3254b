import type { Kysely } from 'kysely';
import { createSchoolTable } from '../school-table.ts';
import { runStatements } from '../statements.ts';

/** The OneRoster server of a school, and where each run's roster came from. See docs/school-records.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSchoolTable(db, {
    name: 'roster_connections',
    columns: [
      'url text not null check (length(url) between 1 and 500)',
      'token_url text not null check (length(token_url) between 1 and 500)',
      'client_id text not null check (length(client_id) between 1 and 500)',
      'secret bytea not null',
      'classes jsonb not null',
      'school_years jsonb not null',
      'is_automatic boolean not null',
      'is_paused boolean not null',
      'created_at timestamptz not null',
      'checked_at timestamptz',
      'result jsonb',
      'is_failure_mailed boolean not null',
      'claim_id uuid',
      'claimed_until timestamptz',
    ],
    key: [],
  });
  await runStatements(
    db,
    `
alter table roster_runs add column origin text not null default 'file', add column plan_digest text
`,
  );
}
