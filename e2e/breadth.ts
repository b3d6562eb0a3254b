/** Of every screen, dialog and state that is judged alike, `npm test` looks at one in so many; `--both`, as on CI, at all. */
const ONE_IN = process.env.TEST_BREADTH === 'sample' ? 5 : 1;

/** Those of a list at which this run looks. */
export const sampled = <T>(all: readonly T[]): T[] => all.filter((_, index) => index % ONE_IN === 0);
