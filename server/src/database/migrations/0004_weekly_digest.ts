import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * The weekly digest: which digests were sent to whom, and the links that end it. The links are in a platform table,
 * because they are opened before a school is known. Mails can have headers of their own, for the unsubscribe button of
 * mail programs.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create table digests_sent (
  school_id bigint not null,
  user_id bigint not null,
  week date not null,
  sent_at timestamptz not null,
  primary key (school_id, user_id, week),
  foreign key (school_id, user_id) references staff (school_id, user_id) on delete cascade
)

create table digest_links (
  token_hash bytea primary key,
  school_id bigint not null,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null
)

create index digest_links_by_age on digest_links (school_id, created_at)

create index digest_links_by_user on digest_links (user_id)

create index staff_opted_in on staff (school_id) where digest_optin_at is not null

alter table outbox add column headers jsonb
`,
  );
