import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * A condition that `column` is one of `ids`. One parameter for any number of IDs, so that the statement text stays the
 * same.
 */
export const inIds = (column: string, ids: readonly number[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = any(${[...ids]}::bigint[])`;
