// npm test: every check and every test, from a fresh clone. See USAGE below.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from './build-web.mjs';
import { installPackages } from './install.mjs';
import {
  provideChromium,
  provideExamplePrograms,
  provideFirefox,
  provideProxies,
  provideWebKit,
  startPostgres,
} from './machine.mjs';
import { provideOldChromium } from './old-chromium.mjs';
import { nodeBin, onStop, root, run, log, seconds, SetupError, showAndExit, tool, toolEnv } from './setup.mjs';
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
const firefox = once(provideFirefox);
const webkit = once(provideWebKit);
/** The oldest version that starts here of those that run the app, and one that is too old for it. */
const chromium113 = once(() => provideOldChromium(113));
const chromium92 = once(() => provideOldChromium(92));
const proxies = once(provideProxies);
const examplePrograms = once(provideExamplePrograms);
const web = once(buildWeb);

/** Without `--all`, only a sample: see e2e/breadth.ts and the fuzzer. */
const breadth = (isAll) => (isAll ? {} : { TEST_BREADTH: 'sample' });

const suites = {
  check: {
    title: 'Checks of the code',
    run: ({ isBeside }) => execute(nodeBin, ['scripts/check.mjs', '--report', reportOf('check')], {}, isBeside),
    read: readChecks,
  },
  unit: {
    title: 'Tests, embedded database',
    run: ({ isBeside, files }) => vitest('unit', files, { TEST_SELECTION: 'engine' }, isBeside),
    read: readVitest,
  },
  postgres: {
    title: 'Tests, PostgreSQL server',
    prepare: [postgres],
    run: async ({ isAll, isBeside, files }) => {
      const env = { TEST_DATABASE_URL: (await postgres()).url, ...breadth(isAll), TEST_FILES: files.join(' ') };
      return vitest('postgres', ['--project', 'database', ...files], env, isBeside);
    },
    read: readVitest,
  },
  embedded: {
    title: 'All server tests, embedded database',
    isOnRequest: true,
    run: ({ isAll, isBeside, files }) =>
      vitest('embedded', ['--project', 'database', ...files], breadth(isAll), isBeside),
    read: readVitest,
  },
  e2e: {
    title: 'Journeys in a browser',
    prepare: [browser, web, postgres, examplePrograms],
    run: async ({ isAll, files }) => {
      await Promise.all([web(), examplePrograms()]);
      const [command, playwright] = tool('playwright');
      const env = { CHROMIUM_PATH: await browser(), E2E_DATABASE_URL: (await postgres()).url, ...breadth(isAll) };
      return execute(command, [playwright, 'test', ...files], env);
    },
    read: readPlaywright,
  },
  browsers: {
    title: 'Main journeys and situations in each browser',
    isWithAll: true,
    prepare: [browser, firefox, webkit, chromium113, chromium92, web, postgres],
    run: async ({ isRequired, note, files }) => {
      await web();
      const programs = {};
      const all = {
        Chromium: browser,
        Firefox: firefox,
        WebKit: webkit,
        'Chromium 113': chromium113,
        'Chromium 92': chromium92,
      };
      for (const [name, provide] of Object.entries(all)) {
        if (files.length > 0 && !files.includes(name)) continue;
        try {
          programs[name] = await provide();
        } catch (error) {
          // The old ones exist for one platform only, and come from the network.
          if (isRequired && !/^Chromium \d/.test(name)) throw error;
          note(`Not run in ${name}. ${error.message}`);
        }
      }
      if (Object.keys(programs).length === 0) return 0;
      const env = {
        BROWSER_PROGRAMS: JSON.stringify(programs),
        E2E_DATABASE_URL: (await postgres()).url,
        SITUATIONS: isRequired ? 'all' : 'none',
      };
      return execute(nodeBin, ['e2e/browsers/main.ts'], env);
    },
    read: (report) => report,
  },
  proxies: {
    title: 'Upgrade behind nginx and Caddy',
    isWithAll: true,
    prepare: [proxies, web, postgres],
    run: async ({ isRequired, note }) => {
      await web();
      const programs = await proxies().catch((error) => {
        if (isRequired) throw error;
        note('Not run, because nginx and Caddy could not be installed.');
      });
      if (!programs) return 0;
      const env = { PROXY_PROGRAMS: JSON.stringify(programs), E2E_DATABASE_URL: (await postgres()).url };
      return execute(nodeBin, ['bench/upgrade/main.ts'], env);
    },
    read: (report) => report,
  },
  specification: {
    title: 'Statements of the specifications',
    isLast: true,
    run: ({ ran }) => {
      writeFileSync(reportOf('ran'), JSON.stringify(ran));
      return execute(nodeBin, ['scripts/report-statements.ts', reportOf('ran'), reportOf('specification')]);
    },
    read: (report) => report,
  },
};

/** The parts that run tests, in their order. */
const runners = Object.keys(suites).filter((name) => !suites[name].isLast && !suites[name].isOnRequest);

/**
 * Runs a suite, or only some of its files, and counts its tests. A suite that cannot be run or runs no tests counts as one
 * failure.
 */
async function runSuite(name, options, files = []) {
  const { title, run: runTests, read } = suites[name];
  const start = performance.now();
  log(`${title}${files.length > 0 ? `, again: ${files.join(' ')}` : ''} …`);
  const report = reportOf(name);
  rmSync(report, { force: true });
  const result = { name, title, passed: 0, failures: [], skipped: 0, notes: [] };
  const fail = (text) => result.failures.push({ name: title, text });
  try {
    const note = (text) => result.notes.push(text);
    const code = await runTests({ ...options, files, note });
    if (existsSync(report)) Object.assign(result, read(JSON.parse(readFileSync(report, 'utf8'))));
    if (result.passed + result.failures.length + result.notes.length === 0) fail('No tests were run.');
    else if (code !== 0 && result.failures.length === 0) fail(`It exited with code ${code}: see its output above.`);
  } catch (error) {
    fail(error instanceof SetupError ? error.message : String(error?.stack ?? error));
  }
  const time = seconds(start);
  log(`${title}: ${result.passed} passed, ${result.failures.length} failed (${time}).\n`);
  return { ...result, time };
}

/** More files than that do not fail by chance. */
const MAX_RETRIED_FILES = 5;

/**
 * Runs each failed file again with nothing beside it, because a machine with other work can fail a test that is right.
 * A file that passes then is listed; one that fails again has failed.
 */
async function retryFailedFiles(results, options) {
  const filesOf = ({ failures }) => [...new Set(failures.map(({ file }) => file))];
  const failed = results.flatMap((result) => filesOf(result).map((file) => ({ result, file })));
  if (failed.length > MAX_RETRIED_FILES || failed.some(({ file }) => file === undefined)) return;
  for (const { result, file } of failed) {
    if (interrupted) return;
    const again = await runSuite(result.name, options, [file]);
    if (again.failures.length > 0) continue;
    const recovered = result.failures.filter((failure) => failure.file === file);
    result.failures = result.failures.filter((failure) => failure.file !== file);
    result.ran = [...(result.ran ?? []).filter((test) => test.file !== file), ...(again.ran ?? [])];
    result.passed += recovered.length;
    result.notes.push(...recovered.map(({ name }) => `passed at the second try: ${name}`));
  }
}

const USAGE = `Usage: npm test -- [--only ${runners.join('|')}] [--all]
       npm test -- --engine embedded [--all]
  --only  one part
  --engine embedded  every server test on the embedded database, but for those that need PostgreSQL (server/src/testing/server-only.ts)
  --all   every screen and dialog in the browser, 2,000 requests of the fuzzer, the main journeys and situations in each browser,
          and an upgrade behind nginx and Caddy, if these can be installed; without it, one screen and dialog in five, and 1,000 requests
The embedded database runs the tests that can differ there and each call's example.`;

function readOptions(args) {
  const rest = args.flatMap((arg) => arg.split('='));
  const options = { isAll: false, names: [] };
  while (rest.length > 0) {
    const option = rest.shift();
    if (option === '--all') options.isAll = true;
    else if (option === '--only' && runners.includes(rest[0])) options.names = [rest.shift()];
    else if (option === '--engine' && rest.shift() === 'embedded') options.names = ['embedded'];
    else throw new SetupError(USAGE);
  }
  if (options.names.length > 0) return { ...options, isRequired: true };
  options.names = runners.filter((name) => options.isAll || !suites[name].isWithAll);
  return options;
}

function showResults(results, start) {
  const width = Math.max(...results.map(({ title }) => title.length));
  for (const { title, passed, failures, skipped, time } of results)
    console.log(
      `  ${title.padEnd(width)}  ${time.padStart(8)}  ${passed} passed, ${failures.length} failed${skipped ? `, ${skipped} skipped` : ''}`,
    );
  for (const { title, notes } of results) for (const text of notes) console.log(`\n! ${title}: ${text}`);
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
  await installPackages('all');
  mkdirSync(reports, { recursive: true });
  const prepared = options.names.flatMap((name) => suites[name].prepare ?? []);
  const isFirst = (name) => ['e2e', 'browsers', 'proxies'].includes(name);
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
    await retryFailedFiles(results, options);
    if (options.names.length > 1 && !interrupted)
      results.push(await runSuite('specification', { ran: results.flatMap(({ ran = [] }) => ran) }));
  } finally {
    await Promise.allSettled(prepared.map((begin) => begin()));
    if (prepared.includes(postgres)) await (await postgres().catch(() => undefined))?.stop();
  }
  process.exitCode = showResults(results, start) > 0 ? 1 : 0;
} catch (error) {
  showAndExit(error);
}
