import { ARCHIVE_DAYS } from '#contract/limits.ts';
import { HAS_NO_SCHOOL } from '../../../auth/user-schools.queries.ts';
import { LOGIN_TABLES } from './login-tables.registry.ts';
import { EXPIRED, type RetentionRule, type TableEntry } from './table-entry.registry.ts';
import { kindOf, type TableKind, type TableName } from '../../../database/table-kinds.ts';

/** Selects the assignments of withdrawn books. */
const WITHDRAWN = 'book_id in (select id from books where withdrawn_at is not null)';

/** Selects the words of days whose reading sessions the school no longer keeps. */
const SESSIONS_REMOVED = `exists (select from retention_periods p where p.school_id = word_days.school_id
  and p.table_name = 'reading_sessions' and word_days.day < (p.removed_before at time zone 'UTC')::date)`;

/** Every table, once; a table that is missing does not compile. Referenced tables come first. */
export const TABLES = {
  collections: { holding: 'catalogue' },
  books: { holding: 'catalogue' },
  book_pages: { holding: 'catalogue' },
  tags: { holding: 'catalogue' },
  book_tags: { holding: 'catalogue' },
  packages: { holding: 'catalogue' },
  reading_levels: { holding: 'catalogue' },
  catalogue_state: { holding: 'catalogue' },

  schools: { holding: 'school', outlivesSchool: true },
  staff: {
    holding: 'staff',
    user: 'user_id',
    rules: [
      {
        key: ['school_id', 'user_id'],
        column: 'until',
        since: 'after the person left; the account stays longer if another school has it',
        months: 24,
        erases: 'staff',
      },
    ],
  },
  users: {
    holding: 'staff',
    user: 'id',
    rules: [
      {
        key: ['id'],
        column: 'created_at',
        since: 'after an account was registered with the address of another, and without a school',
        days: 30,
        where: `hidden_email_key is not null and ${HAS_NO_SCHOOL}`,
      },
    ],
  },
  user_schools: { holding: 'staff', user: 'user_id' },
  own_readers: { holding: 'staff', user: 'user_id' },
  operators: { holding: 'operators', user: 'user_id' },
  contacts: { holding: 'school' },
  term_dates: { holding: 'school' },
  days_off: { holding: 'school' },
  need_thresholds: { holding: 'school' },
  sign_in_connections: { holding: 'school' },
  invites: {
    holding: 'invites',
    people: ['invited_by', 'user_id'],
    rules: [
      {
        key: ['school_id', 'id'],
        column: 'expires_at',
        since: 'after it expired or was answered',
        days: 365,
        choices: [30, 90, 180],
        linked: { table: 'invite_links', column: 'invite_id' },
      },
    ],
  },
  invite_links: { holding: 'invites', endsWithSchool: true },
  classes: { holding: 'classes', people: ['manager_id'] },
  class_teachers: { holding: 'classes', user: 'user_id' },
  covers: {
    holding: 'classes',
    user: 'user_id',
    people: ['given_by'],
    rules: [{ key: ['school_id', 'id'], column: 'ends_at', since: 'after the cover ended', days: 1 }],
  },
  tablets: {
    holding: 'tablets',
    rules: [{ key: ['school_id', 'device_id'], column: 'last_seen_at', since: 'after the last contact', days: 90 }],
  },
  pupils: {
    holding: 'pupils',
    pupil: 'id',
    people: ['archived_by'],
    rules: [
      {
        key: ['school_id', 'id'],
        column: 'archived_at',
        since: 'in the archive after the deletion',
        days: ARCHIVE_DAYS,
        choices: [1, 7, 14],
        erases: 'pupils',
      },
    ],
  },
  deleted_classes: {
    holding: 'deleted-classes',
    people: ['deleted_by'],
    rules: [
      { key: ['school_id', 'id'], column: 'deleted_at', since: 'after the class was deleted, to restore it', days: 30 },
    ],
  },
  deleted_class_pupils: { holding: 'deleted-classes', pupil: 'pupil_id' },
  deleted_class_teachers: { holding: 'deleted-classes', user: 'user_id' },
  pupil_logins: { holding: 'pupils', pupil: 'pupil_id', endsWithSchool: true },
  class_books: {
    holding: 'assigned-books',
    people: ['assigned_by'],
    rules: [
      { key: ['school_id', 'class_id', 'book_id'], since: 'until the book leaves the catalogue', where: WITHDRAWN },
    ],
  },
  pupil_books: {
    holding: 'assigned-books',
    pupil: 'pupil_id',
    people: ['assigned_by'],
    rules: [
      { key: ['school_id', 'pupil_id', 'book_id'], since: 'until the book leaves the catalogue', where: WITHDRAWN },
    ],
  },
  reading_sessions: {
    holding: 'reading-sessions',
    pupil: 'pupil_id',
    rules: [
      { key: ['school_id', 'id'], column: 'started_at', since: 'after the session', choices: [180, 365, 730, 1095] },
    ],
  },
  word_days: {
    holding: 'reading-sessions',
    pupil: 'pupil_id',
    rules: [
      {
        key: ['school_id', 'pupil_id', 'day'],
        since: 'until the sessions of its day are removed',
        where: SESSIONS_REMOVED,
      },
    ],
  },
  reading_days: { holding: 'reading-totals', pupil: 'pupil_id' },
  book_completions: { holding: 'reading-totals', pupil: 'pupil_id' },
  school_reading_days: { holding: 'school-totals' },
  need_responses: { holding: 'needs', pupil: 'pupil_id', people: ['responded_by'] },
  pupil_notes: {
    holding: 'notes',
    pupil: 'pupil_id',
    people: ['written_by'],
    rules: [
      { key: ['school_id', 'id'], column: 'written_at', since: 'after it was written', choices: [365, 730, 1095] },
    ],
  },
  daily_views: {
    holding: 'record-views',
    people: ['user_id', 'pupil_ids'],
    rules: [
      {
        key: ['school_id', 'about', 'about_id', 'day', 'user_id', 'is_support', 'program_id', 'what', 'screen'],
        column: 'first_at',
        since: 'after the view',
        months: 12,
      },
    ],
  },
  pupil_tags: { holding: 'tags' },
  import_columns: { holding: 'school' },
  pupil_assistants: { holding: 'classes', pupil: 'pupil_id', user: 'user_id' },
  pupil_tag_members: { holding: 'tags', pupil: 'pupil_id' },
  login_sheets: {
    holding: 'login-cards',
    user: 'user_id',
    rules: [{ key: ['school_id', 'id'], ...EXPIRED, since: 'for 24 hours' }],
  },
  password_resets: {
    holding: 'login-cards',
    user: 'user_id',
    people: ['pupil_ids'],
    rules: [{ key: ['school_id', 'id'], ...EXPIRED, since: 'for 24 hours' }],
  },

  ...LOGIN_TABLES,
  outbox: {
    holding: 'emails',
    people: ['held_for', 'user_ids', 'pupil_ids'],
    rules: [
      {
        key: ['id'],
        column: 'created_at',
        since: 'for an email that waits until its sender’s address is confirmed',
        days: 14,
        where: 'held_for is not null',
      },
      {
        key: ['id'],
        column: 'created_at',
        since: 'at most for subject and text, which are deleted at delivery',
        days: 1,
        where: 'sent_at is null and text is not null and held_for is null',
        clear: ['subject', 'html', 'text', 'headers', 'link', 'attachments'],
      },
      {
        key: ['id'],
        column: 'created_at',
        since: 'for kind, recipient and what became of it',
        days: 90,
        where: 'held_for is null and not counts_against_address',
      },
      {
        key: ['id'],
        column: 'created_at',
        since: 'for one that came back because the address does not exist',
        days: 365,
        where: 'counts_against_address',
      },
    ],
  },
  digests_sent: {
    holding: 'digests',
    user: 'user_id',
    rules: [{ key: ['school_id', 'user_id', 'week'], column: 'sent_at', since: 'after it was sent', days: 365 }],
  },
  digest_links: {
    endsWithSchool: true,
    holding: 'digests',
    user: 'user_id',
    rules: [{ key: ['token_hash'], column: 'created_at', since: 'after it was sent', days: 365 }],
  },
  school_records_connections: { holding: 'school-records' },
  school_records_sources: { holding: 'school-records' },
  school_records_pupils: { holding: 'school-records', pupil: 'pupil_id' },
  school_records_classes: { holding: 'school-records' },
  school_records_staff: { holding: 'school-records', user: 'user_id' },
  runs: {
    holding: 'runs',
    people: ['created_by', 'closed_by'],
    rules: [
      {
        key: ['school_id', 'id'],
        column: 'created_at',
        since:
          'for the name of a list’s file, and for staff and classes in a file of school records that was neither applied nor discarded',
        days: 30,
        where: '(records is not null or title is not null)',
        clear: ['records', 'title'],
      },
      { key: ['school_id', 'id'], column: 'created_at', since: 'after the list, file, check or year end', days: 365 },
    ],
  },
  run_rows: {
    holding: 'runs',
    pupil: 'pupil_id',
    rules: [
      {
        key: ['school_id', 'run_id', 'position'],
        column: 'created_at',
        since: 'for what was changed, to undo it, and for a file that was neither applied nor discarded',
        days: 30,
      },
    ],
  },
  audit_log: {
    holding: 'audit-log',
    people: ['actor_user_id', 'impersonator_user_id'],
  },
  school_closings: { holding: 'school', people: ['requested_by', 'confirmed_by', 'user_ids'] },
  admin_requests: {
    // A request whose people leave ends within ten minutes, with an email. An erasure empties its texts at once.
    holding: 'school',
    people: ['requested_by', 'new_admin_id', 'former_admin_ids', 'checked_by', 'confirmed_by'],
  },
  support_permissions: { holding: 'school', people: ['allowed_by'] },
  subject_requests: {
    holding: 'subject-requests',
    people: ['pupil_id', 'user_id', 'opened_by', 'closed_by'],
    rules: [
      {
        key: ['school_id', 'id'],
        column: 'closed_at',
        since: 'after the request was closed',
        months: 36,
        where: 'closed_at is not null',
      },
    ],
  },
  subject_request_steps: { holding: 'subject-requests', people: ['recorded_by'] },
  subject_request_texts: { holding: 'subject-requests', people: ['decided_by'] },
  subject_request_parts: {
    holding: 'subject-requests',
    rules: [{ key: ['school_id', 'request_id', 'version', 'part'], ...EXPIRED, since: 'for the file, 7 days' }],
  },
  subject_request_downloads: { holding: 'subject-requests', people: ['downloaded_by'] },
  audit_chains: { holding: 'audit-log', outlivesSchool: true },
  audit_seals: { holding: 'audit-log' },
  audit_pending: { holding: 'audit-log', endsWithSchool: true },
  audit_alarms: { holding: 'audit-log', endsWithSchool: true },
  erasures: { holding: 'erasures', people: ['erased_by'] },
  retention_periods: { holding: 'retention' },
  retention_removals: {
    holding: 'retention',
    rules: [{ key: ['school_id', 'day', 'table_name'], column: 'day', since: 'after the night', days: 365 }],
  },
  secret_keys: { holding: 'keys' },
  retention_runs: {
    holding: 'retention',
    rules: [{ key: ['day', 'table_name'], column: 'day', since: 'after the night', days: 365 }],
  },
  terms_acceptances: { holding: 'terms', people: ['user_id'] },

  subscriptions: { holding: 'billing', outlivesSchool: true },
  invoices: { holding: 'billing', outlivesSchool: true },
  credit_notes: { holding: 'billing', outlivesSchool: true },
  billing_notices: { holding: 'billing', outlivesSchool: true },
  payment_reports: { holding: 'billing', people: ['reported_by'], outlivesSchool: true },
  invoice_links: { holding: 'billing' },
  document_numbers: { holding: 'billing' },
  missing_document_numbers: { holding: 'billing' },
  database_generation: { holding: 'jobs' },
  stripe_events: { holding: 'billing' },
  unmatched_payments: { holding: 'billing', people: ['reconciled_by'] },
} as const satisfies Record<TableName, TableEntry>;

/** Every table with its entry and kind. */
export const tableEntries = (Object.entries(TABLES) as [TableName, TableEntry][]).map(
  ([table, entry]): [TableName, TableEntry & { kind: TableKind }] => [table, { ...entry, kind: kindOf(table) }],
);

/** The rules of a table. */
export const rulesOf = (table: TableName): readonly RetentionRule[] => (TABLES[table] as TableEntry).rules ?? [];

/** The rule of a table whose period a school may shorten. */
export const shortenableRule = (table: TableName): RetentionRule | undefined =>
  rulesOf(table).find(({ choices }) => choices);
