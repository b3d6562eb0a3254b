/** `npm test` checks a sample of the screens, dialogs and states that have the same checks; with `--all`, as on CI, all. */
const ONE_IN = process.env.TEST_BREADTH === 'sample' ? 5 : 1;

/** The elements of a list that this run checks. */
export const sampled = <T>(all: readonly T[]): T[] => all.filter((_, index) => index % ONE_IN === 0);
