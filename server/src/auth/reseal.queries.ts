import { sql } from 'kysely';
import type { PlatformDb } from '../database/platform-db.ts';
import type { SealedColumn } from './keyed-columns.ts';
import { type KeyConfig, resealSecret } from './secrets-key.ts';

/** A batch of a sealed column: the key of its last row, and how many rows were encrypted again or cannot be decrypted. */
interface ResealedBatch {
  last: readonly unknown[] | undefined;
  resealed: number;
  unreadable: number;
}

/**
 * Encrypts the next rows of a column with the first key. A row that changes meanwhile stays as it is.
 * @param after the key of the last row of the batch before
 */
export async function resealBatch(
  db: PlatformDb,
  config: KeyConfig,
  { table, column, key, purposeOf, batchSize }: SealedColumn,
  after: readonly unknown[] | undefined,
): Promise<ResealedBatch> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const isNext = after ? sql`(${columns}) > (${sql.join(after)})` : sql`true`;
  const { rows } = await sql<Record<string, number | string> & { sealed_content: Buffer }>`
    select ${columns}, ${sql.ref(column)} as sealed_content from ${sql.table(table)}
    where ${sql.ref(column)} is not null and ${isNext} order by ${columns} limit ${batchSize}`.execute(db.tx);
  let resealed = 0;
  let unreadable = 0;
  for (const { sealed_content: sealed, ...row } of rows) {
    const content = resealSecret(config, purposeOf(row), sealed);
    if (content === undefined) unreadable += 1;
    if (!content) continue;
    const isRow = sql.join(
      key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
      sql` and `,
    );
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${content}
      where ${isRow} and ${sql.ref(column)} = ${sealed}`.execute(db.tx);
    resealed += 1;
  }
  const last = rows.length === batchSize ? rows.at(-1) : undefined;
  return { last: last && key.map((name) => last[name]), resealed, unreadable };
}
