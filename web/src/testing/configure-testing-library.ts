// Runs before each test file. Only component tests have a document; React must not be loaded without one.

/** How long a test waits for a condition at most. */
export const WAIT_LIMIT_MS = 30_000;

/** Announcements repeat for screen readers what the page shows, a moment later: a text would be found once or twice. */
const ANNOUNCEMENTS = '[role="status"] > p.visually-hidden';

if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: WAIT_LIMIT_MS, defaultIgnore: `script, style, ${ANNOUNCEMENTS}` });
}
