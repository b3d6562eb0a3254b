import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isViewOf } from '../../../audit/record-views.queries.ts';
import type { TableName } from '../../../database/table-kinds.ts';
import { TABLES, tableEntries } from '../registry/registry.public.ts';

/** Someone whose data is copied for them. */
export interface Person {
  kind: 'pupil' | 'staff';
  id: number;
  /** Of a member of staff. */
  email: string | null;
  emailKey: string | null;
}

/** Finds the rows about a person in a table of a school, besides its condition on `school_id`. */
type Condition = (person: Person, schoolId: number) => RawBuilder<SqlBool>;

/** Rows of a person that are of the school, in a table beside the accounts. */
const inOwnSchool: Condition = ({ id }, schoolId) => sql<SqlBool>`user_id = ${id} and school_id = ${schoolId}`;

/** A column with free text, and those with its author and time where they are stored. The table has an `id`. */
interface FreeText {
  column: string;
  by?: string;
  at?: string;
}

/** Columns, each with a reason or a description. */
type Columns = Readonly<Record<string, string>>;

interface Copy {
  /** Finds the rows about a pupil or a member of staff, or says why none are copied. */
  pupil?: Condition | string;
  staff?: Condition | string;
  /** Columns that are left out, and why: they mean nothing to people, or may be about someone else. */
  withheld?: Columns;
  /** Columns that are withheld from staff alone, and why. */
  withheldFromStaff?: Columns;
  /** The only columns that are copied, of a table that is about the people who ask for copies too. */
  only?: readonly string[];
  /** Free text by staff about a pupil, which an admin reviews before it is copied. */
  reviewed?: FreeText;
  /** Columns with texts in which no one can write about someone else, and what they contain. */
  notFreeText?: Columns;
  /** The columns of the order, which identify a row together with the school; the primary key by default. */
  order?: readonly string[];
}

const noCopy = (reason: string): Copy => ({ pupil: reason, staff: reason });
const HASHES = noCopy('Hashes and encrypted values, which mean nothing to people.');
const OF_SCHOOL = noCopy('It describes the school, not a person.');
const OF_PUPILS = 'What staff wrote or did about a pupil belongs to the data of the pupil.';

const FOR_COMPARING = 'A copy of the name for comparing and sorting.';
const SECRET = 'A hash or an identifier of a login.';
const TEMPORARY = 'Deleted at delivery.';
const OWN_NAME = 'The person’s own name.';
const OWN_ADDRESS = 'The person’s own email address.';
const CODE = 'A code of the portal.';
const SENTENCE = 'A sentence that the portal makes from figures.';
const BROWSER = 'The name of a browser, from a list.';
const SYSTEM = 'The name of an operating system, from a list.';
const OF_BOOK = 'Words of the book.';
const AT_PROVIDER = 'An identifier of the sign-in provider.';

/**
 * What a copy of everything about a person contains, besides the rows that `TABLES` finds by a column with the person's ID.
 * A test fails on a table about pupils or staff that is neither found nor explained here.
 */
const COPIES: Partial<Record<TableName, Copy>> = {
  users: {
    withheld: { password_hash: SECRET, email_key: FOR_COMPARING, hidden_email_key: FOR_COMPARING },
    notFreeText: { first_name: OWN_NAME, last_name: OWN_NAME, email: OWN_ADDRESS },
  },
  own_readers: { notFreeText: { name: 'The name that the person gave to a reader of their own.', type: CODE } },
  schools: OF_SCHOOL,
  term_dates: OF_SCHOOL,
  days_off: OF_SCHOOL,
  need_thresholds: OF_SCHOOL,
  sign_in_connections: OF_SCHOOL,
  contacts: {
    staff: ({ email }) => sql`lower(email) = lower(${email})`,
    notFreeText: Object.fromEntries(
      'contact_name job_role address_line_1 address_line_2 address_line_3 address_line_4 postcode country_code telephone email'
        .split(' ')
        .map((column) => [column, 'The person’s own details as a contact of the school.']),
    ),
  },
  admin_requests: {
    staff: ({ id }) => sql`(requested_by = ${id} or new_admin_id = ${id} or ${id} = any (former_admin_ids))`,
    withheld: {
      note: 'Free text to our support team, which may be about someone else.',
      check_note: 'Free text by our support team, which may be about someone else.',
    },
  },
  support_permissions: { staff: ({ id }) => sql`allowed_by = ${id}` },
  invites: {
    staff: ({ id, emailKey }) => sql`(user_id = ${id} or email_key = ${emailKey})`,
    withheld: { id: SECRET, email_key: FOR_COMPARING, user_id: 'The person’s own number.' },
    notFreeText: { name: OWN_NAME, email: OWN_ADDRESS },
  },
  programs: {
    staff: ({ id }) => sql`(made_by = ${id} or responsible_id = ${id})`,
    withheld: { network_hash: FOR_COMPARING },
    notFreeText: { name: 'The name that an admin gave to a program.', scopes: CODE, ended_because: CODE },
  },
  program_tokens: HASHES,
  invite_links: HASHES,
  classes: {
    staff: ({ id }) => sql`manager_id = ${id}`,
    withheld: { name_key: FOR_COMPARING },
    notFreeText: { name: 'The name of a class, which all its pupils share.' },
  },
  deleted_classes: {
    pupil: ({ id }, schoolId) =>
      sql`id in (select class_id from deleted_class_pupils where school_id = ${schoolId} and pupil_id = ${id})`,
    staff: ({ id }, schoolId) => sql`(deleted_by = ${id}
      or id in (select class_id from deleted_class_teachers where school_id = ${schoolId} and user_id = ${id}))`,
    withheld: { record: 'It describes the class, not a person.' },
    notFreeText: { name: 'The name of a class, which all its pupils shared.' },
  },
  deleted_class_pupils: noCopy('The class itself is copied.'),
  deleted_class_teachers: noCopy('The class itself is copied.'),
  pupils: {
    withheld: {
      password_hash: SECRET,
      name_key: FOR_COMPARING,
      upn_digest: FOR_COMPARING,
      birth_digest: FOR_COMPARING,
    },
    notFreeText: { name: OWN_NAME, username: 'The pupil’s own username.' },
  },
  pupil_logins: { notFreeText: { username: 'The pupil’s own username.' } },
  class_books: {
    pupil: ({ id }, schoolId) =>
      sql`class_id in (select class_id from pupils where school_id = ${schoolId} and id = ${id})`,
  },
  reading_sessions: {
    order: ['started_at', 'id'],
    notFreeText: { played_words: OF_BOOK, skipped_words: OF_BOOK },
  },
  word_days: { order: ['day'], notFreeText: { words: OF_BOOK } },
  need_responses: {
    staff: OF_PUPILS,
    reviewed: { column: 'remark', by: 'responded_by', at: 'responded_at' },
    notFreeText: { reason: SENTENCE },
  },
  pupil_notes: { staff: OF_PUPILS, reviewed: { column: 'text', by: 'written_by', at: 'written_at' } },
  school_closings: {
    staff: ({ id }) => sql`(requested_by = ${id} or confirmed_by = ${id})`,
    withheld: { erased_counts: 'It is about the whole school.' },
  },
  school_records_connections: OF_SCHOOL,
  import_columns: OF_SCHOOL,
  trusted_networks: OF_SCHOOL,
  tablets: OF_SCHOOL,
  school_records_sources: OF_SCHOOL,
  school_records_pupils: {
    staff: OF_PUPILS,
    notFreeText: { name: OWN_NAME, external_id: 'The pupil’s number in the school’s records.' },
  },
  school_records_classes: OF_SCHOOL,
  school_records_staff: { pupil: 'It is about a member of staff.' },
  runs: noCopy('A file of the school about everyone in it. What it changed about a pupil is copied.'),
  run_rows: {
    staff: OF_PUPILS,
    notFreeText: { content: 'The pupil’s own name, class and number in the school’s records, before and after.' },
  },
  daily_views: {
    pupil: ({ id }) => isViewOf(id),
    staff: ({ id }) => sql`user_id = ${id}`,
    withheld: { pupil_ids: 'Numbers of other pupils of a list.' },
    withheldFromStaff: { about_id: 'Numbers of pupils.' },
    notFreeText: { about: CODE, screen: CODE },
  },
  pupil_tags: {
    pupil: ({ id }, schoolId) =>
      sql`id in (select tag_id from pupil_tag_members where school_id = ${schoolId} and pupil_id = ${id})`,
    withheld: { name_key: FOR_COMPARING, purpose: 'Free text about all pupils with the tag.' },
    reviewed: { column: 'name' },
  },
  pupil_tag_members: noCopy('The tags themselves are copied, once an admin has reviewed their names.'),
  login_sheets: noCopy('New logins that only their link opens, for 24 hours.'),
  password_resets: noCopy('New logins that only their link opens, for 24 hours.'),
  // What the person does at another school is not this school's to copy.
  user_schools: { staff: inOwnSchool },
  sessions: { staff: inOwnSchool, notFreeText: { browser: BROWSER, system: SYSTEM } },
  login_events: { notFreeText: { method: CODE, browser: BROWSER, system: SYSTEM } },
  login_factors: {
    withheld: { credential_id: SECRET, last_step: SECRET, sign_count: SECRET },
    notFreeText: { name: 'The name that the person gave to a passkey or app.' },
  },
  linked_accounts: {
    notFreeText: { provider: CODE, issuer: AT_PROVIDER, subject: AT_PROVIDER, tenant: AT_PROVIDER },
  },
  recovery_codes: HASHES,
  login_steps: HASHES,
  one_time_links: {
    withheld: { session_id: SECRET, reason: 'Free text by our support team, which may be about someone else.' },
    notFreeText: { email: OWN_ADDRESS },
  },
  email_changes: { notFreeText: { email: OWN_ADDRESS } },
  idempotency_keys: noCopy('A reply, encrypted with a key that only the browser knows, for 24 hours.'),
  rate_limits: HASHES,
  outbox: {
    pupil: 'The text of an email is deleted when it is delivered.',
    staff: ({ email }) => sql`recipient = ${email}`,
    withheld: {
      subject: TEMPORARY,
      html: TEMPORARY,
      text: TEMPORARY,
      headers: TEMPORARY,
      link: TEMPORARY,
      attachments: TEMPORARY,
      user_ids: 'Numbers of other people.',
      pupil_ids: 'Numbers of other people.',
      message_key: 'A key, by which the mail is named to mail servers.',
    },
    notFreeText: {
      recipient: OWN_ADDRESS,
      kind: CODE,
      about: CODE,
      delivery: CODE,
      fault_code: CODE,
      fault: 'The words of a mail server about the address.',
    },
  },
  digest_links: HASHES,
  audit_log: {
    // Entries about requests tell one parent what another did; the dates of requests are copied from their own table.
    pupil: ({ id }) => sql`(subject_kind = 'pupil' and subject_id = ${String(id)}
      or jsonb_typeof(details -> 'pupils') = 'array' and details -> 'pupils' @> to_jsonb(${id}::bigint))
      and not starts_with(action, 'subject_')`,
    staff: ({ id }) => sql`(actor_user_id = ${id}
      or subject_kind = 'user' and subject_id = ${String(id)} and not starts_with(action, 'subject_'))`,
    withheld: { details: 'Names and values of when it was written, which may be about someone else.' },
    withheldFromStaff: { subject_id: 'Numbers of pupils and colleagues.' },
    notFreeText: { action: CODE, subject_kind: CODE, subject_id: 'A number.' },
    order: ['id'],
  },
  audit_chains: HASHES,
  audit_seals: HASHES,
  terms_acceptances: { staff: ({ id }) => sql`user_id = ${id}`, notFreeText: { version: CODE } },
  audit_pending: HASHES,
  audit_alarms: OF_SCHOOL,
  subject_requests: {
    pupil: ({ id }) => sql`pupil_id = ${id} and kind = 'access'`,
    staff: ({ id }) => sql`user_id = ${id} and kind = 'access'`,
    only: ['id', 'received_on', 'closed_at'],
  },
  subject_request_steps: noCopy(
    'What the school asked and answered the person who made the request, who may be someone else.',
  ),
  subject_request_texts: noCopy('Which notes this copy contains.'),
  subject_request_parts: noCopy('The file of this copy.'),
  subject_request_downloads: noCopy('Who in the school downloaded this copy.'),
};

const copyOf = (table: TableName): Copy => COPIES[table] ?? {};

/** The condition that finds a person's rows in a table; a reason why none are copied; undefined without either. */
export function findCopy(table: TableName, kind: Person['kind']): Condition | string | undefined {
  const stated = copyOf(table)[kind];
  if (stated !== undefined) return stated;
  const { pupil, user } = TABLES[table] as { pupil?: string; user?: string };
  const column = kind === 'pupil' ? pupil : user;
  return column === undefined ? undefined : ({ id }) => sql`${sql.ref(column)} = ${id}`;
}

/** The tables with rows about a person of this kind, in the order of the registry. */
export const copiedTables = (kind: Person['kind']): TableName[] =>
  tableEntries.flatMap(([table]) => (typeof findCopy(table, kind) === 'function' ? table : []));

/** True for a column that a copy for a person of this kind leaves out, besides those of type `bytea`. */
export const isWithheld = (table: TableName, column: string, kind: Person['kind']): boolean => {
  const { only, withheld = {}, withheldFromStaff = {} } = copyOf(table);
  if (only) return !only.includes(column);
  return column in withheld || (kind === 'staff' && column in withheldFromStaff);
};

/** The columns that the registry names for a table: with what is withheld, what is reviewed and what is not free text. */
export function declaredColumns(table: TableName): Record<'withheld' | 'reviewed' | 'notFreeText', string[]> {
  const { withheld, withheldFromStaff, reviewed, notFreeText } = copyOf(table);
  return {
    withheld: Object.keys({ ...withheld, ...withheldFromStaff }),
    reviewed: reviewed ? [reviewed.column] : [],
    notFreeText: Object.keys(notFreeText ?? {}),
  };
}

/** The order of a table's rows in a copy, where it is not that of the primary key. */
export const orderOf = (table: TableName): readonly string[] | undefined => copyOf(table).order;

/** The free text of a table about pupils, which an admin reviews. */
export const freeTextOf = (table: TableName): FreeText | undefined => copyOf(table).reviewed;

/** The tables with free texts about pupils. */
export const freeTexts: readonly (FreeText & { table: TableName })[] = tableEntries.flatMap(([table]) => {
  const text = freeTextOf(table);
  return text ? { table, ...text } : [];
});
