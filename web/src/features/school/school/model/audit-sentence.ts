import type { AuditAction } from '#contract/audit-details.ts';
import { type Nation, NATION_NAMES } from '#contract/nations.ts';
import { formatPeriod } from '#contract/period.ts';
import { type Role, ROLE_TEXTS } from '#contract/permissions.ts';
import type { AuditEntry } from '#contract/calls/school.ts';
import { count, formatDate, formatExactMoney, haveLeftInWords, listInWords } from '../../../../shared/format.ts';
import { untilInWords } from '../../../../shared/moment-in-words.ts';

type Details = AuditEntry['details'];

const text = (details: Details, key: string): string => (typeof details[key] === 'string' ? details[key] : '');
const number = (details: Details, key: string): number => (typeof details[key] === 'number' ? details[key] : 0);
const list = (details: Details, key: string): unknown[] => (Array.isArray(details[key]) ? details[key] : []);
const part = (details: Details, key: string): Details =>
  details[key] !== null && typeof details[key] === 'object' ? (details[key] as Details) : {};

const nameOfPupil = ({ id, name }: { id: number; name: string | null }): string =>
  name ?? `a pupil, deleted (no. ${id})`;

/** The pupils concerned: how many, and up to three names. */
function people({ pupils }: AuditEntry): string {
  if (!pupils) return 'pupils';
  const moreCount = pupils.total - pupils.first.length;
  const known = pupils.first.map(nameOfPupil).join(', ') + (moreCount > 0 ? ` and ${moreCount} more` : '');
  return `${count(pupils.total, 'pupil')}: ${known}`;
}

const pupil = ({ pupils }: AuditEntry): string => (pupils?.first[0] ? nameOfPupil(pupils.first[0]) : 'a pupil');

/** The class or pupils whose books changed. */
const owner = (details: Details, entry: AuditEntry): string =>
  text(details, 'name') || ((entry.pupils?.total ?? 0) > 1 ? people(entry) : pupil(entry));

const fieldLabel = (field: string): string => (field === 'urn' ? 'URN' : field.replaceAll('_', ' '));

const NEEDS: Record<string, string> = {
  nothing_assigned: 'no books assigned',
  not_read: 'no reading',
  low_accuracy: 'low accuracy',
  falling: 'falling accuracy',
  same_words: 'the same difficult words',
  unfinished: 'an unfinished book',
};
const need = (details: Details): string => NEEDS[text(details, 'need')] ?? text(details, 'need');

const isRole = (value: string): value is Role => value in ROLE_TEXTS;
const roleName = (details: Details): string => {
  const role = text(details, 'role');
  return isRole(role) ? ROLE_TEXTS[role].name : role;
};

const IDENTITY_CHECKS: Record<string, string> = {
  in_person: 'in person',
  video_call: 'in a video call',
  phone_call: 'by calling a number that was known before',
};
const END_REASONS: Record<string, string> = {
  stopped: 'stopped',
  withdrawn: 'withdrew',
  cancelled: 'cancelled',
  undecided: 'after 14 days without a decision: ended',
  requester_left: 'the person who asked has left: ended',
  new_admin_left: 'the new admin has left: ended',
  admins_changed: 'the admins have changed: ended',
  school_closed: 'the school has closed: ended',
};
const identityCheck = (details: Details): string => IDENTITY_CHECKS[text(details, 'identity_check')] ?? '';

const PROGRAM_ENDS: Record<string, string> = {
  expired: ', because its time was up',
  not_confirmed: ', because no admin confirmed it',
  school_closed: ', because the school closed',
};
const program = (details: Details): string => `the program ${text(details, 'name')}`;

const NAMES_IN_EMAILS: Record<string, string> = {
  initial: 'first name and initial',
  none: 'no names',
  full: 'full names',
};

const schoolValue = (value: unknown): string =>
  typeof value === 'string' ? (NATION_NAMES[value as Nation] ?? value) : 'nothing';

function schoolChange(details: Details): string {
  const to = part(details, 'to');
  const from = part(details, 'from');
  if (typeof to.recording_enabled === 'boolean')
    return to.recording_enabled ? 'enabled recordings' : 'disabled recordings';
  const naming = NAMES_IN_EMAILS[text(to, 'names_in_emails')];
  if (naming) return `set names in emails to ${naming}`;
  const changed = Object.keys(to).filter((key) => to[key] !== from[key]);
  if (changed.length === 0) return "saved the school's details";
  return `changed the school's ${changed.map((key) => `${fieldLabel(key)} to ${schoolValue(to[key])}`).join(' and ')}`;
}

/** Kinds of requests about data, except access. */
const REQUESTS: Record<string, string> = {
  educational_record: 'request for the educational record',
  rectification: 'request to correct data',
  erasure: 'request to erase data',
  objection: 'objection to the use of data',
  complaint: 'complaint about the use of data',
};
const hasFile = (details: Details): boolean =>
  !REQUESTS[text(details, 'kind')] || details.kind === 'educational_record';

function request(details: Details, article: 'the' | 'a' = 'the'): string {
  const noun = REQUESTS[text(details, 'kind')] ?? 'subject access request';
  return `${article === 'a' && noun.startsWith('o') ? 'an' : article} ${noun}`;
}

const STEPS: Record<string, string> = {
  identity_asked: 'proof of identity was asked for',
  identity_confirmed: 'the identity was confirmed',
  clarification_asked: 'the person was asked which information they mean',
  clarification_answered: 'the person said which information they mean',
  extended: 'the person was told about an extension by two months',
  acknowledged: 'the complaint was acknowledged',
  progress_told: 'the person was told how it is going',
};
const step = (details: Details): string =>
  `${STEPS[text(details, 'step')] ?? text(details, 'step')} on ${formatDate(text(details, 'on'))}`;

/** Name of a member of staff by ID; the account may have been deleted. */
export type StaffName = (id: string | null) => string;

/** The pupil or member of staff whom a change concerned. */
const person = (entry: AuditEntry, staff: StaffName): string =>
  entry.subject_kind === 'pupil' ? pupil(entry) : staff(entry.subject_id);

/** The name of the class; entries that were emptied have its current one. */
const className = (details: Details, { subject_id }: AuditEntry): string =>
  text(details, 'name') || `a class, deleted (no. ${subject_id})`;

const teacher = (details: Details): string => text(details, 'teacher') || 'a colleague';
const teachers = (details: Details): string[] => {
  const names = list(details, 'teachers').filter((name) => typeof name === 'string');
  return names.length > 0 ? names : ['a colleague'];
};

/** How many classes of someone who was deleted have a new teacher. */
const handedOver = (details: Details): string =>
  number(details, 'handed_over') > 0
    ? `, and handed over ${count(number(details, 'handed_over'), 'class', 'classes')}`
    : '';

/** The person whom an invitation was for. */
const invited = (details: Details): string => text(details, 'invited') || 'someone whose invitation has been deleted';

/** The reason that was given; nothing once it has been erased. */
const because = (details: Details): string => text(details, 'reason') && `: ${text(details, 'reason')}`;

/** The number of an invoice; the ID of one whose details have been erased. */
const invoice = (details: Details, { subject_id }: AuditEntry): string =>
  text(details, 'number') || `no. ${subject_id}`;

type Sentence = (details: Details, entry: AuditEntry, staff: StaffName) => string;

const SENTENCES: Record<AuditAction, Sentence> = {
  features_changed: (d) => `switched the new statistics ${d.new_statistics === true ? 'on' : 'off'}`,
  class_created: (d) => `created the class ${text(d, 'name')}`,
  class_renamed: (d) => `renamed the class ${text(d, 'from')} to ${text(d, 'to')}`,
  class_deleted: (d) => `deleted the class ${text(d, 'name')}, which had ${count(number(d, 'pupils'), 'pupil')}`,
  class_restored: (d) =>
    `restored the class ${text(d, 'former') || text(d, 'name')} with ${count(number(d, 'pupils'), 'pupil')}${text(d, 'former') && ` as ${text(d, 'name')}`}`,
  year_end_applied: (d) =>
    `applied the year-end changes: ${count(number(d, 'classes'), 'class', 'classes')} moved up${list(d, 'left').length > 0 ? `, ${list(d, 'left').join(', ')} left` : ''}`,
  year_end_undone: () => 'undid the year end',
  school_records_applied: (d) =>
    `applied changes from school records: ${count(number(d, 'joiners'), 'joiner')}, ${count(number(d, 'leavers'), 'leaver')}, ${count(number(d, 'movers'), 'change of class', 'changes of class')} and ${count(number(d, 'names'), 'change of name', 'changes of name')}`,
  school_records_applied_nightly: (d) =>
    `added ${count(number(d, 'joiners'), 'pupil')} and changed the class of ${count(number(d, 'movers'), 'pupil')}, in the nightly check of school records`,
  school_records_connection_saved: (d) => `saved the connection of school records to ${text(d, 'host')}`,
  school_records_connection_changed: (d) =>
    `changed the connection of school records: ${d.is_paused === true ? 'paused' : 'checked every night'}, ${d.is_automatic === true ? 'joiners and changes of class without asking' : 'everything waits for an administrator'}${text(d, 'school') && `, pupils of ${text(d, 'school')}`}`,
  school_records_connection_removed: (d) => `removed the connection of school records to ${text(d, 'host')}`,
  pupil_list_undone: () => 'undid a list of pupils',
  school_records_undone: () => 'undid changes from school records',
  school_records_source_removed: () => 'removed a source of school records',
  admin_requested: (d, { subject_id }, staff) =>
    `asked support to make ${staff(subject_id)} an admin, because ${haveLeftInWords(teachers(d))}`,
  admin_request_checked: (d, { subject_id }, staff) =>
    `checked the request to make ${staff(subject_id)} an admin${text(d, 'check') && `: ${text(d, 'check')}`}`,
  admin_request_confirmed: (_, { subject_id }, staff) =>
    `confirmed that ${staff(subject_id)} becomes an admin after 24 hours`,
  admin_request_ended: (d, { subject_id }, staff) =>
    `${END_REASONS[text(d, 'reason')] ?? 'ended'} the request to make ${staff(subject_id)} an admin`,
  admin_appointed: (d, { subject_id }, staff) =>
    `${staff(subject_id)} was made an admin by support, and ${listInWords(teachers(d))}, who ${teachers(d).length === 1 ? 'has left, was' : 'have left, were'} removed`,
  cover_card_made: (d, entry) => `made a card for ${teacher(d)}, who covers ${className(d, entry)}`,
  cover_code_reused: (d, entry) =>
    `the used code of ${teacher(d)} was entered again, so the cover of ${className(d, entry)} ended`,
  cover_ended: (d, entry) => `ended the cover of ${className(d, entry)} by ${teacher(d)}`,
  cover_started: (d, entry) =>
    `let ${teacher(d)} cover ${className(d, entry)}${text(d, 'until') && ` until ${untilInWords(text(d, 'until'))}`}`,
  assistant_added: (d, entry) => `made ${teacher(d)} a teaching assistant of ${className(d, entry)}`,
  teacher_assigned: (d, entry) => `put ${teacher(d)} in charge of ${className(d, entry)}`,
  teacher_removed: (d, entry, staff) =>
    entry.subject_kind === 'class'
      ? `removed ${teacher(d)} from ${className(d, entry)}`
      : `deleted ${staff(entry.subject_id)} from the school${handedOver(d)}`,
  teacher_promoted: (_, { subject_id }, staff) => `promoted ${staff(subject_id)} to admin`,
  teacher_demoted: (_, { subject_id }, staff) => `demoted ${staff(subject_id)} to teacher`,
  role_changed: (d, { subject_id }, staff) => `changed the role of ${staff(subject_id)} to ${roleName(d)}`,
  teacher_invited: (d) => `invited ${invited(d)}`,
  invite_deleted: () => 'deleted an invitation before it was answered',
  invite_resent: (d) => `sent the invitation to ${invited(d)} again`,
  invite_accepted: () => 'accepted an invitation and joined the school',
  invite_declined: () => 'declined an invitation',
  pupils_created: (_, entry) => `added ${people(entry)}`,
  pupils_moved: (d, entry) =>
    `moved ${people(entry)}${text(d, 'from') && ` from ${text(d, 'from')}`}${text(d, 'to') && ` to ${text(d, 'to')}`}`,
  pupils_placed: (_, entry) => `put ${people(entry)} into a class`,
  books_assigned: (d, entry) => `assigned ${count(number(d, 'books'), 'book')} to ${owner(d, entry)}`,
  books_removed: (d, entry) => `removed ${count(number(d, 'books'), 'book')} from ${owner(d, entry)}`,
  passwords_reset: (_, entry) => `reset the passwords of ${people(entry)}`,
  pupil_renamed: (_, entry) => `renamed ${pupil(entry)}`,
  pupil_year_group_changed: (_, entry) => `changed the year group of ${pupil(entry)}`,
  pupil_removed_from_class: (d, entry) => `removed ${pupil(entry)} from ${text(d, 'class')}`,
  pupils_unplaced: (_, entry) => `removed ${people(entry)} from their classes`,
  pupils_archived: (_, entry) => `archived ${people(entry)}`,
  pupils_restored: (_, entry) => `brought ${people(entry)} back from the archive`,
  pupil_deleted: (d, { subject_id }) =>
    `deleted a pupil (no. ${subject_id})${text(d, 'class') && ` of ${text(d, 'class')}`}`,
  account_erased: (_, { subject_id }) => `erased the account of a former member of staff (no. ${subject_id})`,
  subject_request_opened: (d, entry, staff) => `recorded ${request(d, 'a')} about ${person(entry, staff)}`,
  subject_step_recorded: (d, entry, staff) => `recorded for ${request(d)} about ${person(entry, staff)}: ${step(d)}`,
  subject_step_undone: (d, entry, staff) =>
    `removed from ${request(d)} about ${person(entry, staff)}, as recorded by mistake: ${step(d)}`,
  subject_file_requested: (_, entry, staff) => `had the subject access file about ${person(entry, staff)} made`,
  subject_file_downloaded: (_, entry, staff) => `downloaded the subject access file about ${person(entry, staff)}`,
  subject_request_closed: (d, entry, staff) =>
    `closed ${request(d)} about ${person(entry, staff)}${d.outcome === 'released' || !hasFile(d) ? '' : ' without release'}`,
  retention_period_changed: (d) =>
    number(d, 'days') > 0
      ? `shortened the period of ${text(d, 'data')} to ${formatPeriod({ days: number(d, 'days') })}`
      : `set the longest period for ${text(d, 'data')}`,
  import_digests_turned_on: () => 'chose to keep dates of birth and UPNs from lists of pupils to recognise pupils',
  import_digests_turned_off: () => 'deleted the dates of birth and UPNs from lists of pupils, and chose to keep none',
  need_done: (d, entry) => `marked “${need(d)}” of ${pupil(entry)} as done`,
  need_snoozed: (d, entry) => `snoozed “${need(d)}” of ${pupil(entry)} for two weeks`,
  need_response_undone: (d, entry) => `undid what was done about “${need(d)}” of ${pupil(entry)}`,
  need_thresholds_changed: () => 'changed the rules for the list of pupils who need help',
  school_hours_changed: (d) => `set the school hours from ${text(d, 'starts')} to ${text(d, 'ends')}`,
  days_off_changed: (d) => `set ${count(Number(d.days ?? 0), 'day')} without school in ${text(d, 'year')}`,
  term_dates_changed: (d) => `changed the term dates of ${text(d, 'year')}`,
  term_dates_removed: (d) => `restored the usual term dates of ${text(d, 'year')}`,
  pupil_assistant_added: (d, entry) => `let the teaching assistant ${teacher(d)} see ${pupil(entry)}`,
  pupil_assistant_removed: (d, entry) => `stopped the teaching assistant ${teacher(d)} seeing ${pupil(entry)}`,
  pupil_note_added: (_, entry) => `wrote a note on ${pupil(entry)}`,
  import_columns_chosen: (d) =>
    `chose what ${number(d, 'columns') > 0 ? count(number(d, 'columns'), 'column') : 'columns'} of a spreadsheet ${number(d, 'columns') === 1 ? 'means' : 'mean'}`,
  pupil_tag_created: (d) => `created the tag ${text(d, 'name')}`,
  pupil_tag_renamed: (d) => `renamed the tag ${text(d, 'from')} to ${text(d, 'to')}`,
  pupil_tag_deleted: (d) => `deleted the tag ${text(d, 'name')}`,
  pupil_tag_turned_on: (d) =>
    `turned on ${text(d, 'name') ? `the tag ${text(d, 'name')}` : 'a tag'}${text(d, 'purpose') && `, for this purpose: ${text(d, 'purpose')}`}`,
  pupils_tagged: (_, entry) => `changed the tags of ${people(entry)}`,
  pupil_report_downloaded: (_, entry) => `downloaded the page on ${pupil(entry)} for a parents’ evening`,
  pupil_reports_downloaded: (_, entry) => `downloaded the pages on ${people(entry)} for a parents’ evening`,
  practice_words_downloaded: (_, entry) => `printed words to practise of ${people(entry)}`,
  class_words_downloaded: () => 'printed the words to practise of a class',
  needs_list_downloaded: () => 'downloaded the list of pupils who need help',
  certificates_downloaded: () => 'downloaded certificates',
  pupil_note_removed: (_, entry) => `removed a note on ${pupil(entry)}`,
  logged_in: (d) =>
    ({
      authenticator: 'logged in with a code of an authenticator app',
      passkey: 'logged in with a passkey',
      recovery_code: 'logged in with a recovery code',
      supply_code: 'logged in with the code on a card',
    })[text(d, 'factor')] ?? 'logged in',
  email_change_requested: () => 'asked to change their email address',
  email_change_stopped: (_, { subject_id }, staff) =>
    `the change of the email address of ${staff(subject_id)} was stopped from the old address`,
  session_ended: () => 'logged out one of their devices',
  sessions_ended: () => 'logged out all their other devices',
  login_failed: (_, { subject_id }, staff) => `a failed login as ${staff(subject_id)} with a wrong password`,
  login_factor_failed: (_, { subject_id }, staff) =>
    `a failed login as ${staff(subject_id)} with a wrong second factor`,
  login_factor_added: () => 'added a second factor to their account',
  login_factor_removed: () => 'removed a second factor from their account',
  login_factor_policy_changed: (d) =>
    `changed who needs a second factor to log in: ${{ optional: 'no one', admins: 'admins', all: 'all staff' }[text(d, 'required')] ?? ''}`,
  login_factors_reset: (d, { subject_id }, staff) =>
    `removed the passkeys and authenticator apps of ${staff(subject_id)}, after an identity check ${identityCheck(d)}`,
  login_recovery_requested: (d, { subject_id }, staff) =>
    `asked to remove the passkeys and authenticator apps of ${staff(subject_id)}, after an identity check ${identityCheck(d)}`,
  login_recovery_confirmed: (_, { subject_id }, staff) =>
    `confirmed that the passkeys and authenticator apps of ${staff(subject_id)} may be removed after 24 hours`,
  login_recovery_cancelled: (_, { subject_id }, staff) =>
    `stopped the removal of the passkeys and authenticator apps of ${staff(subject_id)}`,
  login_recovery_completed: (_, { subject_id }, staff) =>
    `the passkeys and authenticator apps of ${staff(subject_id)} were removed`,
  login_recovery_codes_renewed: () => 'made new recovery codes',
  login_recovery_code_used: () => 'used a recovery code',
  login_provider_linked: (d) => `linked their ${text(d, 'provider')} account`,
  login_provider_unlinked: (d) => `unlinked their ${text(d, 'provider')} account`,
  login_provider_failed: (_, { subject_id }, staff) =>
    `a failed login as ${staff(subject_id)} with an account that the school does not allow`,
  login_connection_changed: (d) =>
    `let staff sign in with ${text(d, 'provider')}${text(d, 'tenant') && ` (${text(d, 'tenant')})`}, ${d.counts_second_factor === true ? 'whose second factor counts' : 'with a second factor of their own'}`,
  login_provider_only_changed: (d) =>
    d.is_on === true
      ? 'required staff to sign in through a provider'
      : 'let staff log in with a password or passkey again',
  login_connection_removed: (d) => `no longer let staff sign in with ${text(d, 'provider')}`,
  logins_shown: () => 'looked at new logins',
  logins_downloaded: (d) => `downloaded new logins (${text(d, 'file')})`,
  chart_downloaded: (d) => `downloaded a chart (${text(d, 'chart').replaceAll('_', ' ')})`,
  charts_downloaded: () => 'downloaded all charts',
  reading_summary_downloaded: () => 'downloaded a reading summary',
  audit_log_exported: (d) => `downloaded the list of changes (${text(d, 'file')})`,
  classes_exported: (d) => `downloaded the list of classes (${text(d, 'file')})`,
  class_reading_exported: (d) => `downloaded the reading of a class (${text(d, 'file')})`,
  pupil_sessions_exported: (_, entry) => `downloaded the reading sessions of ${pupil(entry)}`,
  invoices_exported: (d) => `downloaded the list of invoices (${text(d, 'file')})`,
  teachers_exported: (d) => `downloaded the list of teachers (${text(d, 'file')})`,
  school_exported: (d) => `downloaded the whole school (${text(d, 'file')})`,
  pupils_exported: (d) => `downloaded the list of pupils (${text(d, 'file')})`,
  pupils_with_tags_exported: (d) => `downloaded the list of pupils with their tags (${text(d, 'file')})`,
  trial_started: () => 'started the free trial',
  subscription_bought: (d) => `bought the package ${text(d, 'package')}`,
  subscription_upgraded: (d) => `upgraded to the package ${text(d, 'package')}`,
  subscription_extended: (d) => `extended the package ${text(d, 'package')} to ${formatDate(text(d, 'until'))}`,
  subscription_ended: (d) => `the package ${text(d, 'package')} ended`,
  custom_package_given: (d) =>
    `gave the school the package ${text(d, 'package')} until ${formatDate(text(d, 'until'))}`,
  school_locked: (d) => `the account was locked: invoice ${text(d, 'number')} is overdue`,
  invoice_issued: (d) => `issued invoice ${text(d, 'number')} for ${formatExactMoney(number(d, 'total'))}`,
  invoice_paid: (d, entry) =>
    `invoice ${invoice(d, entry)} was paid by ${text(d, 'by') === 'card' ? 'card' : 'bank transfer'}${text(d, 'reference') && ` (${text(d, 'reference')})`}`,
  payment_reported: (d, entry) =>
    `reported that invoice ${invoice(d, entry)} was paid${text(d, 'reference') && ` (${text(d, 'reference')})`}`,
  invoice_uncollectible: (d, entry) => `gave invoice ${invoice(d, entry)} up${because(d)}`,
  invoice_credited: (d, entry) =>
    `credited invoice ${invoice(d, entry)}${text(d, 'credit_note') && ` by ${text(d, 'credit_note')}`}${because(d)}`,
  payment_surplus: (d) => `invoice ${text(d, 'number')} was paid by card again (${text(d, 'reference')})`,
  payment_differs: (d) =>
    `another amount than that of invoice ${text(d, 'number')} was paid by card (${text(d, 'reference')})`,
  program_made: (d) => `made a token for ${program(d)}`,
  program_changed: (d) => `changed ${program(d)}`,
  program_confirmed: (d) => `confirmed ${program(d)}`,
  program_revoked: (d) => `revoked ${program(d)}`,
  program_ended: (d) => `${program(d)} ended${PROGRAM_ENDS[text(d, 'reason')] ?? ''}`,
  school_closing_requested: () => 'asked to close the school',
  school_closing_withdrawn: () => 'withdrew the request to close the school',
  school_closed: () => 'closed the school',
  school_reopened: () => 'reopened the school',
  school_viewed: () => 'viewed the school in the support console',
  school_founded: () => 'registered the school',
  school_changed: schoolChange,
  contact_changed: (_, { subject_id }) => `changed the ${subject_id === 'billing' ? 'billing' : 'primary'} contact`,
  terms_accepted: () => 'accepted the terms',
  account_changed: (d) =>
    `changed their own ${list(d, 'fields')
      .map((field) => fieldLabel(String(field)))
      .join(', ')}`,
  password_reset: () => 'chose a new password by email',
  impersonation_prepared: (d, { subject_id }, staff) => `prepared to log in as ${staff(subject_id)}${because(d)}`,
  support_allowed: () => 'allowed support to see data about pupils for an hour',
  support_ended: () => 'ended the permission of support to see data about pupils',
  impersonation_started: (d, { subject_id }, staff) => `logged in as ${staff(subject_id)}${because(d)}`,
};

/**
 * What was done, without the user's name: `renamed the class Owls to Wrens`. An unknown action is shown by its name.
 */
export function auditSentence(entry: AuditEntry, staff: StaffName): string {
  const sentence: Sentence | undefined = SENTENCES[entry.action as AuditAction];
  return sentence?.(entry.details, entry, staff) ?? entry.action.replaceAll('_', ' ');
}
