import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** Features that an operator has switched on for a school. */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
alter table schools add column new_statistics boolean not null default false
`,
  );
