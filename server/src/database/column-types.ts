import type { ColumnType, Generated as GeneratedValue } from 'kysely';

/** A value that the database gives when an insert leaves it out. */
export type Generated<T> = [T] extends [ColumnType<infer Select, infer Insert, infer Update>]
  ? ColumnType<Select, Insert | undefined, Update>
  : GeneratedValue<T>;
/** A moment: a `Date` both ways. */
export type Timestamp = ColumnType<Date, Date, Date>;
/** A calendar day as `YYYY-MM-DD`. */
export type Day = ColumnType<string, string, string>;

/** A file that a mail brings. */
export interface MailAttachment {
  name: string;
  type: string;
  /** Base64. */
  content: string;
}

/** What a link that works once is made from. */
export interface OneTimeMailLink {
  kind: 'password_reset' | 'set_up' | 'impersonation' | 'email_confirmation';
  userId: number;
  schoolId: number | null;
  /** Milliseconds that it works. */
  lasts: number;
  /** The address that it confirms, for an `email_confirmation`. */
  email?: string;
}

/** What the link of an invite is made from; `issue` counts how often the invite was sent. */
export interface InviteMailLink {
  kind: 'invite';
  inviteId: string;
  issue: number;
}

/** The link that a mail brings: it is made when the mail is delivered. */
export type MailLink = OneTimeMailLink | InviteMailLink;

/** What a year end changed: ids, and names of classes and never of pupils. */
export interface YearEndRecord {
  moved: {
    id: number;
    /** `further`: its further teachers; missing in what was written before there were any. */
    from: { name: string; manager_id: number | null; further?: number[] };
    to: { name: string; manager_id: number | null };
  }[];
  /** Classes that are gone, with the pupils who were in them and the books they had. */
  left: {
    id: number;
    name: string;
    manager_id: number | null;
    further?: number[];
    pupils: number[];
    books: number[];
  }[];
}

/** The period that an extension adds to a subscription: its first and last day, and what it covers. */
export interface NextPeriod {
  from: string;
  to: string;
  package_id: number | null;
  title: string;
  max_readers: number;
  price_per_year_pence: number;
}
