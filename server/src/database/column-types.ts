import type { ColumnType, Generated as GeneratedValue } from 'kysely';

/** A value that the database gives when an insert leaves it out. */
export type Generated<T> = [T] extends [ColumnType<infer Select, infer Insert, infer Update>]
  ? ColumnType<Select, Insert | undefined, Update>
  : GeneratedValue<T>;
/** A moment: a `Date` both ways. */
export type Timestamp = ColumnType<Date, Date, Date>;
/** A calendar day as `YYYY-MM-DD`. */
export type Day = ColumnType<string, string, string>;

/** A one-time link that a mail brings: it is made when the mail is delivered. `lasts` in milliseconds. */
export interface MailLink {
  kind: 'password_reset' | 'set_up' | 'impersonation';
  userId: number;
  schoolId: number | null;
  lasts: number;
}
