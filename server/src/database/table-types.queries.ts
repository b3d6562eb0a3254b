import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** SQL types to what the parsers of `database.ts` make of them. */
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

/** What is in a column of JSON, which SQL does not say. */
const JSON_TYPES: Record<string, string> = {
  'audit_log.details': 'object',
  'invite_links.copied_hash': 'Of the link that the inviter was told; it does not prove the address.',
  'invoices.content': 'InvoiceContent',
  'outbox.attachments': 'MailAttachment[]',
  'outbox.headers': 'Record<string, string>',
  'outbox.link': 'MailLink',
  'subscriptions.next_period': 'NextPeriod',
  'year_ends.record': 'YearEndRecord',
};

/** What a table or column is for, where its name does not say it. */
const COMMENTS: Record<string, string> = {
  billing_notices: 'Which reminders of an invoice or of an end were sent.',
  book_completions:
    "That a pupil completed a book on a day, in the school's time zone, once or more often; kept with the sessions.",
  'book_completions.reading_level': "The book's level on that day.",
  'books.cover_version': 'Changes with the cover; null without one.',
  'books.library_position': 'The order in which all screens show the books: by collection, level and title.',
  'books.preview_version': 'Changes with the preview; null without one.',
  'books.title_key': 'The title without accents in lower case: what is searched and sorted.',
  'books.withdrawn_at': 'Since when the book is no longer offered; pupils have read it.',
  digest_links: 'Links that end the weekly digest of one person.',
  digests_sent: 'Which weekly digests were sent; `week` is the Monday of the week told of.',
  'idempotency_keys.sealed_reply': 'The reply, sealed with the key that the client holds.',
  document_numbers:
    'The last number of each kind; its row is locked while a document is issued, so that there are no gaps.',
  'invoices.content': 'What the invoice says, as it was when it was issued.',
  'invoices.closed_at': 'When it was given up or credited.',
  invoice_links: "Lead from an invoice's public token, or its number, to its school.",
  'invoices.token': "What makes the invoice's public URLs unguessable.",
  login_sheets: 'Logins that were just made, sealed with the token of their link.',
  'login_sheets.user_id': 'Who made them, and alone may fetch them.',
  need_dismissals: 'Pupils whom somebody took off the list of those who need them, until when.',
  need_thresholds: 'When a pupil is on that list; a school without a row has the usual ones.',
  one_time_links: 'A link or code that works once; `reason` is why an operator made it.',
  operators: "The company's own people.",
  'outbox.subject': 'Null once the mail is delivered, like its texts.',
  'outbox.link': 'The one-time link that is made when the mail is delivered.',
  'outbox.sending_until': 'Until then one process alone may try to send it.',
  'password_resets.pending_secret':
    "The id in its maker's hands, until the new logins are there; the row's id is its hash.",
  'pupils.name_key': 'The name without accents in lower case: what is searched and sorted.',
  'pupils.archived_at': 'Since when the pupil is in no list, class or figure; erased 30 days later.',
  'pupils.archived_from': 'The class that the pupil comes back to; it may be gone by then.',
  reading_days:
    "Totals of a pupil's day on one level, in the school's time zone; kept with the sessions in one transaction.",
  'reading_sessions.reading_level':
    'The level on the day it was read: figures of the past stay when a book is graded anew.',
  'reading_sessions.reading_time': 'Active seconds.',
  school_reading_days: "The same as `reading_days` for all of the school's pupils together.",
  stripe_events: 'Events of the payment provider that were dealt with.',
  'subscriptions.next_period': 'The period that an extension adds after the current one; null without an extension.',
  'subscriptions.price_per_year_pence':
    'Without VAT. Null in rows that the release before wrote: `payment_amount_pence` is the yearly price there.',
  'subscriptions.replaces_id': 'The subscription that it replaced, which runs again if its invoice is not paid.',
  'subscriptions.title': 'The name of the package when it was bought.',
  'subscriptions.starts_at': 'The start of its current period; its anniversaries are those of the subscription years.',
  term_dates:
    "A school's own first and last days of its half-terms, six an academic year; a year without has the usual ones.",
  'term_dates.academic_year': 'The year in which it begins, on 1 September.',
  'term_dates.half_term': '1 to 6, in the order of the year.',
  terms_acceptances: 'Which version of a document was accepted for the school.',
  'year_ends.record': 'What it takes to undo it.',
  'users.email_key': 'The address as it is compared: NFKC, lower case.',
};

const HEADER = `// Made from the migrated database: \`npm run -s tables > server/src/database/generated-tables.ts\`; not edited by hand.
// What SQL does not say of a column stands in table-types.queries.ts.
import type { JSONColumnType } from 'kysely';
import type { InvoiceContent } from '#contract/calls/hosted-invoices.ts';
import type { Day, Generated, MailAttachment, MailLink, NextPeriod, Timestamp, YearEndRecord } from './column-types.ts';
`;

interface Column {
  table: string;
  name: string;
  type: string;
  required: boolean;
  given: boolean;
  checks: string[];
}

/** The texts that a constraint like `check (role in ('admin', 'teacher'))` allows its one column. */
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
  if (!base) throw new Error(`No TypeScript type is known for ${table}.${name}, which is ${type}.`);
  return (given ? `Generated<${base}>` : base) + (required ? '' : ' | null');
}

/** The TypeScript source that declares all tables of the database. Throws for a column whose type it does not know. */
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
  const lines = [...Map.groupBy(columns, ({ table }) => table)].flatMap(([table, its]) => [
    ...commentOn(table, '  '),
    `  ${table}: {`,
    ...its.flatMap((column) => [
      ...commentOn(`${table}.${column.name}`, '    '),
      `    ${column.name}: ${typeOf(column)};`,
    ]),
    '  };',
  ]);
  if (unused.size > 0) throw new Error(`The database has no ${[...unused].join(', ')}.`);
  return `${HEADER}\nexport interface Tables {\n${lines.join('\n')}\n}\n`;
}
