/*
 * The one list of all tables: docs/decisions/0002-one-postgresql-many-schools.md. A test holds it against the database.
 * On a cluster the catalogue is on every machine, school tables are spread by school, the rest is where it was.
 */

/** The same for every school: readable by everybody, changed by the platform alone. Those that others point to first. */
export const CATALOGUE_TABLES = ['collections', 'books', 'book_pages', 'tags', 'book_tags', 'packages'] as const;

/** Rows of one school each, by `school_id` (`schools` by `id`). Those that others point to first. */
export const SCHOOL_TABLES = [
  'schools',
  'staff',
  'contacts',
  'invites',
  'classes',
  'class_teachers',
  'pupils',
  'class_books',
  'pupil_books',
  'reading_sessions',
  'reading_days',
  'book_completions',
  'school_reading_days',
  'subscriptions',
  'invoices',
  'credit_notes',
  'billing_notices',
  'payment_reports',
  'terms_acceptances',
  'audit_log',
  'login_sheets',
  'password_resets',
  'digests_sent',
  'need_thresholds',
  'need_dismissals',
  'term_dates',
  'year_ends',
  'pupil_notes',
] as const;

/** What lies across schools: logins, links, mails, counters. */
export const PLATFORM_TABLES = [
  'users',
  'own_readers',
  'operators',
  'sessions',
  'pupil_logins',
  'one_time_links',
  'invite_links',
  'digest_links',
  'invoice_links',
  'idempotency_keys',
  'rate_limits',
  'outbox',
  'catalogue_state',
  'document_numbers',
  'stripe_events',
] as const;
