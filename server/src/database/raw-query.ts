import { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';
import { markDriverErrors } from './driver-errors.ts';
import { statementName } from './postgres-client.ts';

/**
 * Runs one statement across schools without a transaction or the query builder. Only the session lookup uses it,
 * because it precedes every request.
 */
export async function rawQuery<Row extends object>(
  { engine, kysely }: Database,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  if (engine.kind === 'server') {
    const { pool, isPooled } = engine;
    const name = isPooled ? undefined : statementName(text);
    return (await markDriverErrors(() => pool.query<Row>({ text, values, name }))).rows;
  }
  // Sent directly to the embedded engine, the statement would join another request's transaction.
  return (await markDriverErrors(() => kysely.executeQuery<Row>(CompiledQuery.raw(text, values)))).rows;
}
