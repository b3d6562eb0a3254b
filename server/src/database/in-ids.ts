import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** True where `column` is one of `ids`. One parameter for any number of IDs, so that the statement stays the same. */
export const inIds = (column: string, ids: readonly number[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = any(${[...ids]}::bigint[])`;
