import type { Database } from '#server/database/database.ts';
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

/** The first statement that some work of the portal sends, caught on its way. */
async function firstStatement(work: (kysely: Kysely<Tables>) => Promise<unknown>): Promise<Statement> {
  const sent: CompiledQuery[] = [];
  const kysely = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: (event) => void sent.push(event.query),
  });
  // There are no rows, which some work takes for an error; what it sent is all that counts.
  await work(kysely).catch(() => undefined);
  const first = sent[0];
  if (!first) throw new Error('No statement was sent.');
  return { text: first.sql, values: first.parameters };
}

/** The first statement that some work in a school sends. */
export const statementOf = (schoolId: number, work: (db: SchoolDb) => Promise<unknown>): Promise<Statement> =>
  firstStatement((tx) => work({ tx, schoolId, jobs: undefined } as unknown as SchoolDb));

/** The first statement that some work past the scopes sends. */
export const directStatementOf = (work: (database: Database) => Promise<unknown>): Promise<Statement> =>
  firstStatement((kysely) => work({ kysely, engine: { kind: 'embedded' } } as unknown as Database));
