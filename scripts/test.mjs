// npm test: every check and every test, from a fresh clone. See USAGE below.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
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
import { readChecks, readPlaywright, readVitest } from './test-reports.mjs';

const reports = join(root, 'test-results');
const reportOf = (suite) => join(reports, `${suite}.json`);

const running = new Set();
let interrupted = false;

/** Priority of a part that runs in parallel: it uses the processor time left by another part. */
const BESIDE_NICENESS = 10;

/**
 * Runs a test runner in its own process group, so that its child processes can be ended with it.
 * @param isBeside it runs in parallel with another part at low priority, and its output is shown at the end
 */
async function execute(command, args, env, isBeside) {
  if (interrupted) throw new SetupError('Interrupted.');
  let child;
  const said = [];
  const onStart = (started) => {
    running.add((child = started));
    if (isBeside && child.pid) setPriority(child.pid, BESIDE_NICENESS);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => said.push(text));
  };
  const output = isBeside ? 'pipe' : 'inherit';
  const options = { env: { ...toolEnv, ...env }, stdio: ['ignore', output, output], detached: true, onStart };
  try {
    return await run(command, args, options);
  } finally {
    running.delete(child);
    process.stdout.write(Buffer.concat(said));
  }
}

const vitest = (suite, args, env, isBeside) => {
  const [command, bin] = tool('vitest');
  const report = [`--outputFile.json=${reportOf(suite)}`, '--reporter=default', '--reporter=json'];
  return execute(command, [bin, 'run', ...args, ...report], { TEST_DATABASE_URL: undefined, ...env }, isBeside);
};

/** Work that starts at the first call. All callers get its result or failure. */
function once(work) {
  let result;
  return () => {
    result ??= work();
    result.catch(() => undefined);
    return result;
  };
}

const postgres = once(startPostgres);
const browser = once(provideChromium);
const web = once(buildWeb);

/** Without `--both`, only a sample: see e2e/breadth.ts and the fuzzer. */
const breadth = (both) => (both ? {} : { TEST_BREADTH: 'sample' });

const suites = {
  check: {
    title: 'Checks of the code',
    run: ({ isBeside }) => execute(nodeBin, ['scripts/check.mjs', '--report', reportOf('check')], {}, isBeside),
    read: readChecks,
  },
  unit: {
    title: 'Tests, embedded database',
    run: ({ both, isBeside }) => vitest('unit', [], { TEST_SELECTION: both ? 'both' : 'engine' }, isBeside),
    read: readVitest,
  },
  postgres: {
    title: 'Tests, PostgreSQL server',
    prepare: [postgres],
    run: async ({ both, isBeside }) => {
      const env = { TEST_DATABASE_URL: (await postgres()).url, ...breadth(both) };
      return vitest('postgres', ['--project', 'database'], env, isBeside);
    },
    read: readVitest,
  },
  e2e: {
    title: 'Journeys in a browser',
    prepare: [browser, web, postgres],
    run: async ({ both }) => {
      await web();
      const [command, playwright] = tool('playwright');
      const env = { CHROMIUM_PATH: await browser(), E2E_DATABASE_URL: (await postgres()).url, ...breadth(both) };
      return execute(command, [playwright, 'test'], env);
    },
    read: readPlaywright,
  },
};

/** Runs a suite and counts its tests. A suite that cannot be run or runs no tests counts as one failure. */
async function runSuite(name, options) {
  const { title, run: runAll, read } = suites[name];
  const start = performance.now();
  log(`${title} …`);
  const report = reportOf(name);
  rmSync(report, { force: true });
  const result = { title, passed: 0, failures: [], skipped: 0 };
  const fail = (text) => result.failures.push({ name: title, text });
  try {
    const code = await runAll(options);
    if (existsSync(report)) Object.assign(result, read(JSON.parse(readFileSync(report, 'utf8'))));
    if (result.passed + result.failures.length === 0) fail('No tests were run.');
    else if (code !== 0 && result.failures.length === 0) fail(`It exited with code ${code}: see its output above.`);
  } catch (error) {
    fail(error instanceof SetupError ? error.message : String(error?.stack ?? error));
  }
  const time = seconds(start);
  log(`${title}: ${result.passed} passed, ${result.failures.length} failed (${time}).\n`);
  return { ...result, time };
}

const USAGE = `Usage: npm test -- [--only ${Object.keys(suites).join('|')}] [--both]
  --only   one part
  --both   every test on both databases, except two of a whole portal, and every screen and dialog in the browser;
           without it, the embedded database runs only tests that can differ there and each call's example, journeys
           that check all screens check one in five, and the fuzzer sends 1,000 requests instead of 2,000`;

function readOptions(args) {
  const rest = args.flatMap((arg) => arg.split('='));
  const options = { both: false, names: Object.keys(suites) };
  while (rest.length > 0) {
    const option = rest.shift();
    if (option === '--both') options.both = true;
    else if (option === '--only' && suites[rest[0]]) options.names = [rest.shift()];
    else throw new SetupError(USAGE);
  }
  return options;
}

function showResults(results, start) {
  const width = Math.max(...results.map(({ title }) => title.length));
  for (const { title, passed, failures, skipped, time } of results)
    console.log(
      `  ${title.padEnd(width)}  ${time.padStart(8)}  ${passed} passed, ${failures.length} failed${skipped ? `, ${skipped} skipped` : ''}`,
    );
  for (const { title, failures } of results)
    for (const { name, text } of failures) console.log(`\n✗ ${title}: ${name}\n${text.replaceAll(/^/gm, '    ')}`);
  const sum = (count) => results.reduce((total, result) => total + count(result), 0);
  const failed = sum(({ failures }) => failures.length);
  console.log(`\nTotal time: ${seconds(start)}.`);
  console.log(`${sum(({ passed }) => passed)} passed, ${failed} failed`);
  return failed;
}

onStop((signal) => {
  interrupted = true;
  for (const { pid } of running) process.kill(-pid, signal);
});

try {
  const options = readOptions(process.argv.slice(2));
  const start = performance.now();
  await installPackages();
  mkdirSync(reports, { recursive: true });
  const prepared = options.names.flatMap((name) => suites[name].prepare ?? []);
  // With --both there are more journeys, so they run alone.
  const isFirst = options.both ? (name) => name !== 'check' : (name) => name === 'e2e';
  const isBeside = options.names.length > 1;
  const runInTurn = async (names) => {
    const done = [];
    for (const name of names)
      if (!interrupted) done.push(await runSuite(name, { ...options, isBeside: isBeside && !isFirst(name) }));
    return done;
  };
  let results;
  try {
    // In parallel with the first part, because journeys mostly wait.
    for (const begin of prepared) void begin();
    const lanes = [options.names.filter((name) => !isFirst(name)), options.names.filter(isFirst)];
    results = (await Promise.all(lanes.map(runInTurn))).flat();
  } finally {
    await Promise.allSettled(prepared.map((begin) => begin()));
    if (prepared.includes(postgres)) await (await postgres().catch(() => undefined))?.stop();
  }
  process.exitCode = showResults(results, start) > 0 ? 1 : 0;
} catch (error) {
  showAndExit(error);
}
