import type { HoldingName } from './holdings.registry.ts';
import type { Tables } from '../../../database/tables.ts';

/**
 * Which rows are past their period. The nightly job deletes them, or clears columns of them.
 * `key` is the primary key. Of a school table it begins with the school, because a cluster finds rows by it.
 */
export interface RetentionRule {
  key: readonly string[];
  /** The time from which the period counts; absent for rows that are deleted as soon as they meet `where`. */
  column?: string;
  /** What happens at that time, for people: "30 days after the last use". */
  since: string;
  /** Absent with a `column`: the rows stay, unless the school chooses one of `choices`. */
  days?: number;
  /** Calendar months, instead of days. From half a year on, days mean months too: contract/src/period.ts */
  months?: number;
  /** A further condition in SQL. */
  where?: string;
  /** Columns that are set to null instead of deleting the row. */
  clear?: readonly string[];
  /** Rows of a platform table that end with these: `column` refers to the row's `id`. */
  linked?: { table: keyof Tables; column: string };
  /** The shorter periods in days that a school may choose. At most one rule of a table has them. */
  choices?: readonly number[];
  /** Erases the person as an admin would, with everything about them. `key` is the school and the person. */
  erases?: 'pupils' | 'staff';
}

/** What the registry declares about a table. */
export interface TableEntry {
  /** The kind of data that the rows belong to. */
  holding: HoldingName;
  /** The column with a pupil's ID: rows that are deleted when the pupil is erased. */
  pupil?: string;
  /** The column with a user's ID: rows that are deleted when the account is erased. */
  user?: string;
  /** Columns with IDs of people who did something. They remain as numbers without a name. */
  people?: readonly string[];
  /** A platform table whose rows are deleted with the school that their `school_id` names. */
  endsWithSchool?: true;
  /** The rows remain when the school is erased. */
  outlivesSchool?: true;
  rules?: readonly RetentionRule[];
}

/** The rule of a table whose rows expire. */
export const EXPIRED = { column: 'expires_at', since: 'until it expires', days: 0 } as const;
