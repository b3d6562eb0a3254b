// npm test: every check and every test, from nothing. `npm test -- --only check|unit|postgres|e2e` runs one suite.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { provideChromium, startPostgres } from './machine.mjs';
import {
  buildWeb,
  installPackages,
  nodeBin,
  onStop,
  root,
  run,
  log,
  seconds,
  SetupError,
  showAndExit,
  tool,
  toolEnv,
} from './setup.mjs';

const reports = join(root, 'test-results');
const reportOf = (suite) => join(reports, `${suite}.json`);

let running;
let interrupted = false;
let postgres;

const vitest = (suite, args, env) => {
  const [command, bin] = tool('vitest');
  const report = [`--outputFile.json=${reportOf(suite)}`, '--reporter=default', '--reporter=json'];
  return execute(command, [bin, 'run', ...args, ...report], { TEST_DATABASE_URL: undefined, ...env });
};

/** Runs a runner in a process group of its own, so that what it started can be ended with it. */
function execute(command, args, env) {
  if (interrupted) throw new SetupError('Interrupted.');
  return run(command, args, {
    env: { ...toolEnv, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
    onStart: (child) => (running = child),
  });
}

const countVitest = ({ numPassedTests, numFailedTests, numPendingTests, testResults }) => ({
  passed: numPassedTests,
  // A file that cannot be loaded has no tests to count, but has failed.
  failed:
    numFailedTests + testResults.filter((file) => file.status === 'failed' && !file.assertionResults.length).length,
  skipped: numPendingTests,
});

const suites = {
  check: {
    title: 'Checks of the code',
    run: () => execute(nodeBin, ['scripts/check.mjs', '--report', reportOf('check')]),
    count: (report) => report,
  },
  unit: {
    title: 'Tests, embedded database',
    run: () => vitest('unit', []),
    count: countVitest,
  },
  postgres: {
    title: 'Tests, PostgreSQL server',
    run: async () => {
      postgres = await startPostgres();
      return vitest('postgres', ['--project', 'database'], { TEST_DATABASE_URL: postgres.url });
    },
    count: countVitest,
    after: async () => {
      await postgres?.stop();
      postgres = undefined;
    },
  },
  e2e: {
    title: 'Journeys in a browser',
    run: async () => {
      const CHROMIUM_PATH = await provideChromium();
      await buildWeb();
      const [command, playwright] = tool('playwright');
      return execute(command, [playwright, 'test'], { CHROMIUM_PATH });
    },
    count: ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }),
  },
};

/** Runs a suite and counts its tests. What cannot be run or runs no test counts as one failure. */
async function runSuite(name) {
  const { title, run: runAll, count, after } = suites[name];
  const start = performance.now();
  log(`${title} …`);
  const report = reportOf(name);
  rmSync(report, { force: true });
  let result = { passed: 0, failed: 0 };
  try {
    const code = await runAll();
    if (existsSync(report)) result = count(JSON.parse(readFileSync(report, 'utf8')));
    if (result.passed + result.failed === 0) console.error(`${title}: no test was run.`);
    if (result.passed + result.failed === 0 || (code !== 0 && result.failed === 0)) result.failed += 1;
  } catch (error) {
    console.error(error instanceof SetupError ? error.message : error);
    result.failed += 1;
  } finally {
    running = undefined;
    await after?.();
  }
  log(`${title}: ${result.passed} passed, ${result.failed} failed (${seconds(start)}).\n`);
  return {
    suite: title,
    passed: result.passed,
    failed: result.failed,
    skipped: result.skipped ?? 0,
    time: seconds(start),
  };
}

function chosenSuites(args) {
  const names = Object.keys(suites);
  if (args.length === 0) return names;
  const [option, name] = args.flatMap((arg) => arg.split('='));
  if (option !== '--only' || !names.includes(name))
    throw new SetupError(`Usage: npm test -- [--only ${names.join('|')}]`);
  return [name];
}

onStop((signal) => {
  interrupted = true;
  if (running) process.kill(-running.pid, signal);
});

try {
  const names = chosenSuites(process.argv.slice(2));
  const start = performance.now();
  await installPackages();
  mkdirSync(reports, { recursive: true });
  const results = [];
  for (const name of names) if (!interrupted) results.push(await runSuite(name));
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.table(Object.fromEntries(results.map(({ suite, ...figures }) => [suite, figures])));
  log(`All took ${seconds(start)}.`);
  process.exitCode = sum('failed') > 0 ? 1 : 0;
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
} catch (error) {
  showAndExit(error);
}
