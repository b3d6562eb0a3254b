import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** The mails that are not sent yet are counted at every look at the metrics, among all of three months. */
export const up = (db: Kysely<unknown>) =>
  runStatements(db, 'create index outbox_unsent on outbox (created_at) where sent_at is null');
