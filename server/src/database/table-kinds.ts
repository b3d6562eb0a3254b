/*
 * The list of all tables, which a test compares with the database: docs/decisions/school-isolation.md. On a cluster the
 * catalogue is on every machine, school tables are distributed by school, and the others stay on the coordinator.
 */

/** The same for every school: everyone may read them, only the platform changes them. Referenced tables come first. */
export const CATALOGUE_TABLES = ['collections', 'books', 'book_pages', 'tags', 'book_tags', 'packages'] as const;

/** Rows of one school each, by `school_id` (`schools` by `id`). Referenced tables come first. */
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
  'need_responses',
  'term_dates',
  'year_ends',
  'pupil_notes',
  'pupil_tags',
  'pupil_tag_members',
] as const;

/** Rows that belong to no school or to several: logins, links, mails, counters. */
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
  'unmatched_payments',
] as const;
