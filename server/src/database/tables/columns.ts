import type { ColumnType, Generated } from 'kysely';

/** A moment: a `Date` both ways. */
export type Timestamp = ColumnType<Date, Date, Date>;
/** A calendar day as `YYYY-MM-DD`. */
export type Day = ColumnType<string, string, string>;
/** A number that the database gives. */
export type Id = Generated<number>;
