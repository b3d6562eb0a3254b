import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** The identities of the keys in `SECRETS_KEY`. See docs/running.md, "Secrets". */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create table secret_keys (
  id bigint generated always as identity primary key,
  fingerprint text not null unique check (fingerprint ~ '^[0-9a-f]{16}$'),
  first_used_at timestamptz not null,
  retired_at timestamptz
)
`,
  );
