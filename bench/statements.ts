import type { SchoolDb } from '#server/database/school.ts';
import type { Tables } from '#server/database/tables.ts';
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';

/** SQL with its values, as a client sends it. */
export interface Statement {
  text: string;
  values: readonly unknown[];
}

/** The first statement that a piece of the server's work sends, caught on its way: the bare contender sends the same. */
export async function statementOf(schoolId: number, work: (db: SchoolDb) => Promise<unknown>): Promise<Statement> {
  const sent: CompiledQuery[] = [];
  const tx = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: (event) => void sent.push(event.query),
  });
  // There are no rows, which some work takes for an error; what it sent is all that counts.
  await work({ tx, schoolId, jobs: undefined } as unknown as SchoolDb).catch(() => undefined);
  const first = sent[0];
  if (!first) throw new Error('No statement was sent.');
  return { text: first.sql, values: first.parameters };
}
