import type { Tables } from './tables.ts';

/** The name of a table. */
export type TableName = keyof Tables;

/**
 * Catalogue: the same for every school. School: rows of one school each, by `school_id` (`schools` by `id`). Platform: rows
 * that belong to no school or to several. On a cluster the catalogue is on every machine, school tables are distributed by
 * school, and the others stay on the coordinator: docs/decisions/school-isolation.md. Referenced tables come first.
 */
const TABLE_KINDS = {
  collections: 'catalogue',
  books: 'catalogue',
  book_pages: 'catalogue',
  tags: 'catalogue',
  book_tags: 'catalogue',
  packages: 'catalogue',
  catalogue_state: 'platform',
  schools: 'school',
  staff: 'school',
  users: 'platform',
  user_schools: 'platform',
  own_readers: 'platform',
  operators: 'platform',
  contacts: 'school',
  term_dates: 'school',
  need_thresholds: 'school',
  sign_in_connections: 'school',
  invites: 'school',
  invite_links: 'platform',
  classes: 'school',
  class_teachers: 'school',
  covers: 'school',
  pupils: 'school',
  deleted_classes: 'school',
  deleted_class_pupils: 'school',
  deleted_class_teachers: 'school',
  pupil_logins: 'platform',
  class_books: 'school',
  pupil_books: 'school',
  reading_sessions: 'school',
  reading_days: 'school',
  book_completions: 'school',
  school_reading_days: 'school',
  need_responses: 'school',
  pupil_assistants: 'school',
  pupil_notes: 'school',
  daily_views: 'school',
  pupil_tags: 'school',
  import_columns: 'school',
  pupil_tag_members: 'school',
  login_sheets: 'school',
  password_resets: 'school',
  sessions: 'platform',
  login_events: 'school',
  trusted_networks: 'school',
  devices: 'platform',
  login_factors: 'platform',
  linked_accounts: 'platform',
  factor_recoveries: 'platform',
  recovery_codes: 'platform',
  login_steps: 'platform',
  one_time_links: 'platform',
  email_changes: 'platform',
  idempotency_keys: 'platform',
  rate_limits: 'platform',
  outbox: 'platform',
  digests_sent: 'school',
  digest_links: 'platform',
  school_records_connections: 'school',
  school_records_sources: 'school',
  school_records_pupils: 'school',
  school_records_classes: 'school',
  school_records_staff: 'school',
  runs: 'school',
  run_rows: 'school',
  audit_log: 'school',
  school_closings: 'school',
  admin_requests: 'school',
  support_permissions: 'school',
  subject_requests: 'school',
  subject_request_steps: 'school',
  subject_request_texts: 'school',
  subject_request_parts: 'school',
  subject_request_downloads: 'school',
  audit_chains: 'school',
  audit_seals: 'school',
  audit_pending: 'platform',
  audit_alarms: 'platform',
  erasures: 'school',
  retention_periods: 'school',
  retention_removals: 'school',
  secret_keys: 'platform',
  retention_runs: 'platform',
  terms_acceptances: 'school',
  subscriptions: 'school',
  invoices: 'school',
  credit_notes: 'school',
  billing_notices: 'school',
  payment_reports: 'school',
  invoice_links: 'platform',
  document_numbers: 'platform',
  missing_document_numbers: 'platform',
  database_generation: 'platform',
  stripe_events: 'platform',
  unmatched_payments: 'platform',
} as const satisfies Record<TableName, 'catalogue' | 'school' | 'platform'>;

export type TableKind = (typeof TABLE_KINDS)[TableName];

export const kindOf = (table: TableName): TableKind => TABLE_KINDS[table];

const tablesOf = (kind: TableKind): TableName[] =>
  (Object.keys(TABLE_KINDS) as TableName[]).filter((table) => TABLE_KINDS[table] === kind);

export const CATALOGUE_TABLES: readonly TableName[] = tablesOf('catalogue');
export const SCHOOL_TABLES: readonly TableName[] = tablesOf('school');
export const PLATFORM_TABLES: readonly TableName[] = tablesOf('platform');
