import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** `daily_views` has its rows. No release has used it. */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
-- squawk-ignore ban-drop-table
drop table record_views
`,
  );
