import { normalize, type RecordedStatement } from './statement-recorder.ts';

/**
 * The statements that the previous release sends to its database: `released-version.json`, written by that version's
 * tests on PostgreSQL (`RECORD_RELEASE`). Empty before 1.0.0. docs/decisions/releases-side-by-side.md
 */
export interface ReleasedVersion {
  /** The last migration of that release; null before 1.0.0. */
  schema: string | null;
  statements: RecordedStatement[];
}

/** The statements that read or write the portal's own tables, one of each form, in a fixed order. */
export function listReleasedStatements(sent: readonly RecordedStatement[]): RecordedStatement[] {
  const forms = new Map<string, RecordedStatement>();
  for (const [role, text] of sent)
    if (
      /^\s*(with|select|insert|update|delete)\b/i.test(text) &&
      !/pgboss|kysely_|pg_\w+|information_schema/.test(text)
    ) {
      const form = `${role} ${normalize(text)}`;
      const known = forms.get(form);
      if (!known || text < known[1]) forms.set(form, [role, text]);
    }
  return [...forms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, statement]) => statement);
}
