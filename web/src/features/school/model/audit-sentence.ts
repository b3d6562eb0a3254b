import type { AuditEntry } from '#contract/calls/school.ts';
import { count } from '../../../shared/format.ts';

type Details = AuditEntry['details'];

const text = (details: Details, key: string): string => (typeof details[key] === 'string' ? details[key] : '');
const number = (details: Details, key: string): number => (typeof details[key] === 'number' ? details[key] : 0);
const list = (details: Details, key: string): unknown[] => (Array.isArray(details[key]) ? details[key] : []);
const part = (details: Details, key: string): Details =>
  details[key] !== null && typeof details[key] === 'object' ? (details[key] as Details) : {};

/** Names out of a list of texts or of things with a name: up to three, then how many more. */
function names(values: readonly unknown[]): string {
  const all = values.flatMap((value) => {
    const name =
      typeof value === 'string'
        ? value
        : value !== null && typeof value === 'object' && 'name' in value
          ? value.name
          : null;
    return typeof name === 'string' ? [name] : [];
  });
  if (all.length === 0) return '';
  return all.length > 3 ? `${all.slice(0, 3).join(', ')} and ${all.length - 3} more` : all.join(', ');
}

const people = (details: Details): string => {
  const known = names(list(details, 'pupils'));
  const total = number(details, 'count') || list(details, 'pupils').length;
  return total > 0 ? count(total, 'pupil') + (known && `: ${known}`) : 'pupils';
};

const FIELDS: Record<string, string> = {
  first_name: 'first name',
  last_name: 'last name',
  email: 'email',
  password: 'password',
  name: 'name',
  urn: 'URN',
  recording_enabled: 'recordings',
};

function schoolChange(details: Details): string {
  const to = part(details, 'to');
  const from = part(details, 'from');
  if (typeof to.recording_enabled === 'boolean')
    return to.recording_enabled ? 'enabled recordings' : 'disabled recordings';
  const changed = Object.keys(to).filter((key) => to[key] !== from[key]);
  if (changed.length === 0) return "saved the school's details";
  return `changed the school's ${changed.map((key) => `${FIELDS[key] ?? key} to ${typeof to[key] === 'string' ? to[key] : 'nothing'}`).join(' and ')}`;
}

/** Name of a member of staff by id; the account may be gone. */
export type StaffName = (id: string | null) => string;

const SENTENCES: Record<string, (details: Details, entry: AuditEntry, staff: StaffName) => string> = {
  features_changed: (d) => `switched the new statistics ${d.new_statistics === true ? 'on' : 'off'}`,
  class_created: (d) => `created the class ${text(d, 'name')}`,
  class_renamed: (d) => `renamed the class ${text(d, 'from')} to ${text(d, 'to')}`,
  class_deleted: (d) => `deleted the class ${text(d, 'name')}, which had ${count(number(d, 'pupils'), 'pupil')}`,
  teacher_assigned: (d) => `put ${text(d, 'teacher')} in charge of ${text(d, 'name')}`,
  teacher_removed: (d, { subject_kind, subject_id }, staff) =>
    subject_kind === 'class'
      ? `removed ${text(d, 'teacher')} from ${text(d, 'name')}`
      : `deleted ${staff(subject_id)} from the school`,
  teacher_promoted: (_, { subject_id }, staff) => `promoted ${staff(subject_id)} to admin`,
  teacher_demoted: (_, { subject_id }, staff) => `demoted ${staff(subject_id)} to teacher`,
  teacher_invited: (d) => `invited ${text(d, 'email')}`,
  invite_deleted: (d) => `deleted the invitation to ${text(d, 'email')}`,
  invite_resent: (d) => `sent the invitation to ${text(d, 'email')} again`,
  invite_accepted: () => 'accepted an invitation and joined the school',
  invite_declined: () => 'declined an invitation',
  pupils_created: (d) => `added ${people(d)}`,
  pupils_moved: (d) =>
    `moved ${people(d)}${text(d, 'from') && ` from ${text(d, 'from')}`}${text(d, 'to') && ` to ${text(d, 'to')}`}`,
  pupils_placed: (d) => `put ${people(d)} into a class`,
  passwords_reset: (d) => `reset the passwords of ${people(d)}`,
  pupil_renamed: (d) => `renamed the pupil ${text(d, 'from')} to ${text(d, 'to')}`,
  pupil_removed_from_class: (d) => `removed ${text(d, 'name')} from ${text(d, 'class')}`,
  pupil_deleted: (d) => `deleted the pupil ${text(d, 'name')}`,
  school_founded: () => 'registered the school',
  school_changed: schoolChange,
  contact_changed: (_, { subject_id }) => `changed the ${subject_id === 'billing' ? 'billing' : 'primary'} contact`,
  terms_accepted: () => 'accepted the terms',
  account_changed: (d) =>
    `changed their own ${names(list(d, 'fields').map((field) => FIELDS[String(field)] ?? String(field)))}`,
  password_reset: () => 'chose a new password by email',
  impersonation_prepared: (_, { subject_id }, staff) => `prepared to log in as ${staff(subject_id)}`,
  impersonation_started: (_, { subject_id }, staff) => `logged in as ${staff(subject_id)}`,
};

/** What was done, without who did it: `renamed the class Owls to Wrens`. An action that is not known here says its own name. */
export function auditSentence(entry: AuditEntry, staff: StaffName): string {
  return SENTENCES[entry.action]?.(entry.details, entry, staff) ?? entry.action.replaceAll('_', ' ');
}
