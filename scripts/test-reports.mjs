// Reads the test runners' reports: how many tests passed, which were skipped, and why each failed. A failure has the
// `file` that is run again: for the browsers its name, and none where nothing smaller than the whole part can be run.
// `ran` has each test that ran, by file and title, with the titles of its `describe` before it.
import { relative } from 'node:path';
import { root } from './setup.mjs';

/** The start of a failure's text; the output above has the full text. */
const LINES = 12;
const NO_COLOUR = /\u001B\[[\d;]*m/g;
const inShort = (text) =>
  String(text ?? '')
    .replaceAll(NO_COLOUR, '')
    .trim()
    .split('\n')
    .filter((line) => !line.includes('/node_modules/'))
    .slice(0, LINES)
    .join('\n');

/** The report of `scripts/check.mjs --report`. */
export const readChecks = ({ passed, failures }) => ({
  passed,
  failures: failures.map(({ name, text }) => ({ name, text: inShort(text) })),
});

/** The report of Vitest's JSON reporter. */
export function readVitest({ numPassedTests, numPendingTests, numTodoTests, testResults }) {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file that cannot be loaded has no failed test but counts as a failure.
    if (status === 'failed' && failed.length === 0) return [{ file, name: file, text: inShort(message) }];
    return failed.map(({ fullName, failureMessages }) => ({
      file,
      name: `${file}: ${fullName}`,
      text: inShort(failureMessages.join('\n')),
    }));
  });
  const ran = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ ancestorTitles, title, status }) => ({
        file: relative(root, name),
        title: [...ancestorTitles, title].join(' > '),
        passed: status === 'passed',
      })),
  );
  return { passed: numPassedTests, skipped: numPendingTests + numTodoTests, failures, ran };
}

const specsOf = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsOf)];

/** The report of Playwright's JSON reporter. A flaky test counts as a failure. */
export function readPlaywright({ stats, suites, errors }) {
  const failed = specsOf({ suites }).flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => {
        const found = results.flatMap(({ errors: reasons }) => reasons.map(({ message }) => message));
        return { file: `e2e/${file}`, name: `e2e/${file}: ${title}`, text: inShort(found.join('\n')) };
      }),
  );
  const outside = errors.map(({ message }) => ({ name: 'outside a test', text: inShort(message) }));
  const ran = specsOf({ suites }).flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status !== 'skipped')
      .map(({ status }) => ({ file: `e2e/${file}`, title, passed: status === 'expected' })),
  );
  return { passed: stats.expected, skipped: stats.skipped, failures: [...failed, ...outside], ran };
}
