import type { Generated, JSONColumnType } from 'kysely';
import type { Day, Id, Timestamp } from './columns.ts';

interface Schools {
  id: Id;
  name: string;
  urn: string | null;
  time_zone: Generated<string>;
  recording_enabled: Generated<boolean>;
  can_enable_recordings: Generated<boolean>;
  terms_accepted_at: Timestamp | null;
  created_at: Timestamp;
  new_statistics: Generated<boolean>;
}
interface Staff {
  school_id: number;
  user_id: number;
  role: 'admin' | 'teacher';
  digest_optin_at: Timestamp | null;
  joined_at: Timestamp;
}
interface Contacts {
  school_id: number;
  id: Id;
  type: 'primary' | 'billing';
  contact_name: string;
  job_role: string | null;
  address_line_1: string;
  address_line_2: string | null;
  address_line_3: string | null;
  address_line_4: string | null;
  postcode: string;
  country_code: string;
  telephone: string;
  email: string | null;
}
interface Invites {
  school_id: number;
  id: string;
  email: string;
  email_key: string;
  name: string;
  status: 'pending' | 'accepted' | 'expired' | 'declined';
  invited_by: number | null;
  created_at: Timestamp;
  expires_at: Timestamp;
}
interface Classes {
  school_id: number;
  id: Id;
  name: string;
  name_key: string;
  manager_id: number | null;
  created_at: Timestamp;
}
interface Pupils {
  school_id: number;
  id: Id;
  name: string;
  /** The name without accents in lower case: what is searched and sorted. */
  name_key: string;
  username: string;
  password_hash: string;
  class_id: number | null;
  created_at: Timestamp;
  last_read_at: Timestamp | null;
}
interface ClassBooks {
  school_id: number;
  class_id: number;
  book_id: number;
  assigned_by: number | null;
  assigned_at: Timestamp;
}
interface PupilBooks {
  school_id: number;
  pupil_id: number;
  book_id: number;
  assigned_by: number | null;
  assigned_at: Timestamp;
}
interface ReadingSessions {
  school_id: number;
  id: string;
  pupil_id: number;
  book_id: number;
  /** The book's level on the day it was read: figures of the past stay when a book is graded anew. */
  reading_level: number;
  started_at: Timestamp;
  received_at: Timestamp;
  /** Active seconds. */
  reading_time: number;
  last_page: number;
  words_attempted: number;
  words_correct: number;
  has_completed_book: boolean;
  heatmap: number[];
  played_words: string[];
  skipped_words: string[];
}
/** Totals of a pupil's day on one level, in the school's time zone; kept with the sessions in one transaction. */
interface ReadingDays {
  school_id: number;
  pupil_id: number;
  day: Day;
  reading_level: number;
  reading_time: number;
  words_attempted: number;
  words_correct: number;
}
/** The same for all of the school's pupils together; kept with the sessions. */
type SchoolReadingDays = Omit<ReadingDays, 'pupil_id'>;
/** That a pupil completed a book on a day, in the school's time zone, once or more often; kept with the sessions. */
interface BookCompletions {
  school_id: number;
  pupil_id: number;
  day: Day;
  book_id: number;
  /** The book's level on that day. */
  reading_level: number;
}
interface Subscriptions {
  school_id: number;
  id: Id;
  package_id: number | null;
  is_trial: boolean;
  max_readers: number;
  payment_provider: string | null;
  payment_provider_subscription_id: string | null;
  payment_amount_pence: number;
  renewal_duration_unit: Generated<string>;
  renewal_status: string | null;
  starts_at: Timestamp;
  expires_at: Timestamp;
  ended_at: Timestamp | null;
}
interface Invoices {
  school_id: number;
  id: Id;
  number: string;
  issued_at: Timestamp;
  due_date: Day;
  status: 'open' | 'paid' | 'uncollectible' | 'void';
  currency: Generated<string>;
  subtotal_pence: number;
  vat_pence: number;
  total_pence: number;
  po_number: string | null;
  /** What makes the invoice's public URLs unguessable. */
  token: string;
}
interface AuditLog {
  school_id: number;
  id: Id;
  at: Timestamp;
  actor_user_id: number | null;
  impersonator_user_id: number | null;
  action: string;
  subject_kind: string;
  subject_id: string | null;
  details: JSONColumnType<object>;
}
/** Which version of a document was accepted for the school. */
interface TermsAcceptances {
  school_id: number;
  document: 'licence' | 'terms' | 'privacy';
  version: string;
  user_id: number;
  accepted_at: Timestamp;
}
/** Logins that were just made, sealed with the token of their link. */
interface LoginSheets {
  school_id: number;
  id: Id;
  token_hash: Buffer;
  /** Who made them, and alone may fetch them. */
  user_id: number;
  sealed: Buffer;
  created_at: Timestamp;
  expires_at: Timestamp;
}
interface PasswordResets {
  school_id: number;
  id: string;
  user_id: number;
  pupil_ids: number[];
  status: 'none' | 'loading' | 'complete';
  /** The id in its maker's hands, until the new logins are there; the row's id is its hash. */
  pending_secret: string | null;
  created_at: Timestamp;
  expires_at: Timestamp;
}
/** Which weekly digests were sent; `week` is the Monday of the week told of. */
interface DigestsSent {
  school_id: number;
  user_id: number;
  week: Day;
  sent_at: Timestamp;
}

/** The rows of one school, under forced row-level security. Reached by `SchoolDb`. */
export interface SchoolTables {
  schools: Schools;
  staff: Staff;
  contacts: Contacts;
  invites: Invites;
  classes: Classes;
  pupils: Pupils;
  class_books: ClassBooks;
  pupil_books: PupilBooks;
  reading_sessions: ReadingSessions;
  reading_days: ReadingDays;
  school_reading_days: SchoolReadingDays;
  book_completions: BookCompletions;
  subscriptions: Subscriptions;
  invoices: Invoices;
  audit_log: AuditLog;
  terms_acceptances: TermsAcceptances;
  login_sheets: LoginSheets;
  password_resets: PasswordResets;
  digests_sent: DigestsSent;
}
