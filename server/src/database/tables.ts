import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** A moment: a `Date` both ways. */
type Moment = ColumnType<Date, Date, Date>;
/** A calendar day as `YYYY-MM-DD`. */
type Day = ColumnType<string, string, string>;
type Id = Generated<number>;

interface Collections {
  key: string;
  title: string;
  position: number;
}
interface Books {
  id: number;
  title: string;
  description: string;
  collection_key: string;
  reading_level: number;
  pages_count: number;
}
interface BookPages {
  book_id: number;
  page: number;
  text: string;
}
interface Tags {
  id: Id;
  text: string;
}
interface BookTags {
  book_id: number;
  tag_id: number;
}
interface CatalogueState {
  only_row: Generated<boolean>;
  content_hash: string;
}
interface Packages {
  id: number;
  title: string;
  description: string;
  price_pence: number;
  is_trial: boolean;
  max_readers: number;
  position: number;
}

interface Schools {
  id: Id;
  name: string;
  urn: string | null;
  time_zone: Generated<string>;
  recording_enabled: Generated<boolean>;
  can_enable_recordings: Generated<boolean>;
  terms_accepted_at: Moment | null;
  created_at: Moment;
}
interface Users {
  id: Id;
  email: string;
  /** The address as it is compared: NFKC, lower case. */
  email_key: string;
  first_name: string;
  last_name: string;
  password_hash: string;
  user_type: 'enterprise' | 'standard';
  school_id: number | null;
  require_password_reset: Generated<boolean>;
  created_at: Moment;
}
interface OwnReaders {
  id: Id;
  user_id: number;
  name: string;
  type: string;
}
interface Sessions {
  token_hash: Buffer;
  school_id: number | null;
  user_id: number | null;
  pupil_id: number | null;
  impersonator_id: number | null;
  created_at: Moment;
  last_used_at: Moment;
  expires_at: Moment;
}
/** A link or code that works once; `reason` is why an operator made it. */
interface OneTimeLinks {
  token_hash: Buffer;
  kind: 'password_reset' | 'set_up' | 'impersonation';
  user_id: number;
  school_id: number | null;
  operator_id: number | null;
  reason: string | null;
  created_at: Moment;
  expires_at: Moment;
  used_at: Moment | null;
}
/** The company's own people. */
interface Operators {
  user_id: number;
  added_at: Moment;
}
interface PupilLogins {
  username: string;
  school_id: number;
  pupil_id: number;
}
interface InviteLinks {
  id: string;
  school_id: number;
}
interface IdempotencyKeys {
  actor: string;
  key: string;
  school_id: number | null;
  request_hash: Buffer;
  reply: JSONColumnType<object> | null;
  created_at: Moment;
}
interface RateLimits {
  key: string;
  window_ends_at: Moment;
  tries: number;
}
interface Outbox {
  id: Id;
  recipient: string;
  subject: string;
  html: string;
  text: string;
  headers: JSONColumnType<Record<string, string>> | null;
  created_at: Moment;
  /** Until then one process alone may try to send it. */
  sending_until: Moment | null;
  sent_at: Moment | null;
}

interface Staff {
  school_id: number;
  user_id: number;
  role: 'admin' | 'teacher';
  digest_optin_at: Moment | null;
  joined_at: Moment;
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
  created_at: Moment;
  expires_at: Moment;
}
interface Classes {
  school_id: number;
  id: Id;
  name: string;
  name_key: string;
  manager_id: number | null;
  created_at: Moment;
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
  created_at: Moment;
  last_read_at: Moment | null;
}
interface ClassBooks {
  school_id: number;
  class_id: number;
  book_id: number;
  assigned_by: number | null;
  assigned_at: Moment;
}
interface PupilBooks {
  school_id: number;
  pupil_id: number;
  book_id: number;
  assigned_by: number | null;
  assigned_at: Moment;
}
interface ReadingSessions {
  school_id: number;
  id: string;
  pupil_id: number;
  book_id: number;
  /** The book's level on the day it was read: figures of the past stay when a book is graded anew. */
  reading_level: number;
  started_at: Moment;
  received_at: Moment;
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
  books_completed: number;
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
  starts_at: Moment;
  expires_at: Moment;
  ended_at: Moment | null;
}
interface Invoices {
  school_id: number;
  id: Id;
  number: string;
  issued_at: Moment;
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
  at: Moment;
  actor_user_id: number | null;
  impersonator_user_id: number | null;
  action: string;
  subject_kind: string;
  subject_id: string | null;
  details: JSONColumnType<object>;
}

/** Logins that were just made, sealed with the token of their link. */
interface LoginSheets {
  school_id: number;
  id: Id;
  token_hash: Buffer;
  /** Who made them, and alone may fetch them. */
  user_id: number;
  sealed: Buffer;
  created_at: Moment;
  expires_at: Moment;
}
interface PasswordResets {
  school_id: number;
  id: string;
  user_id: number;
  pupil_ids: number[];
  status: 'none' | 'loading' | 'complete';
  /** The link's token, once the new logins are there. */
  sheet_token: string | null;
  created_at: Moment;
  expires_at: Moment;
}

/** Which weekly digests were sent; `week` is the Monday of the week told of. */
interface DigestsSent {
  school_id: number;
  user_id: number;
  week: Day;
  sent_at: Moment;
}
/** Links that end the weekly digest of one person. */
interface DigestLinks {
  token_hash: Buffer;
  school_id: number;
  user_id: number;
  created_at: Moment;
}

/** The catalogue: the same for all schools. */
interface CatalogueTables {
  collections: Collections;
  books: Books;
  book_pages: BookPages;
  tags: Tags;
  book_tags: BookTags;
  packages: Packages;
  catalogue_state: CatalogueState;
}

/** Every table. Row-level security decides which rows of it a connection sees. */
export interface Tables extends CatalogueTables {
  schools: Schools;
  users: Users;
  own_readers: OwnReaders;
  sessions: Sessions;
  one_time_links: OneTimeLinks;
  operators: Operators;
  pupil_logins: PupilLogins;
  invite_links: InviteLinks;
  idempotency_keys: IdempotencyKeys;
  rate_limits: RateLimits;
  outbox: Outbox;
  staff: Staff;
  contacts: Contacts;
  invites: Invites;
  classes: Classes;
  pupils: Pupils;
  class_books: ClassBooks;
  pupil_books: PupilBooks;
  reading_sessions: ReadingSessions;
  reading_days: ReadingDays;
  subscriptions: Subscriptions;
  invoices: Invoices;
  audit_log: AuditLog;
  login_sheets: LoginSheets;
  password_resets: PasswordResets;
  digests_sent: DigestsSent;
  digest_links: DigestLinks;
}
