// Generated from the migrated database: `npm run tables -- --write`. Do not edit.
// The descriptions are the comments in the migrations.
import type { JSONColumnType } from 'kysely';
import type { InvoiceContent } from '#contract/calls/hosted-invoices.ts';
import type {
  Day,
  DeletedClassRecord,
  Generated,
  MailAttachment,
  MailLink,
  NextPeriod,
  RunCounts,
  RunRowContent,
  SchoolRecordsCheckResult,
  SourceSelection,
  StagedSchoolRecords,
  Timestamp,
} from '../column-types.ts';

export interface Tables {
  /** The request to appoint an admin, because all admins have left: at most one for each school. */
  admin_requests: {
    school_id: number;
    id: Generated<number>;
    requested_by: number;
    new_admin_id: number;
    /** All admins of the school, in ascending order. */
    former_admin_ids: number[];
    /** What the person who asked wrote to support. */
    note: string | null;
    requested_at: Timestamp;
    /** The operator who checked that the admins have left, and how. */
    checked_by: number | null;
    checked_at: Timestamp | null;
    check_note: string | null;
    /** The operator who confirmed the check. */
    confirmed_by: number | null;
    /** When it takes effect. */
    due_at: Timestamp | null;
  };
  /** Schools whose audit log does not match its signature. */
  audit_alarms: {
    school_id: number;
    breach: string;
    raised_at: Timestamp;
    mailed_on: Day | null;
  };
  /** The signed head of a school's chain over its audit log: the last entry that was pruned (0 at the start), the latest, and the entries whose details were erased. */
  audit_chains: {
    school_id: number;
    begun_at: Timestamp;
    first_number: number;
    first_digest: Buffer;
    last_number: number;
    last_digest: Buffer;
    erased: number;
    erased_digest: Buffer;
    signature: Buffer;
  };
  /** What people did in a school, with IDs of pupils and without their names; protected by audit-functions.ts. */
  audit_log: {
    school_id: number;
    id: Generated<number>;
    at: Timestamp;
    actor_user_id: number | null;
    impersonator_user_id: number | null;
    /** The program that did it, for which the actor answers. */
    program_id: number | null;
    action: string;
    subject_kind: string;
    subject_id: string | null;
    details: Generated<JSONColumnType<object>>;
  };
  /** Entries of audit logs that wait to be sealed. */
  audit_pending: {
    id: Generated<number>;
    school_id: number;
    entry_id: number;
  };
  /** The place of each entry of the audit log in its chain, and the digests that show a change. */
  audit_seals: {
    school_id: number;
    number: number;
    entry_id: number;
    sealed_at: Timestamp;
    /** The key of the digest of the entry's details; null once they were erased. */
    salt: Buffer | null;
    details_digest: Buffer;
    digest: Buffer;
    /** The digest of the erasure that emptied the entry's details. */
    receipt: Buffer | null;
  };
  /** The reminders of invoices and of ending subscriptions that were sent. */
  billing_notices: {
    school_id: number;
    subject: string;
    stage: string;
    sent_at: Timestamp;
  };
  /** That a pupil completed a book on a day, in the school's time zone, once or more often; updated with the sessions. */
  book_completions: {
    school_id: number;
    pupil_id: number;
    day: Day;
    book_id: number;
    /** The book's level on that day. */
    reading_level: number;
  };
  /** The text of each page of a book. */
  book_pages: {
    book_id: number;
    page: number;
    text: string;
    /** Its words in order, as wordsOf finds them when the book enters the catalogue. */
    words: string[];
  };
  /** Which subjects a book has. */
  book_tags: {
    book_id: number;
    tag_id: number;
  };
  /** The books that pupils read. The catalogue is loaded from files and shared by all schools. */
  books: {
    id: number;
    title: string;
    /** The title without accents in lower case, for searching and sorting. */
    title_key: string;
    description: string;
    collection_key: string;
    /** The order of books on all screens: by collection, level and title. */
    library_position: number;
    reading_level: number;
    pages_count: number;
    /** Changes with the cover; null without one. */
    cover_version: string | null;
    /** Changes with the preview; null without one. */
    preview_version: string | null;
    /** When the book was withdrawn; pupils have read it. */
    withdrawn_at: Timestamp | null;
  };
  /** One row: the hash of the catalogue that was loaded last. */
  catalogue_state: {
    only_row: Generated<boolean>;
    content_hash: string;
  };
  /** The books assigned to all pupils of a class. */
  class_books: {
    school_id: number;
    class_id: number;
    book_id: number;
    assigned_by: number | null;
    assigned_at: Timestamp;
  };
  /** The further teachers of a class, besides the first. */
  class_teachers: {
    school_id: number;
    class_id: number;
    user_id: number;
    added_at: Timestamp;
  };
  /** The classes of a school. */
  classes: {
    school_id: number;
    id: Generated<number>;
    name: string;
    name_key: string;
    /** The first teacher. A class without one has no further teachers. */
    manager_id: number | null;
    created_at: Timestamp;
  };
  /** The series of books in the library, in the order of the screens. */
  collections: {
    key: string;
    title: string;
    position: number;
    /** The books in the library, so that a page need not count a catalogue of 50,000. */
    books_count: Generated<number>;
  };
  /** Whom the company writes to about the account or about invoices. */
  contacts: {
    school_id: number;
    id: Generated<number>;
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
  };
  /** Who teaches a class until a time, besides its teachers. */
  covers: {
    school_id: number;
    id: Generated<number>;
    class_id: number;
    user_id: number;
    given_by: number;
    started_at: Timestamp;
    ends_at: Timestamp;
  };
  /** Credit notes: at most one for each invoice. */
  credit_notes: {
    school_id: number;
    id: Generated<number>;
    invoice_id: number;
    number: string;
    issued_at: Timestamp;
    reason: string;
  };
  /** Who looked at which pupils: one row for each person, thing and day. */
  daily_views: {
    school_id: number;
    about: 'pupil' | 'class' | 'list';
    /** The pupil or class; 0 for any other list. */
    about_id: number;
    day: Day;
    /** With a program, the admin who answers for it. */
    user_id: number;
    is_support: boolean;
    /** The program that received the data; 0 for a person. */
    program_id: Generated<number>;
    what: 'page' | 'notes' | 'file' | 'change';
    screen: string;
    /** The pupils whose data was shown, so that each of them finds the row. */
    pupil_ids: number[];
    count: number;
    first_at: Timestamp;
    last_at: Timestamp;
  };
  /** One row: how far the database has come, which is lower in one that was restored. */
  database_generation: {
    id: Generated<boolean>;
    generation: number;
    changed_at: Timestamp | null;
    /** Unsent mails up to this ID wait for an operator, because they may have been sent before a restore. */
    held_mails_to: number | null;
  };
  /** Days within the half-terms without school, such as INSET days, whichever half-terms the school has. */
  days_off: {
    school_id: number;
    day: Day;
  };
  /** The pupils who return to a deleted class if it is restored. */
  deleted_class_pupils: {
    school_id: number;
    class_id: number;
    pupil_id: number;
  };
  /** The teachers who return to a deleted class if it is restored. */
  deleted_class_teachers: {
    school_id: number;
    class_id: number;
    user_id: number;
    /** Null for the first teacher. */
    added_at: Timestamp | null;
  };
  /** Classes that can be restored for 30 days, under the ID that they had. */
  deleted_classes: {
    school_id: number;
    id: number;
    name: string;
    created_at: Timestamp;
    deleted_at: Timestamp;
    deleted_by: number;
    /** Its books, and its links to the school’s records. */
    record: JSONColumnType<DeletedClassRecord>;
  };
  /** The browsers and programs from which a user has logged in. */
  devices: {
    user_id: number;
    /** Of the cookie by which the browser is recognised. */
    token_hash: Buffer;
    /** A keyed digest of the network of a program's last login; null for a browser. */
    network_hash: Buffer | null;
    last_used_at: Timestamp;
  };
  /** Links that end the weekly digest of one person. */
  digest_links: {
    token_hash: Buffer;
    school_id: number;
    user_id: number;
    created_at: Timestamp;
  };
  /** Which weekly digests were sent; `week` is the Monday of the reported week. */
  digests_sent: {
    school_id: number;
    user_id: number;
    week: Day;
    sent_at: Timestamp;
  };
  /** The last number of each kind; its row is locked while a document is issued, so that there are no gaps. */
  document_numbers: {
    kind: 'invoice' | 'credit_note';
    last: number;
  };
  /** Changes of email address that wait for their confirmation: at most one for each account. */
  email_changes: {
    user_id: number;
    email: string;
    requested_at: Timestamp;
    expires_at: Timestamp;
    /** When the holder of the old address agreed, so that the change need not wait. */
    agreed_at: Timestamp | null;
    confirmed_at: Timestamp | null;
  };
  /** Receipts of erased pupils, former members of staff and the school, without names. */
  erasures: {
    school_id: number;
    id: Generated<number>;
    kind: 'pupil' | 'staff' | 'school';
    /** Keyed: erasure.queries.ts. */
    digest: Buffer;
    /** Rows by table. */
    counts: JSONColumnType<Record<string, number>>;
    erased_at: Timestamp;
    erased_by: number | null;
    backups_expire_on: Day | null;
  };
  /** Requests of operators to remove the second factors of a school’s only admin: at most one for each account. */
  factor_recoveries: {
    user_id: number;
    requested_by: number;
    identity_check: 'in_person' | 'video_call' | 'phone_call';
    requested_at: Timestamp;
    confirmed_by: number | null;
    due_at: Timestamp | null;
  };
  /** Replies to requests with an `Idempotency-Key`, which a repeated request gets again. */
  idempotency_keys: {
    actor: string;
    key_hash: Buffer;
    school_id: number | null;
    request_hash: Buffer;
    /** The reply, sealed with the key that the client holds. */
    sealed_reply: Buffer | null;
    created_at: Timestamp;
  };
  /** What columns of spreadsheets mean, by their normalised headers, as staff chose it. */
  import_columns: {
    school_id: number;
    header_key: string;
    role: 'name' | 'first_name' | 'last_name' | 'class' | 'year_group' | 'birth_date' | 'upn' | 'tag' | 'ignored';
    tag_id: number | null;
    chosen_at: Timestamp;
  };
  /** The links of invitations, of which only hashes are stored. The school is not known when one is opened. */
  invite_links: {
    invite_id: string;
    school_id: number;
    token_hash: Buffer | null;
    /** Of the link that the inviter is shown; it does not prove the address. */
    copied_hash: Buffer | null;
    issue: Generated<number>;
    issued_at: Timestamp;
    /** In hexadecimal: of the latest links that were replaced when the invitation was sent again. */
    former_hashes: Generated<string[]>;
  };
  /** Invitations to join the staff of a school. An accepted one names the account instead of the address. */
  invites: {
    school_id: number;
    id: string;
    email: string;
    email_key: string;
    name: string;
    role: 'admin' | 'teacher' | 'reading_lead' | 'teaching_assistant' | 'business_manager' | 'data_protection_officer';
    class_ids: Generated<number[]>;
    status: 'pending' | 'accepted' | 'expired' | 'declined';
    invited_by: number | null;
    user_id: number | null;
    created_at: Timestamp;
    expires_at: Timestamp;
  };
  /** Maps an invoice's public token or its number to its school. */
  invoice_links: {
    token: string;
    number: string;
    school_id: number;
  };
  /** Issued invoices. Only the status and its times change. */
  invoices: {
    school_id: number;
    id: Generated<number>;
    number: string;
    /** What makes the invoice's public URLs unguessable. */
    token: string;
    subscription_id: number;
    status: 'open' | 'paid' | 'uncollectible' | 'credited';
    issued_at: Timestamp;
    due_date: Day;
    /** The first day on which the school is locked while the invoice is unpaid. */
    locks_on: Day;
    paid_at: Timestamp | null;
    /** When it was written off or credited. */
    closed_at: Timestamp | null;
    currency: Generated<string>;
    subtotal_pence: number;
    vat_pence: number;
    total_pence: number;
    po_number: string | null;
    /** The content of the invoice when it was issued. */
    content: JSONColumnType<InvoiceContent>;
  };
  /** Accounts at Microsoft, Google and other sign-in providers that users have linked, by issuer and subject. */
  linked_accounts: {
    id: Generated<number>;
    user_id: number;
    provider: string;
    issuer: string;
    subject: string;
    /** The tenant or domain of the organisation; null for a provider with one organisation. */
    tenant: string | null;
    created_at: Timestamp;
    last_used_at: Timestamp | null;
  };
  /** The logins of a school’s staff and pupils, for a copy of everything about a person. */
  login_events: {
    school_id: number;
    id: Generated<number>;
    user_id: number | null;
    pupil_id: number | null;
    at: Timestamp;
    method: string;
    browser: string | null;
    system: string | null;
  };
  /** Second factors of accounts: authenticator apps and passkeys. */
  login_factors: {
    id: Generated<number>;
    user_id: number;
    kind: 'authenticator' | 'passkey';
    name: string;
    created_at: Timestamp;
    confirmed_at: Timestamp | null;
    last_used_at: Timestamp | null;
    sealed_secret: Buffer | null;
    last_step: number | null;
    credential_id: string | null;
    public_key: Buffer | null;
    sign_count: number | null;
  };
  /** New logins, sealed with the token of their link. */
  login_sheets: {
    school_id: number;
    id: Generated<number>;
    token_hash: Buffer;
    /** The user who created them, the only one who may download them. */
    user_id: number;
    sealed: Buffer;
    created_at: Timestamp;
    expires_at: Timestamp;
  };
  /** Logins that have begun and wait for the next step. */
  login_steps: {
    token_hash: Buffer;
    kind: 'second_factor' | 'enrolment' | 'passkey_login' | 'passkey_registration' | 'used_sign_in';
    user_id: number | null;
    /** The account at a provider with which the login began, and with which it ends. */
    linked_account_id: number | null;
    /** The school that the login enters. */
    school_id: number | null;
    expires_at: Timestamp;
  };
  /** Numbers of documents that were issued after the moment to which the database was restored. */
  missing_document_numbers: {
    kind: 'invoice' | 'credit_note';
    first: number;
    last: number;
    found_at: Generated<Timestamp>;
  };
  /** What staff did about a reason why a pupil needs help. */
  need_responses: {
    school_id: number;
    pupil_id: number;
    id: Generated<number>;
    need: 'nothing_assigned' | 'not_read' | 'low_accuracy' | 'falling' | 'same_words' | 'unfinished';
    response: 'done' | 'snoozed';
    remark: string | null;
    /** The sentence that explained the need at that time. */
    reason: string;
    responded_by: number;
    responded_at: Timestamp;
    until: Timestamp;
  };
  /** The thresholds of the list of reading needs; a school without a row has the defaults. */
  need_thresholds: {
    school_id: number;
    days_without_reading: number;
    accuracy_below: number;
    falling_by: number;
    same_word_in: number;
    book_begun: number;
  };
  /** A link or code that works once; `reason` is why an operator created it. */
  one_time_links: {
    token_hash: Buffer;
    kind:
      | 'password_reset'
      | 'set_up'
      | 'impersonation'
      | 'email_confirmation'
      | 'email_change'
      | 'end_session'
      | 'supply_code';
    user_id: number;
    school_id: number | null;
    email: string | null;
    /** The public ID of the session that the link ends. */
    session_id: string | null;
    operator_id: number | null;
    /** The operator's own session, which made the code of an impersonation; without it the code is not valid. */
    operator_session_hash: Buffer | null;
    reason: string | null;
    created_at: Timestamp;
    expires_at: Timestamp;
    used_at: Timestamp | null;
  };
  /** The company's own people. */
  operators: {
    user_id: number;
    added_at: Timestamp;
  };
  /** Mails that wait to be sent, and what became of the others. */
  outbox: {
    id: Generated<number>;
    kind: string;
    recipient: string;
    /** Null once the mail is delivered, like its texts. */
    subject: string | null;
    html: string | null;
    text: string | null;
    headers: JSONColumnType<Record<string, string>> | null;
    attachments: JSONColumnType<MailAttachment[]> | null;
    /** The one-time link, created when the mail is delivered. */
    link: JSONColumnType<MailLink> | null;
    /** Erasure finds mails by this and the next two columns. Called `school_id`, row-level security would apply to it. */
    from_school_id: number | null;
    user_ids: Generated<number[]>;
    pupil_ids: Generated<number[]>;
    /** The account that has to confirm its address before the mail is sent. */
    held_for: number | null;
    created_at: Timestamp;
    /** Until then only one process may send it. */
    sending_until: Timestamp | null;
    /** When the mail server accepted it. */
    sent_at: Timestamp | null;
    /** Of its Message-ID, by which a bounce names it, and of the token of its link. */
    message_key: Generated<string>;
    /** The hash of its link's token, by which its state becomes opened. */
    link_hash: Buffer | null;
    /** What it is about, such as an invoice, so that its state can be shown there. */
    about: string | null;
    delivery: Generated<'queued' | 'sent' | 'rejected' | 'bounced' | 'opened'>;
    delivery_at: Timestamp | null;
    /** The mail server's status, such as 5.1.1, and its words. */
    fault_code: string | null;
    fault: string | null;
    /** The address does not exist. Two such mails, and nothing more is sent to it. */
    counts_against_address: Generated<boolean>;
  };
  /** The profiles of a private account, which it loses when it joins a school. */
  own_readers: {
    id: Generated<number>;
    user_id: number;
    name: string;
    type: string;
  };
  /** The packages that schools can buy. */
  packages: {
    id: number;
    title: string;
    description: string;
    price_pence: number;
    is_trial: boolean;
    is_offered: Generated<boolean>;
    max_readers: number;
    position: number;
  };
  /** Resets of pupils’ passwords, which a job carries out. Its result waits a day for its creator. */
  password_resets: {
    school_id: number;
    id: string;
    user_id: number;
    pupil_ids: number[];
    status: 'none' | 'loading' | 'complete';
    created_at: Timestamp;
    expires_at: Timestamp;
    /** The ID that the creator has, until the new logins are ready; the row's ID is its hash. */
    pending_secret: string | null;
  };
  /** Payments that schools reported before the operator saw them: at most one for each invoice and day. */
  payment_reports: {
    school_id: number;
    invoice_id: number;
    reported_on: Day;
    reported_at: Timestamp;
    reported_by: number;
    reference: string;
  };
  /** The tokens of programs, of which only hashes are stored. The school is not known when one is used. */
  program_tokens: {
    token_hash: Buffer;
    school_id: number;
    program_id: number;
  };
  /** Programs that use the school’s data, each with a token. A row outlives its token, because Changes and Who looked name it. */
  programs: {
    school_id: number;
    id: Generated<number>;
    name: string;
    /** What it can do: `contract/src/programs.ts`. */
    scopes: string[];
    /** The classes to which it is limited; null for the whole school. */
    class_ids: number[] | null;
    made_by: number;
    made_at: Timestamp;
    /** The admin who answers for it. */
    responsible_id: number;
    /** When it ends because that person is no longer an admin, unless another one confirms it. */
    confirm_by: Timestamp | null;
    /** When the admins got the email about that. */
    confirm_sent_at: Timestamp | null;
    /** When the admins were reminded of its end. */
    reminded_at: Timestamp | null;
    expires_at: Timestamp;
    last_used_at: Timestamp | null;
    /** A keyed digest of the network of the last use. */
    network_hash: Buffer | null;
    /** When it was used from another network than the time before. */
    other_network_at: Timestamp | null;
    ended_at: Timestamp | null;
    ended_because: 'revoked' | 'expired' | 'not_confirmed' | 'school_closed' | null;
  };
  /** Pupils whom a teaching assistant helps, besides those of the classes that they help in. */
  pupil_assistants: {
    school_id: number;
    pupil_id: number;
    user_id: number;
    added_at: Timestamp;
  };
  /** The books assigned to single pupils. */
  pupil_books: {
    school_id: number;
    pupil_id: number;
    book_id: number;
    assigned_by: number | null;
    assigned_at: Timestamp;
  };
  /** Which pupil has a username. The school is not known when a pupil logs in. */
  pupil_logins: {
    username: string;
    school_id: number;
    pupil_id: number;
  };
  /** Notes that staff write about a pupil for each other. */
  pupil_notes: {
    school_id: number;
    id: Generated<number>;
    pupil_id: number;
    text: string;
    written_by: number;
    written_at: Timestamp;
  };
  /** Which pupils have a tag. */
  pupil_tag_members: {
    school_id: number;
    pupil_id: number;
    tag_id: number;
  };
  /** Tags of pupils. A sensitive tag exists only while it is turned on, with its purpose. */
  pupil_tags: {
    school_id: number;
    id: Generated<number>;
    name: string;
    /** The name without accents in lower case. */
    name_key: string;
    kind: 'own' | 'pupil_premium' | 'send';
    /** What the school uses a sensitive tag for. */
    purpose: string | null;
  };
  /** The pupils of a school. A deleted pupil is archived before the erasure. */
  pupils: {
    school_id: number;
    id: Generated<number>;
    name: string;
    /** The name without accents in lower case, for searching and sorting. */
    name_key: string;
    username: string;
    password_hash: string;
    class_id: number | null;
    /** Keyed digests of the UPN and the date of birth, by which a later import recognises the pupil. */
    upn_digest: Buffer | null;
    birth_digest: Buffer | null;
    created_at: Timestamp;
    last_read_at: Timestamp | null;
    /** When the pupil was archived, and so left every list, class and figure; erased 30 days later. */
    archived_at: Timestamp | null;
    archived_by: number | null;
    /** The class that the pupil returns to, if it still exists. */
    archived_from: number | null;
    /** The DfE's code, and the 1 September since which it is true. */
    year_group:
      | 'E1'
      | 'E2'
      | 'N1'
      | 'N2'
      | 'R'
      | '1'
      | '2'
      | '3'
      | '4'
      | '5'
      | '6'
      | '7'
      | '8'
      | '9'
      | '10'
      | '11'
      | '12'
      | '13'
      | '14'
      | 'P1'
      | 'P2'
      | 'P3'
      | 'P4'
      | 'P5'
      | 'P6'
      | 'P7'
      | 'M'
      | 'X'
      | null;
    year_group_since: Day | null;
  };
  /** Counters of attempts, which need not survive a crash of the database. */
  rate_limits: {
    key: string;
    window_ends_at: Timestamp;
    tries: number;
  };
  /** A pupil's totals for a day and level, in the school's time zone; updated with the sessions in one transaction. */
  reading_days: {
    school_id: number;
    pupil_id: number;
    day: Day;
    reading_level: number;
    reading_time: number;
    words_attempted: number;
    words_correct: number;
  };
  /** The book band of each reading level, and the ages of pupils for whom its books are meant, in whole years at 1 September. */
  reading_levels: {
    level: number;
    book_band: string;
    from_age: number | null;
    to_age: number | null;
  };
  /** Each time a pupil read a book, as the reading app reported it. */
  reading_sessions: {
    school_id: number;
    /** Chosen by the reading app, so that a session that is sent twice is stored once. */
    id: string;
    pupil_id: number;
    book_id: number;
    /** The level on the day it was read: past figures stay when the level of a book changes. */
    reading_level: number;
    started_at: Timestamp;
    received_at: Timestamp;
    /** Active seconds. */
    reading_time: number;
    last_page: number;
    words_attempted: number;
    words_correct: number;
    has_completed_book: boolean;
    /** Whether the app sent each word with its outcome: the counts are in word_days. */
    has_words: Generated<boolean>;
    heatmap: number[];
    played_words: string[];
    skipped_words: string[];
    /** How the time of the start came about: null for the tablet's own. */
    clock: 'corrected' | 'arrival' | null;
  };
  /** Codes that replace a second factor, each once. */
  recovery_codes: {
    user_id: number;
    digest: Buffer;
    /** The key of the digest, which cannot be computed again with another key. */
    key_fingerprint: string;
  };
  /** The periods that schools choose for their data, and until when it was removed. */
  retention_periods: {
    school_id: number;
    table_name: string;
    /** A shorter period than that of the registry; null after a return to it. */
    days: number | null;
    /** Rows before it were removed. */
    removed_before: Timestamp | null;
  };
  /** How many rows of a school the nightly job removed. */
  retention_removals: {
    school_id: number;
    day: Day;
    table_name: string;
    removed: number;
  };
  /** How many rows the nightly job removed, and where it failed. */
  retention_runs: {
    day: Day;
    table_name: string;
    removed: Generated<number>;
    has_failed: Generated<boolean>;
  };
  /** The pupils of a planned run, and what an applied run changed. */
  run_rows: {
    school_id: number;
    run_id: number;
    position: number;
    pupil_id: number | null;
    class_id: number | null;
    content: JSONColumnType<RunRowContent>;
    created_at: Timestamp;
  };
  /** What changes many pupils at once: a file or check of school records, a list of pupils, a year end. */
  runs: {
    school_id: number;
    id: Generated<number>;
    kind: 'oneroster' | 'ctf' | 'atf' | 'list' | 'year_end';
    source_id: number | null;
    origin: 'file' | 'check' | 'nightly' | null;
    /** The name of a list's file. */
    title: string | null;
    state: 'planned' | 'applied' | 'discarded' | 'undone';
    created_at: Timestamp;
    created_by: number | null;
    closed_at: Timestamp | null;
    closed_by: number | null;
    /** What a file of school records contains besides pupils, while the run is planned. */
    records: JSONColumnType<StagedSchoolRecords> | null;
    /** A digest of what the plan would change: the nightly check does not plan the same again. */
    plan_digest: string | null;
    counts: JSONColumnType<RunCounts> | null;
  };
  /** The request to close a school; with `closed_at` it is closed. */
  school_closings: {
    school_id: number;
    requested_by: number | null;
    requested_at: Timestamp;
    takes_effect_at: Timestamp;
    confirmed_by: number | null;
    closed_at: Timestamp | null;
    /** When a closed school is erased. */
    erase_at: Timestamp | null;
    /** The rows that its erasure deletes, by table; set when the erasure begins. */
    erased_counts: JSONColumnType<Record<string, number>> | null;
  };
  /** The sums of `reading_days` over the school's pupils. */
  school_reading_days: {
    school_id: number;
    day: Day;
    reading_level: number;
    reading_time: number;
    words_attempted: number;
    words_correct: number;
  };
  /** Which classes a source of school records names, and how. */
  school_records_classes: {
    school_id: number;
    source_id: number;
    external_id: string;
    class_id: number;
    name: string;
  };
  /** The address of a school's OneRoster server, and what the nightly check does. */
  school_records_connections: {
    school_id: number;
    url: string;
    token_url: string;
    client_id: string;
    /** Sealed with the key of the installation. */
    secret: Buffer;
    /** The school that an admin has chosen, of several. */
    school: JSONColumnType<SourceSelection> | null;
    /** The classes that an admin has chosen; empty for all. */
    classes: JSONColumnType<SourceSelection[]>;
    school_years: JSONColumnType<number[]>;
    is_automatic: boolean;
    is_paused: boolean;
    created_at: Timestamp;
    checked_at: Timestamp | null;
    result: JSONColumnType<SchoolRecordsCheckResult> | null;
    is_failure_mailed: boolean;
    /** The check that runs now, which stores its result only if this is still its own ID. */
    claim_id: string | null;
    claimed_until: Timestamp | null;
  };
  /** Which pupils a source of school records keeps up to date. `name` and `class_id`: as it last wrote them. */
  school_records_pupils: {
    school_id: number;
    source_id: number;
    /** The pupil's ID in the source. */
    external_id: string;
    pupil_id: number;
    name: string;
    class_id: number | null;
    year_group:
      | 'E1'
      | 'E2'
      | 'N1'
      | 'N2'
      | 'R'
      | '1'
      | '2'
      | '3'
      | '4'
      | '5'
      | '6'
      | '7'
      | '8'
      | '9'
      | '10'
      | '11'
      | '12'
      | '13'
      | '14'
      | 'P1'
      | 'P2'
      | 'P3'
      | 'P4'
      | 'P5'
      | 'P6'
      | 'P7'
      | 'M'
      | 'X'
      | null;
    upn_digest: Buffer | null;
    birth_digest: Buffer | null;
    has_left: boolean;
  };
  /** Where school records come from. */
  school_records_sources: {
    school_id: number;
    id: Generated<number>;
    kind: 'oneroster' | 'ctf';
    created_at: Timestamp;
    /** The school that was chosen last from a file with pupils of several. */
    school: JSONColumnType<SourceSelection> | null;
  };
  /** Which staff a source of school records has named. */
  school_records_staff: {
    school_id: number;
    source_id: number;
    user_id: number;
    /** When records that named them were last applied. */
    seen_at: Timestamp;
    /** When an admin decided that they stay, although the records no longer name them. */
    kept_at: Timestamp | null;
  };
  /** The schools that use the portal. */
  schools: {
    id: Generated<number>;
    name: string;
    urn: string | null;
    time_zone: Generated<string>;
    terms_accepted_at: Timestamp | null;
    recording_enabled: Generated<boolean>;
    can_enable_recordings: Generated<boolean>;
    /** An operator has switched on the feature of this name. */
    new_statistics: Generated<boolean>;
    /** The school lets imports store keyed digests of UPNs and dates of birth. */
    keeps_import_digests: Generated<boolean>;
    /** Null outside the United Kingdom. Guessed from the postcode of the primary contact, unless an admin chose it. */
    nation: 'england' | 'scotland' | 'wales' | 'northern_ireland' | null;
    nation_chosen: Generated<boolean>;
    /** The school's own hours of a school day, HH:MM in its time zone; null while it has the usual ones. */
    hours_from: string | null;
    hours_to: string | null;
    /** How emails that are sent unasked name pupils. */
    names_in_emails: Generated<'initial' | 'none' | 'full'>;
    /** From that day the admins need a second factor; null while it is optional. Staff log in through the school's providers only, except admins. */
    is_provider_only: Generated<boolean>;
    admins_factor_from: Day | null;
    teachers_factor_from: Day | null;
    /** The last use of the school by its only admin, who has been away for 60 days and has had an email about it. */
    admin_away_since: Timestamp | null;
    created_at: Timestamp;
  };
  /** The keys with which the portal has run, without the keys themselves. */
  secret_keys: {
    id: Generated<number>;
    fingerprint: string;
    first_used_at: Timestamp;
    retired_at: Timestamp | null;
  };
  /** Logins that have not ended, of users and of pupils. */
  sessions: {
    token_hash: Buffer;
    user_id: number | null;
    pupil_id: number | null;
    school_id: number | null;
    impersonator_id: number | null;
    /** The operator's own session, without which a support session is not valid. */
    operator_session_hash: Buffer | null;
    /** The account at a provider with which the session began, and with which it ends. */
    linked_account_id: number | null;
    browser: string | null;
    system: string | null;
    device_hash: Buffer | null;
    /** When the user last proved a second factor. */
    proved_at: Timestamp | null;
    /** The sign-in provider asked for a second factor. */
    has_provider_factor: Generated<boolean>;
    created_at: Timestamp;
    last_used_at: Timestamp;
    expires_at: Timestamp;
  };
  /** The sign-in providers that a school uses, each with its tenant or domain. */
  sign_in_connections: {
    school_id: number;
    provider: string;
    tenant: string | null;
    counts_second_factor: boolean;
    created_at: Timestamp;
  };
  /** The members of a school’s staff, current and former. The account is in `users`. */
  staff: {
    school_id: number;
    user_id: number;
    role:
      | 'admin'
      | 'teacher'
      | 'reading_lead'
      | 'teaching_assistant'
      | 'business_manager'
      | 'data_protection_officer'
      | 'supply_teacher'
      | null;
    joined_at: Timestamp;
    /** When a former member left; null for the current staff, who have a role. */
    until: Timestamp | null;
    digest_optin_at: Timestamp | null;
  };
  /** Paid checkout sessions of the payment provider, each handled once, whatever number of events report it. */
  stripe_events: {
    id: string;
    received_at: Timestamp;
  };
  /** Recorded before the file is sent. */
  subject_request_downloads: {
    school_id: number;
    id: Generated<number>;
    request_id: number;
    downloaded_by: number | null;
    downloaded_at: Timestamp;
  };
  /** Parts of the files, each sealed with the key of the installation. */
  subject_request_parts: {
    school_id: number;
    request_id: number;
    version: string;
    part: number;
    sealed: Buffer;
    expires_at: Timestamp;
  };
  /** What happened in a request, in order; its clock follows from them. */
  subject_request_steps: {
    school_id: number;
    request_id: number;
    id: Generated<number>;
    step:
      | 'identity_asked'
      | 'identity_confirmed'
      | 'clarification_asked'
      | 'clarification_answered'
      | 'extended'
      | 'acknowledged'
      | 'progress_told';
    happened_on: Day;
    note: string | null;
    recorded_by: number | null;
    recorded_at: Timestamp;
  };
  /** Whether a text by staff is included in the file, and which passages are blacked out; a text without a row is undecided. */
  subject_request_texts: {
    school_id: number;
    request_id: number;
    table_name: string;
    row_id: number;
    is_included: boolean;
    /** Positions in the text, two for each passage. */
    blacked_out: Generated<number[]>;
    decided_by: number | null;
    decided_at: Timestamp;
  };
  /** Requests and complaints about the data of a pupil or a member of staff; the person’s number stays after an erasure. */
  subject_requests: {
    school_id: number;
    id: Generated<number>;
    kind: 'access' | 'educational_record' | 'rectification' | 'erasure' | 'objection' | 'complaint';
    pupil_id: number | null;
    user_id: number | null;
    details: string | null;
    /** Null once the person is erased, like the details, the check of identity and the note. */
    requester_name: string | null;
    requester_relation: 'parent' | 'subject' | 'other';
    identity_check: string | null;
    maturity: 'pupil_decides' | 'adult_decides' | null;
    received_on: Day;
    /** Null while the clock does not run. Sorts the list; what is shown is calculated from the steps. */
    due_on: Day | null;
    opened_by: number | null;
    opened_at: Timestamp;
    file_state: Generated<'none' | 'making' | 'failed' | 'ready'>;
    /** The parts of the current file, or of the one that is being made. */
    file_version: string | null;
    file_size: number | null;
    file_made_at: Timestamp | null;
    file_expires_at: Timestamp | null;
    closed_at: Timestamp | null;
    closed_by: number | null;
    outcome: 'released' | 'not_released' | 'erased' | null;
    outcome_note: string | null;
  };
  /** What a school has bought, or tries. At most one is current. */
  subscriptions: {
    school_id: number;
    id: Generated<number>;
    package_id: number | null;
    /** The name of the package when it was bought. */
    title: string;
    is_trial: boolean;
    max_readers: number;
    payment_provider: string | null;
    payment_amount_pence: number;
    /** Without VAT. Later purchases are compared with it. */
    price_per_year_pence: number;
    /** The start of its current period; its anniversaries are those of the subscription years. */
    starts_at: Timestamp;
    /** When it ends: the last second of its last day, or the moment at which it was reverted. */
    expires_at: Timestamp;
    /** When its purchase was reverted, because its invoice is uncollectible or was credited; null while it counts. */
    reverted_at: Timestamp | null;
    /** When another subscription replaced it; null for the current one. Computed from the others. */
    ended_at: Timestamp | null;
    /** The subscription that it replaced, which is current again if this one is reverted. */
    replaces_id: number | null;
    /** The period that an extension adds after the current one; null without an extension. */
    next_period: JSONColumnType<NextPeriod> | null;
  };
  /** Until when an admin lets support see data about children; a school without a row does not. */
  support_permissions: {
    school_id: number;
    allowed_by: number;
    expires_at: Timestamp;
  };
  /** The tablets that send reading with an ID of their own, at most 1,000 a school. */
  tablets: {
    school_id: number;
    /** Made by the reading app, once per tablet. */
    device_id: string;
    last_seen_at: Timestamp;
    /** Seconds by which the clock was ahead at the last contact; negative if it was behind. */
    clock_difference: number;
    /** Since when the clock has been wrong; null for one that is right. */
    wrong_since: Timestamp | null;
    /** The class of the pupil whose reading it sent last. A deleted class is no longer shown. */
    class_id: number | null;
  };
  /** The subjects of books. */
  tags: {
    id: Generated<number>;
    text: string;
  };
  /** A school's own first and last days of its half-terms, six an academic year; a year without rows has the defaults. */
  term_dates: {
    school_id: number;
    /** The year in which it starts, on 1 September. */
    academic_year: number;
    /** 1 to 6, in the order of the year. */
    half_term: number;
    first_day: Day;
    last_day: Day;
  };
  /** The versions of documents that the school has accepted. */
  terms_acceptances: {
    school_id: number;
    document: 'licence' | 'terms' | 'privacy';
    version: string;
    user_id: number;
    accepted_at: Timestamp;
  };
  /** Keyed digests of the networks from which pupils of a school log in. */
  trusted_networks: {
    school_id: number;
    network_hash: Buffer;
    last_used_at: Timestamp;
  };
  /** Card payments that settled no invoice, until an operator has dealt with them. */
  unmatched_payments: {
    session_id: string;
    invoice_number: string;
    reason: 'amount_differs' | 'surplus' | 'unknown_invoice';
    /** The ID of the payment in the dashboard of the payment provider. */
    reference: string;
    amount_pence: number;
    currency: string;
    received_at: Timestamp;
    reconciled_at: Timestamp | null;
    reconciled_by: number | null;
  };
  /** The schools on whose staff an account is. */
  user_schools: {
    user_id: number;
    school_id: number;
    /** When the user last joined or switched to the school. A login continues in the school entered last. */
    entered_at: Timestamp;
  };
  /** Accounts of staff and operators. */
  users: {
    id: Generated<number>;
    user_type: 'enterprise' | 'standard';
    /** Empty for a supply teacher. */
    email: string;
    /** The form in which addresses are compared: NFKC, lower case. For a supply teacher a value that is no address. */
    email_key: string;
    /** The address of an account that was registered with the address of another account, which `HIDE_ACCOUNTS` does not reveal. */
    hidden_email_key: string | null;
    /** When the user confirmed the address. */
    email_confirmed_at: Timestamp | null;
    first_name: string;
    last_name: string;
    password_hash: string;
    require_password_reset: Generated<boolean>;
    created_at: Timestamp;
  };
  /** The words that a pupil met on a day in the sessions whose words the app sent; updated with the sessions. */
  word_days: {
    school_id: number;
    pupil_id: number;
    day: Day;
    /** The words in their spelling in the book. The other columns have a number for each, in the same order. */
    words: string[];
    /** Sessions that met the word, and those in which it was hard. */
    met: number[];
    hard: number[];
    /** How often the word was heard in these sessions, and the time taken by all of them together. */
    heard: number[];
    milliseconds: number[];
  };
}
