import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** Lets each metrics scrape count the unsent mails without reading three months of sent ones. */
export const up = (db: Kysely<unknown>) =>
  runStatements(db, 'create index outbox_unsent on outbox (created_at) where sent_at is null');
