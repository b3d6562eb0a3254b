/** An error without values, to be logged or stored: databases quote the values of a statement in theirs. */
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
    stack: listFrames(error.stack),
    errors: error instanceof AggregateError ? error.errors.map(withoutValues) : undefined,
  };
}

/** The frames of a stack, without the message before them, which may have several lines. */
const listFrames = (stack = ''): string =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n');
