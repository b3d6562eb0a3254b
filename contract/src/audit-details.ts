/**
 * What a detail of an entry in the audit log is. No kind is a name or an address of a person: a person is stored as an ID
 * and named when the entry is shown.
 *
 * - `number`, `flag`: a count, an amount or an ID of something other than a person; a boolean.
 * - `code`, `codes`: words and numbers that the portal makes, such as `passkey`, `2026-12-31` or `INV-000042`.
 * - `user`, `users`, `pupils`: IDs of people.
 * - `label`, `labels`: the name of a class, tag, package, provider or school. It is about no person.
 * - `labelled`: the settings before or after a change, by name. They are about no person.
 * - `text`: free text, which may be about anyone. The entry stores the IDs of the people whom it names, and is emptied
 *   with the first of them who is erased.
 */
export interface DetailTypes {
  number: number | null;
  flag: boolean;
  code: string | null;
  codes: readonly string[];
  user: number;
  users: readonly number[];
  pupils: readonly number[];
  label: string | null;
  labels: readonly string[];
  labelled: object;
  text: string;
}
type DetailKind = keyof DetailTypes;

const PUPILS = { pupils: 'pupils' } as const;
const PROGRAM = { name: 'label' } as const;
const FILE = { file: 'code' } as const;
const NEED = { need: 'code' } as const;
const IDENTITY_CHECK = { identity_check: 'code' } as const;
const OF_REQUEST = { request: 'number', kind: 'code' } as const;
const BOOKS = { name: 'label', books: 'number', ...PUPILS } as const;
const CLASS_TEACHER = { name: 'label', teacher_id: 'user' } as const;
const BOUGHT = { package: 'label', until: 'code' } as const;
const CARD_PAYMENT = { number: 'code', reference: 'code', amount: 'number' } as const;
const RECORDS = {
  run: 'number',
  joiners: 'number',
  returners: 'number',
  leavers: 'number',
  movers: 'number',
  names: 'number',
  year_groups: 'number',
  classes: 'number',
  invites: 'number',
} as const;
const UNDO = { run: 'number', skipped: 'number' } as const;

/** Every action that the audit log records, with the details of its entries. */
export const AUDIT_DETAILS = {
  account_changed: { fields: 'codes' },
  account_erased: {},
  /** Of the former admins. */
  admin_appointed: { teacher_ids: 'users', classes: 'number' },
  admin_request_checked: { check: 'text' },
  admin_request_confirmed: {},
  admin_request_ended: { reason: 'code' },
  admin_requested: { teacher_ids: 'users' },
  assistant_added: CLASS_TEACHER,
  audit_log_exported: FILE,
  books_assigned: BOOKS,
  books_removed: BOOKS,
  certificates_downloaded: {},
  chart_downloaded: { chart: 'code' },
  charts_downloaded: {},
  class_created: { name: 'label' },
  class_deleted: { name: 'label', pupils: 'number' },
  class_reading_exported: FILE,
  class_renamed: { from: 'label', to: 'label' },
  class_restored: { name: 'label', former: 'label', pupils: 'number' },
  class_words_downloaded: {},
  classes_exported: FILE,
  contact_changed: {},
  cover_card_made: CLASS_TEACHER,
  cover_code_reused: CLASS_TEACHER,
  cover_ended: CLASS_TEACHER,
  cover_started: { ...CLASS_TEACHER, until: 'code' },
  custom_package_given: BOUGHT,
  email_change_requested: {},
  email_change_stopped: {},
  features_changed: { new_statistics: 'flag' },
  impersonation_prepared: { reason: 'text' },
  impersonation_started: { reason: 'text' },
  import_columns_chosen: { columns: 'number' },
  import_digests_turned_off: {},
  import_digests_turned_on: {},
  invite_accepted: { user_id: 'user', classes: 'labels' },
  invite_declined: {},
  invite_deleted: {},
  invite_resent: {},
  invoice_credited: { number: 'code', credit_note: 'code', reason: 'text' },
  invoice_issued: { number: 'code', total: 'number' },
  invoice_paid: { number: 'code', by: 'code', reference: 'text' },
  invoice_uncollectible: { number: 'code', reason: 'text' },
  invoices_exported: FILE,
  logged_in: { factor: 'code' },
  login_connection_changed: { provider: 'label', tenant: 'label', counts_second_factor: 'flag' },
  login_connection_removed: { provider: 'label' },
  login_provider_only_changed: { is_on: 'flag' },
  login_factor_added: {},
  login_factor_failed: {},
  login_factor_policy_changed: { required: 'code', admins_from: 'code', teachers_from: 'code' },
  login_factor_removed: {},
  login_factors_reset: IDENTITY_CHECK,
  login_failed: {},
  login_provider_failed: {},
  login_provider_linked: { provider: 'label' },
  login_provider_unlinked: { provider: 'label' },
  login_recovery_cancelled: {},
  login_recovery_code_used: {},
  login_recovery_codes_renewed: {},
  login_recovery_completed: {},
  login_recovery_confirmed: {},
  login_recovery_requested: IDENTITY_CHECK,
  logins_downloaded: FILE,
  logins_shown: {},
  need_done: NEED,
  need_response_undone: NEED,
  need_snoozed: NEED,
  need_thresholds_changed: { from: 'labelled', to: 'labelled' },
  needs_list_downloaded: {},
  password_reset: {},
  passwords_reset: PUPILS,
  payment_differs: CARD_PAYMENT,
  payment_reported: { number: 'code', reference: 'text' },
  payment_surplus: CARD_PAYMENT,
  practice_words_downloaded: PUPILS,
  program_changed: PROGRAM,
  program_confirmed: PROGRAM,
  program_ended: { ...PROGRAM, reason: 'code' },
  program_made: PROGRAM,
  program_revoked: PROGRAM,
  pupil_assistant_added: { teacher_id: 'user' },
  pupil_assistant_removed: { teacher_id: 'user' },
  pupil_deleted: {},
  pupil_note_added: {},
  pupil_note_removed: {},
  pupil_removed_from_class: { class: 'label' },
  pupil_renamed: {},
  pupil_report_downloaded: {},
  pupil_list_undone: UNDO,
  pupil_reports_downloaded: PUPILS,
  pupil_sessions_exported: FILE,
  pupil_tag_created: { name: 'label' },
  pupil_tag_deleted: { name: 'label' },
  pupil_tag_renamed: { from: 'label', to: 'label' },
  pupil_tag_turned_on: { name: 'label', purpose: 'text' },
  pupil_year_group_changed: {},
  pupils_archived: PUPILS,
  pupils_created: PUPILS,
  pupils_exported: FILE,
  pupils_moved: { from: 'label', to: 'label', ...PUPILS },
  pupils_placed: PUPILS,
  pupils_restored: PUPILS,
  pupils_tagged: PUPILS,
  pupils_unplaced: PUPILS,
  pupils_with_tags_exported: FILE,
  reading_summary_downloaded: {},
  role_changed: { role: 'code' },
  school_records_applied: RECORDS,
  school_records_applied_nightly: RECORDS,
  school_records_connection_changed: {
    is_automatic: 'flag',
    is_paused: 'flag',
    school: 'label',
    classes: 'number',
    school_years: 'number',
  },
  school_records_connection_removed: { host: 'label' },
  school_records_connection_saved: { host: 'label' },
  school_records_source_removed: {},
  school_records_undone: UNDO,
  retention_period_changed: { data: 'label', days: 'number' },
  school_changed: { from: 'labelled', to: 'labelled' },
  school_closed: {},
  school_closing_requested: {},
  school_closing_withdrawn: {},
  school_exported: FILE,
  school_founded: { terms_accepted: 'flag' },
  school_hours_changed: { starts: 'code', ends: 'code' },
  school_locked: { number: 'code' },
  school_reopened: {},
  school_viewed: {},
  session_ended: {},
  sessions_ended: {},
  subject_file_downloaded: OF_REQUEST,
  subject_file_requested: OF_REQUEST,
  subject_request_closed: { ...OF_REQUEST, outcome: 'code' },
  subject_request_opened: { ...OF_REQUEST, due_on: 'code', school_type: 'code' },
  subject_step_recorded: { ...OF_REQUEST, step: 'code', on: 'code' },
  subject_step_undone: { ...OF_REQUEST, step: 'code', on: 'code' },
  subscription_bought: BOUGHT,
  subscription_ended: { package: 'label' },
  subscription_extended: BOUGHT,
  subscription_upgraded: BOUGHT,
  support_allowed: {},
  support_ended: {},
  teacher_assigned: CLASS_TEACHER,
  teacher_demoted: {},
  teacher_invited: {},
  teacher_promoted: {},
  /**
   * From a class, by name and teacher; from the school, with the role, and how many classes have no teacher now and how many
   * a new one.
   */
  teacher_removed: { ...CLASS_TEACHER, role: 'code', classes: 'number', handed_over: 'number' },
  teachers_exported: FILE,
  term_dates_changed: { year: 'code' },
  term_dates_removed: { year: 'code' },
  terms_accepted: {},
  trial_started: { package: 'label' },
  year_end_applied: { classes: 'number', left: 'labels' },
  days_off_changed: { year: 'code', days: 'number' },
  year_end_undone: UNDO,
} as const satisfies Record<string, Record<string, DetailKind>>;

export type AuditAction = keyof typeof AUDIT_DETAILS;

type Declared<A extends AuditAction> = (typeof AUDIT_DETAILS)[A];

/** The details that an action may have. */
export type AuditDetails<A extends AuditAction> = {
  readonly [Key in keyof Declared<A>]?: Declared<A>[Key] extends DetailKind ? DetailTypes[Declared<A>[Key]] : never;
};

/** The kind of a detail; undefined for one that is not declared. */
export const detailKind = (action: AuditAction, key: string): DetailKind | undefined =>
  (AUDIT_DETAILS[action] as Record<string, DetailKind | undefined>)[key];
