import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type TableName, TABLES, tableEntries } from './table-registry.ts';

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

/** A column with free text, and those with its author and time. The table has an `id`. */
interface FreeText {
  column: string;
  by: string;
  at: string;
}

interface Copy {
  /** Finds the rows about a pupil or a member of staff, or says why none are copied. */
  pupil?: Condition | string;
  staff?: Condition | string;
  /** Columns without meaning for people, or that protect someone: keys, hashes, texts about others. */
  withheld?: readonly string[];
  /** Columns that are withheld from staff alone. */
  withheldFromStaff?: readonly string[];
  /** Free text by staff about a pupil, which an admin reviews before it is copied. */
  text?: FreeText;
  /** The columns of the order, which identify a row together with the school; the primary key by default. */
  order?: readonly string[];
}

const noCopy = (reason: string): Copy => ({ pupil: reason, staff: reason });
const HASHES = noCopy('Hashes and encrypted values, which mean nothing to people.');
const OF_SCHOOL = noCopy('It describes the school, not a person.');
const OF_PUPILS = 'What staff wrote or did about a pupil belongs to the data of the pupil.';

/**
 * What a copy of everything about a person contains, besides the rows that `TABLES` finds by a column with the person's ID.
 * A test fails on a table about pupils or staff that is neither found nor explained here.
 */
const COPIES: Partial<Record<TableName, Copy>> = {
  users: { withheld: ['password_hash', 'email_key', 'hidden_email_key'] },
  schools: OF_SCHOOL,
  term_dates: OF_SCHOOL,
  need_thresholds: OF_SCHOOL,
  sign_in_connections: OF_SCHOOL,
  contacts: { staff: ({ email }) => sql`lower(email) = lower(${email})` },
  support_permissions: { staff: ({ id }) => sql`allowed_by = ${id}` },
  invites: { staff: ({ emailKey }) => sql`email_key = ${emailKey}`, withheld: ['id', 'email_key'] },
  invite_links: HASHES,
  classes: { staff: ({ id }) => sql`manager_id = ${id}`, withheld: ['name_key'] },
  pupils: { withheld: ['password_hash', 'name_key', 'upn_digest', 'birth_digest'] },
  class_books: {
    pupil: ({ id }, schoolId) =>
      sql`class_id in (select class_id from pupils where school_id = ${schoolId} and id = ${id})`,
  },
  reading_sessions: { order: ['started_at', 'id'] },
  need_dismissals: { staff: OF_PUPILS },
  need_responses: { staff: OF_PUPILS, text: { column: 'remark', by: 'responded_by', at: 'responded_at' } },
  pupil_notes: { staff: OF_PUPILS, text: { column: 'text', by: 'written_by', at: 'written_at' } },
  school_closings: {
    staff: ({ id }) => sql`(requested_by = ${id} or confirmed_by = ${id})`,
    withheld: ['erased_counts', 'user_ids'],
  },
  roster_connections: OF_SCHOOL,
  import_columns: OF_SCHOOL,
  trusted_networks: OF_SCHOOL,
  roster_sources: OF_SCHOOL,
  roster_pupils: { staff: OF_PUPILS },
  roster_classes: OF_SCHOOL,
  roster_runs: noCopy('A file of the school about everyone in it. What it changed about a pupil is copied.'),
  roster_rows: { staff: OF_PUPILS },
  record_views: noCopy('It is added up in another table, which is copied.'),
  daily_views: {
    pupil: ({ id }) => sql`(about = 'pupil' and about_id = ${id}
      or about in ('class', 'list') and pupil_ids @> array[${id}]::bigint[])`,
    staff: ({ id }) => sql`user_id = ${id}`,
    // The other pupils of a list.
    withheld: ['pupil_ids'],
    withheldFromStaff: ['about_id'],
  },
  pupil_tags: {
    pupil: ({ id }, schoolId) =>
      sql`id in (select tag_id from pupil_tag_members where school_id = ${schoolId} and pupil_id = ${id})`,
    withheld: ['name_key'],
  },
  login_sheets: noCopy('New logins that only their link opens, for 24 hours.'),
  password_resets: noCopy('New logins that only their link opens, for 24 hours.'),
  login_factors: { withheld: ['credential_id', 'last_step', 'sign_count'] },
  recovery_codes: HASHES,
  login_steps: HASHES,
  one_time_links: { withheld: ['session_id'] },
  email_changes: {},
  idempotency_keys: noCopy('A reply, encrypted with a key that only the browser knows, for 24 hours.'),
  rate_limits: HASHES,
  outbox: {
    pupil: 'The text of an email is deleted when it is delivered.',
    staff: ({ email }) => sql`recipient = ${email}`,
    withheld: ['subject', 'html', 'text', 'headers', 'link', 'attachments'],
  },
  digest_links: HASHES,
  year_ends: noCopy('What undoes a year end, for 30 days. The change of class is among the changes.'),
  audit_log: {
    pupil: ({ id }) => sql`(subject_kind = 'pupil' and subject_id = ${String(id)}
      or jsonb_typeof(details -> 'pupils') = 'array' and details -> 'pupils' @> to_jsonb(${id}::bigint))`,
    staff: ({ id }) => sql`(actor_user_id = ${id} or subject_kind = 'user' and subject_id = ${String(id)})`,
    withheldFromStaff: ['details'],
    order: ['id'],
  },
  audit_chains: HASHES,
  audit_seals: HASHES,
  terms_acceptances: { staff: ({ id }) => sql`user_id = ${id}` },
  subject_requests: {
    pupil: ({ id }) => sql`pupil_id = ${id}`,
    staff: ({ id }) => sql`user_id = ${id}`,
    withheld: ['file_version', 'file_state', 'file_size', 'file_made_at', 'file_expires_at'],
  },
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
  const { withheld = [], withheldFromStaff = [] } = copyOf(table);
  return withheld.includes(column) || (kind === 'staff' && withheldFromStaff.includes(column));
};

/** The order of a table's rows in a copy, where it is not that of the primary key. */
export const orderOf = (table: TableName): readonly string[] | undefined => copyOf(table).order;

/** The free text of a table about pupils, which an admin reviews. */
export const freeTextOf = (table: TableName): FreeText | undefined => copyOf(table).text;

/** The tables with free texts about pupils. */
export const freeTexts: readonly (FreeText & { table: TableName })[] = tableEntries.flatMap(([table]) => {
  const text = freeTextOf(table);
  return text ? { table, ...text } : [];
});
