import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** The TypeScript types that the parsers of `database.ts` return for SQL types. */
const TYPES: Record<string, string> = {
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  numeric: 'number',
  boolean: 'boolean',
  text: 'string',
  uuid: 'string',
  bytea: 'Buffer',
  date: 'Day',
  'timestamp with time zone': 'Timestamp',
  'bigint[]': 'number[]',
  'integer[]': 'number[]',
  'text[]': 'string[]',
};

/** The types of JSON columns, which SQL does not state. */
const JSON_TYPES: Record<string, string> = {
  'audit_log.details': 'object',
  'deleted_classes.record': 'DeletedClassRecord',
  'erasures.counts': 'Record<string, number>',
  'invite_links.copied_hash': 'Of the link that the inviter was told; it does not prove the address.',
  'invoices.content': 'InvoiceContent',
  'outbox.attachments': 'MailAttachment[]',
  'outbox.headers': 'Record<string, string>',
  'outbox.link': 'MailLink',
  'school_records_connections.classes': 'ClassSelection[]',
  'school_records_connections.result': 'SchoolRecordsCheckResult',
  'school_records_connections.school_years': 'number[]',
  'school_records_rows.content': 'SchoolRecordsRowContent',
  'school_records_runs.counts': 'Record<string, number>',
  'school_records_runs.plan_digest':
    'A digest of what the plan would change: the nightly check does not plan the same again.',
  'school_records_runs.records': 'StagedSchoolRecords',
  'school_closings.erased_counts': 'Record<string, number>',
  'subscriptions.next_period': 'NextPeriod',
  'year_ends.record': 'YearEndRecord',
};

/** Descriptions of tables and columns whose names do not explain them. */
const COMMENTS: Record<string, string> = {
  audit_chains:
    "The signed head of a school's chain over its audit log: the last entry that was pruned (0 at the start), the latest, and the entries whose details were erased.",
  audit_pending: 'Entries of audit logs that wait to be sealed.',
  audit_alarms: 'Schools whose audit log does not match its signature.',
  audit_seals: 'The place of each entry of the audit log in its chain, and the digests that show a change.',
  'audit_seals.salt': "The key of the digest of the entry's details; null once they were erased.",
  'audit_seals.receipt': "The digest of the erasure that emptied the entry's details.",
  billing_notices: 'The reminders of invoices and of ending subscriptions that were sent.',
  book_completions:
    "That a pupil completed a book on a day, in the school's time zone, once or more often; updated with the sessions.",
  'book_completions.reading_level': "The book's level on that day.",
  'books.cover_version': 'Changes with the cover; null without one.',
  'books.library_position': 'The order of books on all screens: by collection, level and title.',
  'books.preview_version': 'Changes with the preview; null without one.',
  'books.title_key': 'The title without accents in lower case, for searching and sorting.',
  'books.withdrawn_at': 'When the book was withdrawn; pupils have read it.',
  deleted_classes: 'Classes that can be restored for 30 days, under the ID that they had.',
  'deleted_classes.record': 'Its books, and its links to the school’s records.',
  deleted_class_pupils: 'The pupils who return to a deleted class if it is restored.',
  deleted_class_teachers: 'The teachers who return to a deleted class if it is restored.',
  'deleted_class_teachers.added_at': 'Null for the first teacher.',
  devices: 'The browsers and programs from which a user has logged in.',
  'devices.network_hash': "A keyed digest of the network of a program's last login; null for a browser.",
  trusted_networks: 'Keyed digests of the networks from which pupils of a school log in.',
  digest_links: 'Links that end the weekly digest of one person.',
  digests_sent: 'Which weekly digests were sent; `week` is the Monday of the reported week.',
  erasures: 'Receipts of erased pupils, former members of staff and the school, without names.',
  'erasures.counts': 'Rows by table.',
  'erasures.digest': 'Keyed: erasure.queries.ts.',
  'idempotency_keys.sealed_reply': 'The reply, sealed with the key that the client holds.',
  document_numbers:
    'The last number of each kind; its row is locked while a document is issued, so that there are no gaps.',
  missing_document_numbers:
    'Numbers of documents that were issued after the moment to which the database was restored.',
  database_generation: 'One row: how far the database has come, which is lower in one that was restored.',
  'database_generation.held_mails_to':
    'Unsent mails up to this ID wait for an operator, because they may have been sent before a restore.',
  'invoices.content': 'The content of the invoice when it was issued.',
  'invoices.closed_at': 'When it was written off or credited.',
  invoice_links: "Maps an invoice's public token or its number to its school.",
  'invoices.token': "What makes the invoice's public URLs unguessable.",
  linked_accounts: 'Accounts at sign-in providers that users have linked, by issuer and subject.',
  'linked_accounts.tenant': 'The tenant or domain of the organisation; null for a provider with one organisation.',
  login_sheets: 'New logins, sealed with the token of their link.',
  'login_steps.linked_account_id': 'The account at a provider with which the login began, and with which it ends.',
  'login_sheets.user_id': 'The user who created them, the only one who may download them.',
  need_dismissals: 'Pupils whom a teacher hid from the list of reading needs in the previous release, and until when.',
  need_responses: 'What staff did about a reason why a pupil needs help.',
  'need_responses.reason': 'The sentence that explained the need at that time.',
  need_thresholds: 'The thresholds of the list of reading needs; a school without a row has the defaults.',
  'one_time_links.operator_session_hash':
    "The operator's own session, which made the code of an impersonation; without it the code is not valid.",
  'one_time_links.session_id': 'The public ID of the session that the link ends.',
  one_time_links: 'A link or code that works once; `reason` is why an operator created it.',
  operators: "The company's own people.",
  school_closings: 'The request to close a school; with `closed_at` it is closed.',
  'school_closings.erase_at': 'When a closed school is erased.',
  'school_closings.erased_counts': 'The rows that its erasure deletes, by table; set when the erasure begins.',
  'school_closings.user_ids': 'The accounts that end with the school; set when the erasure begins.',
  'outbox.subject': 'Null once the mail is delivered, like its texts.',
  'outbox.link': 'The one-time link, created when the mail is delivered.',
  'outbox.sending_until': 'Until then only one process may send it.',
  'password_resets.pending_secret':
    "The ID that the creator has, until the new logins are ready; the row's ID is its hash.",
  'retention_periods.days': 'A shorter period than that of the registry; null after a return to it.',
  'retention_periods.removed_before': 'Rows before it were removed.',
  import_columns: 'What columns of spreadsheets mean, by their normalised headers, as staff chose it.',
  'pupil_tags.name_key': 'The name without accents in lower case.',
  'pupil_tags.purpose': 'What the school uses a sensitive tag for.',
  'pupils.name_key': 'The name without accents in lower case, for searching and sorting.',
  'pupils.archived_at': 'When the pupil was archived, and so left every list, class and figure; erased 30 days later.',
  'pupils.archived_from': 'The class that the pupil returns to, if it still exists.',
  reading_days:
    "A pupil's totals for a day and level, in the school's time zone; updated with the sessions in one transaction.",
  'reading_sessions.reading_level':
    'The level on the day it was read: past figures stay when the level of a book changes.',
  'reading_sessions.reading_time': 'Active seconds.',
  'recovery_codes.key_fingerprint': 'The key of the digest; null for the first key of the database.',
  school_records_classes: 'Which classes a source of school records names, and how.',
  school_records_connections: "The address of a school's OneRoster server, and what the nightly check does.",
  'school_records_connections.claim_id':
    'The check that runs now, which stores its result only if this is still its own ID.',
  'school_records_connections.classes': 'The classes that an admin has chosen; empty for all.',
  'school_records_connections.secret': 'Sealed with the key of the installation.',
  school_records_pupils:
    'Which pupils a source of school records keeps up to date. `name` and `class_id`: as it last wrote them.',
  'school_records_pupils.external_id': "The pupil's ID in the source.",
  school_records_rows: 'The pupils of a planned run, and what an applied run changed.',
  school_records_runs: 'What was done with each file of school records.',
  'school_records_runs.records': 'What the file contains besides pupils, while the run is planned.',
  school_records_sources: 'Where school records come from.',
  school_reading_days: "The sums of `reading_days` over the school's pupils.",
  secret_keys: 'The keys with which the portal has run, without the keys themselves.',
  sign_in_connections: 'The sign-in providers that a school uses, each with its tenant or domain.',
  'staff.until': 'When a former member left; null for the current staff, who have a role.',
  stripe_events:
    'Paid checkout sessions of the payment provider, each handled once, whatever number of events report it.',
  'sessions.linked_account_id': 'The account at a provider with which the session began, and with which it ends.',
  'sessions.operator_session_hash': "The operator's own session, without which a support session is not valid.",
  'subscriptions.ended_at':
    'When another subscription replaced it; null for the current one. Computed from the others.',
  'subscriptions.expires_at': 'When it ends: the last second of its last day, or the moment at which it was reverted.',
  'subscriptions.next_period': 'The period that an extension adds after the current one; null without an extension.',
  'subscriptions.price_per_year_pence':
    'Without VAT. Null in rows written by the previous release, whose `payment_amount_pence` is the yearly price.',
  'subscriptions.replaces_id': 'The subscription that it replaced, which is current again if this one is reverted.',
  'subscriptions.reverted_at':
    'When its purchase was reverted, because its invoice is uncollectible or was credited; null while it counts.',
  'subscriptions.title': 'The name of the package when it was bought.',
  'subscriptions.starts_at': 'The start of its current period; its anniversaries are those of the subscription years.',
  subject_requests:
    'Requests and complaints about the data of a pupil or a member of staff; the person’s number stays after an erasure.',
  'subject_requests.due_on':
    'Null while the clock does not run. Sorts the list; what is shown is calculated from the steps.',
  'subject_requests.requester_name':
    'Null once the person is erased, like the details, the check of identity and the note.',
  'subject_requests.file_version': 'The parts of the current file, or of the one that is being made.',
  subject_request_downloads: 'Recorded before the file is sent.',
  subject_request_parts: 'Parts of the files, each sealed with the key of the installation.',
  subject_request_steps: 'What happened in a request, in order; its clock follows from them.',
  subject_request_texts:
    'Whether a text by staff is included in the file, and which passages are blacked out; a text without a row is undecided.',
  support_permissions: 'Until when an admin lets support see data about children; a school without a row does not.',
  term_dates:
    "A school's own first and last days of its half-terms, six an academic year; a year without rows has the defaults.",
  'term_dates.academic_year': 'The year in which it starts, on 1 September.',
  'term_dates.half_term': '1 to 6, in the order of the year.',
  terms_acceptances: 'The versions of documents that the school has accepted.',
  'year_ends.record': 'The data needed to undo it.',
  unmatched_payments: 'Card payments that settled no invoice, until an operator has dealt with them.',
  'unmatched_payments.reference': 'The id of the payment in the dashboard of the payment provider.',
  'users.email_key': 'The form in which addresses are compared: NFKC, lower case.',
};

const HEADER = `// Generated from the migrated database: \`npm run tables -- --write\`. Do not edit.
// The descriptions are defined in table-types.queries.ts.
import type { InvoiceContent } from '#contract/calls/hosted-invoices.ts';
import type {
  ClassSelection,
  Day,
  DeletedClassRecord,
  Generated,
  MailAttachment,
  MailLink,
  NextPeriod,
  SchoolRecordsCheckResult,
  SchoolRecordsRowContent,
  StagedSchoolRecords,
  Timestamp,
  YearEndRecord,
} from './column-types.ts';
`;

interface Column {
  table: string;
  name: string;
  type: string;
  required: boolean;
  given: boolean;
  checks: string[];
}

/** The values that a constraint such as `check (role in ('admin', 'teacher'))` allows for its column. */
function allowedTexts(checks: string[]): string[] | undefined {
  const list = checks
    .map((check) => /^CHECK \(\(\w+ = ANY \(ARRAY\[((?:'\w+'::text(?:, )?)+)\]\)\)\)$/.exec(check)?.[1])
    .find(Boolean);
  return list?.match(/'\w+'/g) ?? undefined;
}

function typeOf({ table, name, type, required, given, checks }: Column): string {
  const json = JSON_TYPES[`${table}.${name}`];
  const base =
    type === 'jsonb'
      ? json && `JSONColumnType<${json}>`
      : (type === 'text' && allowedTexts(checks)?.join(' | ')) || TYPES[type];
  if (!base) throw new Error(`There is no TypeScript type for ${table}.${name}, which is ${type}.`);
  return (given ? `Generated<${base}>` : base) + (required ? '' : ' | null');
}

/** The lines that declare a column, formatted as oxfmt formats them. */
function printColumn(name: string, type: string): string[] {
  const line = `    ${name}: ${type};`;
  if (line.length <= 120) return [line];
  return [`    ${name}:`, ...`${type};`.split(' | ').map((value) => `      | ${value}`)];
}

/** The TypeScript source that declares all tables of the database. Throws for a column of an unknown type. */
export async function printTableTypes(db: Kysely<Tables>): Promise<string> {
  const { rows: columns } = await sql<Column>`
    select c.relname::text as table, a.attname::text as name, format_type(a.atttypid, null) as type,
      a.attnotnull as required, a.atthasdef or a.attidentity <> '' as given,
      array(select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] order by k.conname) as checks
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely\\_%'
    order by c.relname collate "C", a.attnum`.execute(db);
  const unused = new Set([...Object.keys(JSON_TYPES), ...Object.keys(COMMENTS)]);
  const commentOn = (name: string, indent: string): string[] => {
    unused.delete(name);
    return COMMENTS[name] ? [`${indent}/** ${COMMENTS[name]} */`] : [];
  };
  const lines = [...Map.groupBy(columns, ({ table }) => table)].flatMap(([table, ownColumns]) => [
    ...commentOn(table, '  '),
    `  ${table}: {`,
    ...ownColumns.flatMap((column) => [
      ...commentOn(`${table}.${column.name}`, '    '),
      ...printColumn(column.name, typeOf(column)),
    ]),
    '  };',
  ]);
  if (unused.size > 0) throw new Error(`The database has no ${[...unused].join(', ')}.`);
  return `${HEADER}\nexport interface Tables {\n${lines.join('\n')}\n}\n`;
}
