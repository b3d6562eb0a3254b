/** An error as it may be logged and kept: databases put the statement's values into theirs. */
export function withoutValues(error: unknown): { message: string } & Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'not an error' };
  const { code, constraint, table } = error as Error & Record<string, unknown>;
  const isDatabases = 'severity' in error || 'query' in error;
  return {
    type: error.name,
    message: isDatabases ? 'database error' : error.message,
    code,
    constraint,
    table,
    stack: frames(error.stack),
    errors: error instanceof AggregateError ? error.errors.map(withoutValues) : undefined,
  };
}

/** The places in a stack, without the message before them, which may have several lines. */
const frames = (stack = ''): string =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n');
