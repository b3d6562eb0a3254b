import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** Whether a purchase was reverted, from which the current subscription follows; not what other columns determine. */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
alter table subscriptions add column reverted_at timestamptz

alter table subscriptions drop column renewal_status

alter table subscriptions drop column renewal_duration_unit

alter table subscriptions drop column payment_provider_subscription_id
`,
  );
