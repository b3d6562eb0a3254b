import type { RecordedYearGroup, YearGroup } from '#contract/year-group.ts';
import type { ColumnType, Generated as GeneratedValue } from 'kysely';

/** A value that the database fills in when an insert omits it. */
export type Generated<T> = [T] extends [ColumnType<infer Select, infer Insert, infer Update>]
  ? ColumnType<Select, Insert | undefined, Update>
  : GeneratedValue<T>;
/** A timestamp: a `Date` in both directions. */
export type Timestamp = ColumnType<Date, Date, Date>;
/** A calendar day as `YYYY-MM-DD`. */
export type Day = ColumnType<string, string, string>;

/** A file attached to a mail. */
export interface MailAttachment {
  name: string;
  type: string;
  /** Base64. */
  content: string;
}

/** The data of a link that works once. */
export interface OneTimeMailLink {
  kind: 'password_reset' | 'set_up' | 'impersonation' | 'email_confirmation' | 'email_change' | 'end_session';
  userId: number;
  schoolId: number | null;
  /** Lifetime in milliseconds. */
  lasts: number;
  /** The address to confirm, for an `email_confirmation`. */
  email?: string;
  /** The session to end, for an `end_session`. */
  sessionId?: string;
}

/** The data of an invite's link; `issue` counts how often the invite was sent. */
export interface InviteMailLink {
  kind: 'invite';
  inviteId: string;
  issue: number;
}

/** The link in a mail, created when the mail is delivered. */
export type MailLink = OneTimeMailLink | InviteMailLink;

/** What else is needed to restore a deleted class: its books, and the class in the school's records that it was. */
export interface DeletedClassRecord {
  books: { book_id: number; assigned_by: number | null; assigned_at: string }[];
  links: { source_id: number; external_id: string; name: string }[];
}

/** The period that an extension adds to a subscription: its first and last day and its terms. */
export interface NextPeriod {
  from: string;
  to: string;
  package_id: number | null;
  title: string;
  max_readers: number;
  price_per_year_pence: number;
}

/** A pupil in a file of school records, before the decision. */
export interface StagedPupil {
  sourceId: string;
  name: string | null;
  yearGroup: YearGroup | null;
  classIds: string[];
  /** Keyed digests in hexadecimal. */
  upn: string | null;
  birth: string | null;
  isGone: boolean;
}

/** What a file of school records contains besides pupils. */
export interface StagedSchoolRecords {
  isComplete: boolean;
  classes: { sourceId: string; name: string; isHomeroom: boolean }[];
  staff: { name: string; email: string }[];
  /** Addresses of people who may be staff as well; null when a missing person means nothing. */
  unclearStaff: string[] | null;
  /** What could not be used, for people. */
  notes: string[];
}

/** What the last check of a connection found, or why it failed. */
export type SchoolRecordsCheckResult = { failure: string } | { pupils: number; classes: number };

/** A class or school in the records of a source that an admin has chosen. */
export interface SourceSelection {
  source_id: string;
  name: string;
}

/** What a source last wrote about a pupil. */
export interface SchoolRecordsLink {
  sourceId: string;
  name: string;
  classId: number | null;
  yearGroup: YearGroup | null;
  hasLeft: boolean;
}

/** A pupil before or after a run. `link`: what the run's source of school records last wrote. */
export interface PupilValues {
  name: string;
  classId: number | null;
  isArchived: boolean;
  yearGroup: RecordedYearGroup | null;
  link: SchoolRecordsLink | null;
}

/** A class before or after a run, with the IDs of its teachers, the first one first. */
export interface ClassValues {
  name: string;
  teachers: number[];
}

/** What a run changed: `before` is null for what it added, `after` for a class that it deleted. */
export type PupilChange = { before: PupilValues | null; after: PupilValues };
export type ClassChange = { before: ClassValues | null; after: ClassValues | null };

export type RunRowContent = { staged: StagedPupil } | { pupil: PupilChange } | { class: ClassChange };

/** How many pupils and classes a run changed. */
export interface RunCounts {
  joiners: number;
  returners: number;
  movers: number;
  names: number;
  year_groups: number;
  leavers: number;
  classes: number;
}
