import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostedInvoice, type InvoiceContent } from '#contract/calls/hosted-invoices.ts';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { listJobs } from '../app.ts';
import { systemClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { openQueue } from '../jobs/queue.ts';
import { type GrowingDatabase, makeEmptyDatabase, makeGrowingDatabase, type Template } from '../testing/databases.ts';
import { testSettings } from '../testing/test-settings.ts';
import { checkInvariants } from './invariants.queries.ts';
import { type Database, prepareDatabase } from './database.ts';
import { dumpSchema } from './dump-schema.queries.ts';
import { migrate, migrationNames } from './migrations.ts';
import * as outboxUnsent from './migrations/0060_unsent_mails.ts';
import { moveDatabase } from '../backups/move.ts';
import { inPlatform } from './platform.ts';

/** Rows of every table that a migration created, as that migration's version stored them. */
const ROWS: Record<string, string> = {
  '0001_initial_schema': `
insert into schools (id, name, created_at) values (1, 'Oak Row', '2026-01-05T09:00:00Z'), (2, 'Elm End', '2026-01-06T09:00:00Z');
insert into users (id, email, email_key, first_name, last_name, password_hash, user_type, school_id, created_at) values
  (1, 'Head@oak.example', 'head@oak.example', 'Olive', 'Oak', 'hash-1', 'enterprise', 1, '2026-01-05T09:00:00Z'),
  (2, 'head@elm.example', 'head@elm.example', 'Elsie', 'Elm', 'hash-2', 'enterprise', 2, '2026-01-06T09:00:00Z');
insert into staff (school_id, user_id, role, digest_optin_at, joined_at) values
  (1, 1, 'admin', '2026-02-01T09:00:00Z', '2026-01-05T09:00:00Z'), (2, 2, 'admin', null, '2026-01-06T09:00:00Z');
insert into own_readers (user_id, name, type) values (1, 'Ollie', 'child');
insert into sessions (token_hash, school_id, user_id, created_at, last_used_at, expires_at)
  values ('\\x01', 1, 1, '2026-07-01T09:00:00Z', '2026-07-01T09:00:00Z', '2026-09-01T09:00:00Z');
insert into contacts (school_id, type, contact_name, address_line_1, postcode, country_code, telephone)
  values (1, 'primary', 'Pat Office', '1 Mill Lane', 'SW1A 1AA', 'GBR', '+442079460000');
insert into classes (school_id, id, name, name_key, manager_id, created_at) values (1, 1, 'Owls', 'owls', 1, '2026-01-05T09:00:00Z');
insert into pupils (school_id, id, name, name_key, username, password_hash, class_id, created_at) values
  (1, 1, 'Ada Baker', 'ada baker', 'ada-baker', 'hash-3', 1, '2026-01-05T09:00:00Z'),
  (2, 2, 'Ben Carr', 'ben carr', 'ben-carr', 'hash-4', null, '2026-01-06T09:00:00Z');
insert into pupil_logins (username, school_id, pupil_id) values ('ada-baker', 1, 1), ('ben-carr', 2, 2);
insert into collections (key, title, position) values ('first', 'First', 1);
insert into books (id, title, description, collection_key, reading_level, pages_count) values (1, 'Otters', '', 'first', 2, 8);
insert into book_pages (book_id, page, text) values (1, 1, 'An otter.');
insert into tags (id, text) values (1, 'animals');
insert into book_tags (book_id, tag_id) values (1, 1);
insert into catalogue_state (content_hash) values ('before');
insert into packages (id, title, description, price_pence, is_trial, max_readers, position) values (1, 'Small', '', 10000, false, 60, 1);
insert into class_books (school_id, class_id, book_id, assigned_by, assigned_at) values (1, 1, 1, 1, '2026-02-01T09:00:00Z');
insert into pupil_books (school_id, pupil_id, book_id, assigned_at) values (2, 2, 1, '2026-02-01T09:00:00Z');
insert into reading_sessions (school_id, id, pupil_id, book_id, reading_level, started_at, received_at, reading_time, last_page,
    words_attempted, words_correct, has_completed_book, heatmap, played_words, skipped_words) values
  (1, 'a2f1c0de-1111-4222-8333-444455556661', 1, 1, 2, '2026-06-30T22:30:00Z', '2026-07-01T09:00:00Z', 60, 8, 50, 45, true, '{10,50}', '{cat}', '{mat}'),
  (1, 'a2f1c0de-1111-4222-8333-444455556662', 1, 1, 2, '2026-07-01T09:00:00Z', '2026-07-01T09:05:00Z', 90, 8, 70, 65, true, '{}', '{}', '{}'),
  (2, 'a2f1c0de-1111-4222-8333-444455556663', 2, 1, 2, '2026-07-01T09:00:00Z', '2026-07-01T09:05:00Z', 30, 2, 20, 15, false, '{}', '{}', '{}');
insert into subscriptions (school_id, package_id, is_trial, max_readers, payment_amount_pence, starts_at, expires_at)
  values (1, 1, false, 60, 10000, '2026-01-05T09:00:00Z', '2027-01-05T09:00:00Z');
insert into invoices (school_id, id, number, issued_at, due_date, status, subtotal_pence, vat_pence, total_pence, token) values
  (1, 11, 'INV-000001', '2026-01-05T09:00:00Z', '2026-02-04', 'paid', 10000, 2000, 12000, 'token-11'),
  (1, 12, 'INV-000002', '2026-06-05T09:00:00Z', '2026-07-05', 'open', 500, 0, 500, 'token-12');
insert into outbox (recipient, subject, html, text, created_at, sent_at) values
  ('a@oak.example', 'Sent', 'h', 't', '2026-07-01T09:00:00Z', '2026-07-01T09:00:01Z'), ('b@oak.example', 'Waits', 'h', 't', '2026-07-01T09:00:00Z', null);
insert into invite_links (id, school_id) values ('a2f1c0de-1111-4222-8333-444455556666', 1);
insert into invites (school_id, id, email, email_key, name, status, invited_by, created_at, expires_at) values
  (1, 'a2f1c0de-1111-4222-8333-444455556666', 'new@oak.example', 'new@oak.example', 'New', 'pending', 1, '2026-07-01T09:00:00Z', '2026-07-15T09:00:00Z');
insert into audit_log (school_id, at, actor_user_id, action, subject_kind, subject_id) values
  (1, '2026-07-01T09:00:00Z', 1, 'class_created', 'class', '1');`,
  '0002_login_cards': `
insert into login_sheets (school_id, token_hash, user_id, sealed, created_at, expires_at)
  values (1, '\\x02', 1, '\\x03', '2026-07-01T09:00:00Z', '2026-07-02T09:00:00Z');
insert into password_resets (school_id, id, user_id, pupil_ids, status, created_at, expires_at)
  values (1, 'a2f1c0de-1111-4222-8333-444455556667', 1, '{1}', 'complete', '2026-07-01T09:00:00Z', '2026-07-02T09:00:00Z');`,
  '0003_one_time_links': `
insert into operators (user_id, added_at) values (2, '2026-01-06T09:00:00Z');
insert into one_time_links (token_hash, kind, user_id, school_id, created_at, expires_at)
  values ('\\x04', 'set_up', 1, 1, '2026-07-01T09:00:00Z', '2026-07-08T09:00:00Z');`,
  '0004_weekly_digest': `
insert into digests_sent (school_id, user_id, week, sent_at) values (1, 1, '2026-06-22', '2026-06-29T07:00:00Z');
insert into digest_links (token_hash, school_id, user_id, created_at) values ('\\x05', 1, 1, '2026-06-29T07:00:00Z');`,
  '0020_terms_acceptances': `
insert into terms_acceptances (school_id, document, version, user_id, accepted_at) values (1, 'terms', '2026-01', 1, '2026-01-05T09:00:00Z');`,
  '0040_billing': `
insert into invoices (school_id, id, number, issued_at, due_date, status, subtotal_pence, vat_pence, total_pence, token, subscription_id, content)
  select 1, 1, 'INV-000003', '2026-07-01T09:00:00Z', '2026-07-31', 'credited', 10000, 2000, 12000, 'token-1', id, '{"lines": []}' from subscriptions where school_id = 1;
insert into credit_notes (school_id, invoice_id, number, issued_at, reason) values (1, 1, 'CRN-000001', '2026-07-02T09:00:00Z', 'A mistake');
update document_numbers set last = case kind when 'invoice' then 3 else 1 end;
insert into invoice_links (token, number, school_id) values ('token-1', 'INV-000003', 1);
insert into billing_notices (school_id, subject, stage, sent_at) values (1, 'INV-000003', 'due', '2026-07-30T09:00:00Z');
insert into stripe_events (id, received_at) values ('evt_1', '2026-07-01T09:00:00Z');`,
  '0075_class_teachers': `
insert into class_teachers (school_id, class_id, user_id, added_at) values (1, 1, 1, '2026-07-01T09:00:00Z');`,
  '0081_unmatched_payments': `
insert into unmatched_payments (session_id, invoice_number, reason, reference, amount_pence, currency, received_at)
  values ('cs_1', 'INV-000003', 'surplus', 'pi_1', 12000, 'gbp', '2026-07-30T09:00:00Z');`,
  '0085_payment_reports': `
insert into payment_reports (school_id, invoice_id, reported_on, reported_at, reported_by, reference)
  values (1, 1, '2026-07-30', '2026-07-30T09:00:00Z', 1, 'BACS 30 July');`,
  '0130_need_responses': `
insert into need_responses (school_id, pupil_id, need, response, remark, reason, responded_by, responded_at, until)
  values (1, 1, 'not_read', 'done', 'spoke to parents', 'Has never read', 1, '2026-07-01T09:00:00Z', '2026-07-15T09:00:00Z');`,
  '0138_pupil_tags': `
insert into pupil_tags (school_id, id, name, name_key, kind, purpose) values
  (1, 1, 'Reading club', 'reading club', 'own', null), (1, 2, 'SEND', 'send', 'send', 'To plan support');
insert into pupil_tag_members (school_id, pupil_id, tag_id) values (1, 1, 1);`,
  '0217_audit_heads': `
insert into audit_seals (school_id, number, entry_id, salt, details_digest, digest, sealed_at, receipt)
  select 1, 1, min(id), null, '\\x04', '\\x01', '2026-07-01T09:05:00Z', '\\x05' from audit_log where school_id = 1;
insert into audit_pending (school_id, entry_id) values (2, 1);
insert into audit_alarms (school_id, breach, raised_at, mailed_on) values (2, 'x', '2026-07-01T09:05:00Z', '2026-07-01');`,
  '0161_audit_chains': `
insert into audit_chains (school_id, first_number, first_digest, last_number, last_digest, signature) values (1, 0, '\\x00', 1, '\\x01', '\\x02');
insert into audit_seals (school_id, number, entry_id, salt, details_digest, digest)
  select 1, 1, min(id), '\\x03', '\\x04', '\\x01' from audit_log where school_id = 1;`,
  '0176_school_closings': `
insert into school_closings (school_id, requested_by, requested_at, takes_effect_at)
  values (1, 1, '2026-07-01T09:00:00Z', '2026-07-08T09:00:00Z');`,
  '0175_record_views': `
insert into record_views (school_id, pupil_id, at, user_id, is_support, what, screen)
  values (1, 1, '2026-07-01T09:00:00Z', 1, false, 'notes', 'pupil');`,
  '0215_daily_views': `
insert into daily_views (school_id, about, about_id, day, user_id, is_support, what, screen, pupil_ids, count, first_at, last_at)
  values (1, 'class', 1, '2026-07-01', 1, false, 'page', 'class', '{1}', 2, '2026-07-01T09:00:00Z', '2026-07-01T09:30:00Z');`,
  '0223_deleted_classes': `
insert into deleted_classes (school_id, id, name, created_at, deleted_at, deleted_by, record)
  values (1, 7, 'Larks', '2026-01-07T09:00:00Z', '2026-07-01T09:00:00Z', 1, '{"books": [], "links": []}');
insert into deleted_class_pupils (school_id, class_id, pupil_id) values (1, 7, 1);
insert into deleted_class_teachers (school_id, class_id, user_id, added_at) values (1, 7, 1, null);`,
  '0180_school_records': `
insert into roster_sources (school_id, id, kind, created_at) values (1, 1, 'oneroster', '2026-07-01T09:00:00Z');
insert into roster_pupils (school_id, source_id, external_id, pupil_id, name, class_id, school_year, upn_digest, birth_digest, has_left)
  values (1, 1, 'a-1', 1, 'Ada Bell', 1, 3, '\\x07', '\\x08', false);
insert into roster_classes (school_id, source_id, external_id, class_id, name) values (1, 1, 'k-1', 1, 'Wrens');
insert into roster_runs (school_id, id, source_id, kind, state, created_at, created_by, decided_at, decided_by, roster, counts)
  values (1, 1, 1, 'oneroster', 'applied', '2026-07-01T09:00:00Z', 1, '2026-07-01T09:05:00Z', 1, null, '{"joiners": 1}');
insert into roster_rows (school_id, run_id, position, pupil_id, content, created_at)
  values (1, 1, 0, 1, '{"before": null}', '2026-07-01T09:05:00Z');`,
  '0185_roster_connections': `
insert into roster_connections (school_id, url, token_url, client_id, secret, classes, school_years, is_automatic, is_paused, created_at, is_failure_mailed)
  values (1, 'https://mis.example.org', 'https://mis.example.org/token', 'portal', '\\x07', '[]', '[3]', false, false, '2026-07-01T09:00:00Z', false);`,
  '0190_import_columns': `
insert into import_columns (school_id, header_key, role, tag_id, chosen_at) values
  (1, 'learner', 'name', null, '2026-07-01T09:00:00Z'), (1, 'club', 'tag', 1, '2026-07-01T09:00:00Z');`,
  '0196_login_events': `
insert into login_events (school_id, user_id, pupil_id, at, method, browser, system) values
  (1, 1, null, '2026-07-01T09:00:00Z', 'password', 'Firefox', 'Windows'),
  (1, null, 1, '2026-07-01T09:00:00Z', 'pupil_password', null, null);`,
  '0201_known_devices': `
insert into trusted_networks (school_id, network_hash, last_used_at) values (1, '\\x08', '2026-07-01T09:00:00Z');`,
  '0170_subject_requests': `
insert into subject_requests (school_id, id, pupil_id, requester_name, requester_relation, identity_check, maturity, received_on, due_on, opened_by, opened_at)
  select school_id, 1, id, 'Gwen Marsh', 'parent', 'Passport', 'adult_decides', '2026-07-01', '2026-08-03', 1, '2026-07-01T09:00:00Z' from pupils where school_id = 1 limit 1;
insert into subject_request_texts (school_id, request_id, table_name, row_id, is_included, decided_by, decided_at)
  values (1, 1, 'pupil_notes', 1, true, 1, '2026-07-01T09:10:00Z');
insert into subject_request_parts (school_id, request_id, version, part, sealed, expires_at)
  values (1, 1, gen_random_uuid(), 0, '\\x01', '2026-07-08T09:00:00Z');
insert into subject_request_downloads (school_id, request_id, downloaded_by, downloaded_at) values (1, 1, 1, '2026-07-01T10:00:00Z');`,
  '0213_database_generation': `
update database_generation set generation = 7, changed_at = '2026-07-01T09:00:00Z', held_mails_to = 1;
update document_numbers set last = 3 where kind = 'credit_note';
insert into missing_document_numbers (kind, first, last) values ('credit_note', 2, 3);`,
  '0204_rights_as_cases': `
insert into subject_request_steps (school_id, request_id, step, happened_on, note, recorded_by, recorded_at)
  values (1, 1, 'extended', '2026-07-02', 'Boxes', 1, '2026-07-02T09:00:00Z');`,
  '0160_support_permissions': `
insert into support_permissions (school_id, allowed_by, expires_at) values (1, 1, '2026-07-01T10:00:00Z');`,
  '0139_devices': `
insert into devices (user_id, token_hash, last_used_at) values (1, '\\x06', '2026-07-01T09:00:00Z');`,
  '0140_second_factors': `
insert into login_factors (user_id, kind, name, created_at, confirmed_at, sealed_secret, last_step) values
  (1, 'authenticator', 'Phone', '2026-07-01T09:00:00Z', '2026-07-01T09:01:00Z', '\\x01', 59000000);
insert into login_factors (user_id, kind, name, created_at, confirmed_at, credential_id, public_key, sign_count) values
  (1, 'passkey', 'Laptop', '2026-07-01T09:00:00Z', '2026-07-01T09:00:00Z', 'a', '\\x02', 0);
insert into recovery_codes (user_id, digest) values (1, '\\x03');
insert into login_steps (token_hash, kind, user_id, expires_at) values ('\\x04', 'second_factor', 1, '2026-07-01T09:05:00Z');`,
  '0142_factor_policy': `
insert into login_steps (token_hash, kind, user_id, expires_at) values ('\\x05', 'enrolment', 1, '2026-07-01T09:15:00Z');`,
  '0221_secret_keys': `
insert into secret_keys (fingerprint, first_used_at) values ('0123456789abcdef', '2026-07-01T09:00:00Z');`,
  '0144_factor_recoveries': `
insert into factor_recoveries (user_id, requested_by, identity_check, requested_at) values (1, 1, 'in_person', '2026-07-01T09:00:00Z');`,
  '0150_sign_in_providers': `
insert into linked_accounts (user_id, provider, issuer, subject, tenant, created_at) values
  (1, 'google', 'https://accounts.google.com', '1', 'school.example', '2026-07-01T09:00:00Z');
insert into sign_in_connections (school_id, provider, tenant, counts_second_factor, created_at) values
  (1, 'google', 'school.example', false, '2026-07-01T09:00:00Z');`,
  '0155_data_and_privacy': `
insert into retention_periods (school_id, table_name, days, removed_before) values (1, 'reading_sessions', 365, '2025-07-01T03:40:00Z');
insert into retention_removals (school_id, day, table_name, removed) values (1, '2026-07-01', 'reading_sessions', 3);
insert into retention_runs (day, table_name, removed) values ('2026-07-01', 'reading_sessions', 3);
insert into erasures (school_id, kind, digest, counts, erased_at, erased_by, backups_expire_on)
  values (1, 'pupil', '\\x07', '{"pupils": 1}', '2026-07-01T09:00:00Z', 1, '2026-07-08');`,
  '0200_email_changes': `
insert into email_changes (user_id, email, requested_at, expires_at) values (1, 'b@test.example', '2026-07-01T09:00:00Z', '2026-07-08T09:00:00Z');`,
};

/** The totals of a day as the version of a migration stored them: with the books until 0011, without them after. */
const TOTALS = (books: boolean) => `
insert into reading_days (school_id, pupil_id, day, reading_level, reading_time, words_attempted, words_correct${books ? ', books_completed' : ''})
select school_id, pupil_id, (started_at at time zone 'Europe/London')::date, reading_level, sum(reading_time), sum(words_attempted),
  sum(words_correct)${books ? ', count(*) filter (where has_completed_book)' : ''} from reading_sessions group by 1, 2, 3, 4;`;
ROWS['0001_initial_schema'] += TOTALS(true);

/** What a migration changes or drops on purpose: a table, or a column of one. */
const ON_PURPOSE: Record<string, string[]> = {
  '0008_sealed_secrets': ['idempotency_keys', 'password_resets.id', 'outbox.subject', 'outbox.html', 'outbox.text'],
  '0022_invite_link_hashes': ['invites.id'],
  '0030_library': ['catalogue_state'],
  // Headings are stored as digests from now on.
  '0210_accepted_invites': ['import_columns'],
  // Lines gain a quantity, a unit price and a VAT rate.
  '0080_subscription_periods': ['invoices.content'],
  // Chains begin again, with another format.
  '0217_audit_heads': ['audit_chains', 'audit_seals'],
};

type Rows = Record<string, Record<string, string | null>[]>;

/** Every row of every table, each value as a text. */
async function readRows({ kysely }: Database): Promise<Rows> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    and relname not like 'kysely%' order by 1`.execute(kysely);
  const parts = tables.map(
    ({ name }) => sql`select ${name}::text as name, to_jsonb(t) as row from ${sql.table(name)} t`,
  );
  const { rows } = await sql<{ name: string; row: Record<string, unknown> }>`
    ${sql.join(parts, sql` union all `)}`.execute(kysely);
  const found: Rows = Object.fromEntries(tables.map(({ name }) => [name, []]));
  for (const { name, row } of rows)
    found[name]?.push(
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, JSON.stringify(value)])),
    );
  return found;
}

const run = ({ kysely, engine }: Database, statements: string) =>
  engine.kind === 'embedded' ? engine.pglite.exec(statements) : sql.raw(statements).execute(kysely);

/** The lock of Kysely's own migrator, with which the first versions began their databases. */
const MIGRATOR_LOCK = `
create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer not null default 0);
insert into kysely_migration_lock (id) values ('migration_lock');`;

/** Brings a database without tables, or as the version of an earlier migration left it, to that of a later one. */
async function growDatabase(database: Database, last: string, after?: string): Promise<void> {
  if (!after) await run(database, MIGRATOR_LOCK);
  const first = after ? migrationNames.indexOf(after) + 1 : 0;
  for (const name of migrationNames.slice(first, migrationNames.indexOf(last) + 1)) {
    if (ROWS[name] || name === last) await migrate(database.kysely, name);
    if (ROWS[name]) await run(database, ROWS[name]);
  }
}

const template = inject('template');

/** A database as the version of a migration left it. */
async function makeDatabaseOf(last: string, from = template) {
  const made = await makeEmptyDatabase(from);
  await growDatabase(made.database, last);
  return made;
}

const schema = readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8');

describe('the upgrade of a database of an earlier version, with rows in every table, loses nothing', () => {
  const earlier = migrationNames.slice(0, -1);
  // The statements are the same on both engines; the embedded one starts slowly and only runs the longest upgrade and a
  // short one.
  const tried = template.kind === 'server' ? earlier : [earlier[0]!, earlier.at(-1)!];

  // Each version's database begins as a copy of that of the version before.
  let growing: GrowingDatabase | undefined;
  let grownTo: string | undefined;
  beforeAll(async () => {
    if (template.kind === 'server') growing = await makeGrowingDatabase(template);
  });
  afterAll(() => growing?.remove());
  const copyDatabaseOf = async (name: string) => {
    if (!growing) return makeDatabaseOf(name);
    await growing.grow((database) => growDatabase(database, name, grownTo));
    grownTo = name;
    return growing.copy();
  };

  test.each(tried)('from %s', async (name) => {
    const { database, remove } = await copyDatabaseOf(name);
    try {
      const before = await readRows(database);
      await migrate(database.kysely);
      const after = await readRows(database);
      const forgotten = migrationNames
        .slice(migrationNames.indexOf(name) + 1)
        .flatMap((later) => ON_PURPOSE[later] ?? []);
      for (const [table, rows] of Object.entries(before)) {
        if (forgotten.includes(table)) continue;
        const columns = Object.keys(rows[0] ?? {}).filter(
          (column) => !forgotten.includes(`${table}.${column}`) && column in (after[table]?.[0] ?? {}),
        );
        const kept = (all: Rows[string] = []) => all.map((row) => columns.map((column) => row[column]).join()).sort();
        expect([table, kept(after[table])]).toEqual([table, kept(rows)]);
      }
      expect(await dumpSchema(database.kysely)).toBe(schema);
      const findings = await inPlatform(database, checkInvariants);
      expect(findings.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
    } finally {
      await remove();
    }
  });

  test('and every table of each version has rows in the test', async () => {
    const { database, remove } = await makeDatabaseOf('0040_billing');
    const empty = Object.entries(await readRows(database)).filter(([, rows]) => rows.length === 0);
    await remove();
    // The first two are dropped by later migrations; the next two count inserts and deletes.
    expect(empty.map(([table]) => table).sort()).toEqual(['catalogue_state', 'idempotency_keys', 'rate_limits']);
  });
});

test('invoices from before the billing rules retain their number and link, and state what is known', async () => {
  const { database, remove } = await makeDatabaseOf('0001_initial_schema');
  try {
    await run(
      database,
      `insert into invoices (school_id, id, number, issued_at, due_date, status, subtotal_pence, vat_pence, total_pence, token)
        values (2, 13, 'INV-000003', '2026-03-29T09:00:00Z', '2026-04-28', 'void', 100, 20, 120, 'token-13')`,
    );
    await migrate(database.kysely);
    const { rows } = await sql<{
      id: number;
      status: string;
      token: string;
      content: InvoiceContent;
      is_over: boolean;
    }>`
      select i.id, i.status, l.token, i.content, s.ended_at is not null as is_over from invoices i
      join invoice_links l on l.number = i.number and l.school_id = i.school_id
      join subscriptions s on s.school_id = i.school_id and s.id = i.subscription_id order by i.id`.execute(
      database.kysely,
    );
    expect(rows.map(({ id, status, token, is_over }) => [id, status, token, is_over])).toEqual([
      [11, 'paid', 'token-11', false],
      [12, 'open', 'token-12', false],
      [13, 'uncollectible', 'token-13', true],
    ]);
    for (const { content } of rows) expect(hostedInvoice.shape.content.parse(content)).toEqual(content);
    expect(rows.map(({ content }) => [content.school, content.bill_to, content.period, content.vat_rate])).toEqual([
      ['Oak Row', ['Pat Office', '1 Mill Lane', 'SW1A 1AA'], { from: '2026-01-05', to: '2027-01-05' }, 2000],
      ['Oak Row', ['Pat Office', '1 Mill Lane', 'SW1A 1AA'], { from: '2026-01-05', to: '2027-01-05' }, 0],
      ['Elm End', [], { from: '2026-03-29', to: '2027-03-29' }, 2000],
    ]);
    const numbers = await sql`select last from document_numbers where kind = 'invoice'`.execute(database.kysely);
    expect(numbers.rows).toEqual([{ last: 3 }]);
  } finally {
    await remove();
  }
});

test('people who left before the upgrade are former staff after it, unless they have another school or have come back', async () => {
  const { database, remove } = await makeDatabaseOf('0202_session_origin_indexes');
  try {
    await run(
      database,
      `
insert into users (id, email, email_key, first_name, last_name, password_hash, user_type, school_id, created_at)
  select n, n || '@oak.example', n || '@oak.example', 'Lee', 'Left', 'hash', 'enterprise', case n when 12 then 2 end, '2026-01-07T09:00:00Z'
  from generate_series(11, 13) n;
insert into audit_log (school_id, at, actor_user_id, action, subject_kind, subject_id) values
  (1, '2026-03-01T09:00:00Z', 1, 'teacher_removed', 'user', '11'), (1, '2026-05-01T09:00:00Z', 1, 'teacher_removed', 'user', '11'),
  (2, '2026-04-01T09:00:00Z', 2, 'teacher_removed', 'user', '11'), (1, '2026-03-01T09:00:00Z', 1, 'teacher_removed', 'user', '12'),
  (1, '2026-03-01T09:00:00Z', 1, 'teacher_removed', 'user', '1'), (1, '2026-03-01T09:00:00Z', 1, 'teacher_removed', 'class', '13');`,
    );
    await migrate(database.kysely);
    const { rows } = await sql`
      select school_id, user_id, role, until from staff where user_id > 10 or until is not null order by school_id`.execute(
      database.kysely,
    );
    expect(rows).toEqual([
      { school_id: 1, user_id: 11, role: null, until: new Date('2026-05-01T09:00:00Z') },
      { school_id: 2, user_id: 11, role: null, until: new Date('2026-04-01T09:00:00Z') },
    ]);
  } finally {
    await remove();
  }
});

test('a database that ran a later migration before earlier ones runs those that are missing', async () => {
  const { database, remove } = await makeDatabaseOf('0040_billing');
  const { kysely } = database;
  try {
    // The state of the version that had 0060 but not the migrations from 0050 on.
    await outboxUnsent.up(kysely as Kysely<unknown>);
    await sql`insert into kysely_migration (name, timestamp) values ('0060_unsent_mails', '2026-11-22T09:00:00Z')`.execute(
      kysely,
    );
    await migrate(kysely);
    expect(await dumpSchema(kysely)).toBe(schema);
    await migrate(kysely);
    expect(await dumpSchema(kysely)).toBe(schema);
  } finally {
    await remove();
  }
});

test('an upgrade that fails or is killed leaves whole migrations, and the next start completes it', async () => {
  const { database, remove } = await makeDatabaseOf('0010_school_features');
  const { kysely, engine } = database;
  /** The schema is that of the last migration on record: nothing of the next one is there. */
  const assertWhole = async () => {
    const { rows } = await sql<{ last: string }>`select max(name) as last from kysely_migration`.execute(kysely);
    const whole = await makeDatabaseOf(rows[0]!.last);
    expect(await dumpSchema(kysely)).toBe(await dumpSchema(whole.database.kysely));
    await whole.remove();
    return rows[0]!.last;
  };
  try {
    // In the way of the second of the migrations that are missing.
    await run(database, 'create table school_reading_days (in_the_way int)');
    await expect(migrate(kysely)).rejects.toThrow('school_reading_days');
    await run(database, 'drop table school_reading_days');
    expect(await assertWhole()).toBe('0011_book_completions');

    if (engine.kind === 'server') {
      const holder = await engine.ownerPool.connect();
      await holder.query('begin; lock table books in access share mode');
      const upgrade = migrate(kysely, undefined, { lockTimeoutMs: 600_000 }).then(
        () => 'done',
        (error: Error) => error.message,
      );
      // It waits for a table halfway through; then its connection ends, as that of a killed process does. Polled
      // outside the transaction that locks the table, whose snapshot would never change.
      for (let killed = 0; killed === 0;) {
        const { rows } = await sql<{ killed: number }>`
          select count(pg_terminate_backend(pid)) as killed from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(kysely);
        killed = rows[0]?.killed ?? 0;
      }
      expect(await upgrade).not.toBe('done');
      await holder.query('commit');
      holder.release();
      expect(await assertWhole()).toBe('0022_invite_link_hashes');
    }

    await migrate(kysely);
    expect(await dumpSchema(kysely)).toBe(schema);
  } finally {
    await remove();
  }
});

if (template.kind === 'server')
  describe('a database that the first version began, upgraded to this one', () => {
    const embedded: Template = { kind: 'embedded', dump: '' };
    const installQueue = async (database: Database) => {
      const services = { config: readConfig(testSettings), database, clock: systemClock };
      const jobs = listJobs(services, async () => undefined);
      const queue = await openQueue(database, jobs, (error) => {
        throw error;
      });
      await queue.stop();
    };

    test.each([
      ['a server', 'an embedded database', template, embedded],
      ['an embedded database', 'a server', embedded, template],
    ] as const)('moves from %s to %s with every row', async (_from, _to, from, to) => {
      const source = await makeDatabaseOf(migrationNames[0]!, from);
      const target = await makeEmptyDatabase(to);
      try {
        await prepareDatabase(source.database, () => installQueue(source.database));
        const before = await readRows(source.database);
        const check = async () => ({ rule: 'nothing outside the database is missing', breaches: [] });
        const { findings } = await moveDatabase(source.database, target.database, installQueue, check);
        expect(findings.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
        expect(await readRows(target.database)).toEqual(before);
        expect(before.schools).toHaveLength(2);
      } finally {
        await source.remove();
        await target.remove();
      }
    });
  });
