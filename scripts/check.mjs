// npm run check: the project's rules. Each tool must report how many files it read; a tool that read none has failed.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as os from 'node:os';
import { join } from 'node:path';
import { lintDeploy } from './check-deploy.mjs';
import { installPackages } from './install.mjs';
import { nodeBin, root, run, log, seconds, SetupError, showAndExit, tool, toolEnv } from './setup.mjs';

/** Makes tools written in Go collect garbage less often, because they run only for seconds. */
const GO_ENV = { GOGC: '400', GOMEMLIMIT: '1400MiB' };

/** Redocly sends no usage data and looks for no newer version. */
const QUIET_ENV = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Runs a package's command and returns its output and whether it succeeded. */
function ask(name, ...args) {
  const [command, bin] = tool(name);
  const env = { ...toolEnv, ...GO_ENV, ...QUIET_ENV, NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(command, [bin, ...args], { cwd: root, env, encoding: 'utf8', maxBuffer: 1e9 }, (error, stdout, stderr) =>
      resolve({ ok: !error, output: stdout, text: `${stdout}${stderr}` }),
    );
  });
}

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 }).stdout;

const hasGit = spawnSync('git', ['--version']).status === 0;

/** The project's existing files, committed or not. */
const listFiles = () => [...new Set(git('ls-files', '-z', '-co', '--exclude-standard').split('\0'))].filter(Boolean);

const numberIn = (pattern, text) => Number(pattern.exec(text)?.[1] ?? 0);

/** TypeScript's messages, without the list of files, which is only counted. */
async function checkTypes(project) {
  const { ok, text } = await ask('tsc', '-p', project, '--listFiles', '--pretty', 'false');
  const isFile = (line) => /^\/.*\.[cm]?tsx?$|^[A-Z]:.*\.[cm]?tsx?$/.test(line);
  const lines = text.split('\n');
  return {
    ok,
    read: lines.filter((line) => isFile(line) && !line.includes('node_modules')).length,
    text: lines.filter((line) => !isFile(line)).join('\n'),
  };
}

async function checkLint() {
  const { output, text } = await ask(
    'oxlint',
    '--type-aware',
    '--report-unused-disable-directives',
    '--format',
    'json',
  );
  if (!output.startsWith('{')) return { ok: false, read: 0, text };
  const { diagnostics, number_of_files: read } = JSON.parse(output);
  const lines = diagnostics.map(({ filename, labels, code, message }) => {
    const { line, column } = labels[0]?.span ?? {};
    return `${filename}:${line}:${column}: ${message} [${code}]`;
  });
  return { ok: lines.length === 0, read, text: lines.join('\n') };
}

async function checkFormat() {
  const { ok, text } = await ask('oxfmt', '--check');
  return { ok, read: numberIn(/ on (\d+) files/, text), text };
}

async function checkUnused() {
  const { ok, text } = await ask(
    'knip',
    '--no-progress',
    '--no-config-hints',
    '--reporter',
    'compact',
    '--reporter',
    './checks/knip-count.mjs',
    '--preprocessor',
    './checks/knip-tools.mjs',
  );
  return { ok, read: numberIn(/knip read (\d+) files/, text), text };
}

async function checkImports() {
  const packages = ['contract', 'server', 'web', 'seeds', 'bench'];
  const files = listFiles().filter((path) => packages.includes(path.split('/')[0]) && /\.tsx?$/.test(path));
  const present = packages.filter((name) => files.some((path) => path.startsWith(`${name}/`)));
  const config = ['--config', 'checks/dependency-rules.cjs', '--output-type', 'json'];
  const { output, text } = await ask('depcruise', ...present, ...config);
  if (!output.startsWith('{')) return { ok: false, read: 0, text };
  const { modules, summary } = JSON.parse(output);
  const seen = new Set(modules.map(({ source }) => source));
  const missed = files.filter((path) => !seen.has(path) && !path.endsWith('.d.ts'));
  const broken = summary.violations.map(
    ({ rule, from, to, cycle }) => `${rule.name}: ${from} → ${cycle ? cycle.map(({ name }) => name).join(' → ') : to}`,
  );
  const lines = [...missed.map((path) => `not read: ${path}`), ...broken];
  return { ok: lines.length === 0, read: files.length - missed.length, text: lines.join('\n') };
}

async function checkStructure() {
  const { inspectStructure } = await import('../checks/structure.ts');
  const files = listFiles();
  const tree = Object.fromEntries(files.map((path) => [path, readIfThere(path)]));
  const findings = inspectStructure(tree, JSON.parse(tree['checks/exceptions.json']));
  return {
    ok: findings.every(({ level }) => level === 'warning'),
    read: files.length,
    text: findings.map(({ level, rule, path, text }) => `${level} ${rule}: ${path}: ${text}`).join('\n'),
    alwaysShown: true,
  };
}

/** Only the contract uses the words enterprise, group and reader. */
async function checkDomainWords() {
  const { inspectDomainWords } = await import('../checks/domain-words.ts');
  const tree = Object.fromEntries(listFiles().map((path) => [path, readIfThere(path)]));
  const { domainWords } = JSON.parse(tree['checks/exceptions.json']);
  const { files, seen, findings } = inspectDomainWords(tree, domainWords);
  const nothing = seen === 0 ? ['No names were read, so none were checked.'] : [];
  return { ok: findings.length + nothing.length === 0, read: files, text: [...nothing, ...findings].join('\n') };
}

/** Reports how many names and texts it read, because a check that reads none would always pass. */
async function checkPlainWords() {
  const { inspectPlainWords } = await import('../checks/plain-words.ts');
  const tree = Object.fromEntries(listFiles().map((path) => [path, readIfThere(path)]));
  const { plainWords } = JSON.parse(tree['checks/exceptions.json']);
  const { files, names, texts, findings } = inspectPlainWords(tree, plainWords);
  const text = [`${names} names and ${texts} texts read`, ...findings].join('\n');
  return { ok: findings.length === 0 && names > 0 && texts > 0, read: files, text, alwaysShown: true };
}

/** Tests wait in one way, and measure no durations. */
async function checkWaiting() {
  const { inspectWaiting } = await import('../checks/waiting.ts');
  const tree = Object.fromEntries(listFiles().map((path) => [path, readIfThere(path)]));
  const { waiting } = JSON.parse(tree['checks/exceptions.json']);
  const { files, findings } = inspectWaiting(tree, waiting);
  return { ok: findings.length === 0, read: files, text: findings.join('\n') };
}

/** The web app has one live region. */
async function checkLiveRegions() {
  const { inspectLiveRegions } = await import('../checks/live-regions.ts');
  const { files, findings } = inspectLiveRegions(
    Object.fromEntries(listFiles().map((path) => [path, readIfThere(path)])),
  );
  return { ok: findings.length === 0, read: files, text: findings.join('\n') };
}

/** What a module of the web app remembers is cleared at a log out, or is not about a user. */
async function checkModuleState() {
  const { inspectModuleState } = await import('../checks/module-state.ts');
  const tree = Object.fromEntries(listFiles().map((path) => [path, readIfThere(path)]));
  const { moduleState } = JSON.parse(tree['checks/exceptions.json']);
  const { files, found, findings } = inspectModuleState(tree, moduleState);
  return { ok: findings.length === 0 && found > 0, read: files, text: findings.join('\n') };
}

/** The settings that tests, journeys and benches change are listed with a reason. Prints the list. */
async function checkTestSettings() {
  const { inspectTestSettings } = await import('../checks/test-settings.ts');
  const { ownSettings, sharedSettings } = await import('../server/src/testing/test-settings.ts');
  const tree = Object.fromEntries(listFiles().map((path) => [path, readIfThere(path)]));
  const { files, list, findings } = inspectTestSettings(tree, sharedSettings, ownSettings);
  return { ok: findings.length === 0, read: files, text: [...list, ...findings].join('\n'), alwaysShown: true };
}

/** The SQL that new migrations send, against statements that lock a table for long or break the version before. */
async function checkMigrations() {
  const { recordMigrations } = await import('../checks/migration-sql.ts');
  const { recorded, count } = await recordMigrations();
  const folder = mkdtempSync(join(os.tmpdir(), 'portal-migrations-'));
  const files = recorded.map(({ name, sql }) => {
    const file = join(folder, `${name}.sql`);
    writeFileSync(file, sql);
    return file;
  });
  const config = ['--config', join(root, '.squawk.toml'), '--reporter', 'gcc'];
  const { ok, text } = files.length > 0 ? await ask('squawk', ...config, ...files) : { ok: true, text: '' };
  rmSync(folder, { recursive: true });
  return { ok, read: count, text: text.replaceAll(`${folder}/`, '') };
}

/** The OpenAPI document by two linters, which find different faults. */
async function checkOpenapi() {
  const { lintOpenapi } = await import('../checks/openapi.ts');
  const { document, operations, findings } = await lintOpenapi();
  const folder = mkdtempSync(join(os.tmpdir(), 'portal-openapi-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const config = join(root, 'checks/redocly.yaml');
  const { output, text } = await ask('redocly', 'lint', file, '--config', config, '--format', 'json');
  rmSync(folder, { recursive: true });
  if (!output.startsWith('{')) return { ok: false, read: 0, text };
  const problems = JSON.parse(output).problems.map(
    ({ ruleId, message, location }) => `redocly ${ruleId}: ${location[0]?.pointer}: ${message}`,
  );
  const all = [...findings, ...problems];
  return { ok: all.length === 0, read: operations, text: all.join('\n') };
}

/** What programs written for the last release can no longer do is in the changelog. */
async function checkContract() {
  const { inspectContract } = await import('../checks/openapi.ts');
  const { recorded, findings } = inspectContract(
    readIfThere('contract/recorded/openapi.json'),
    readIfThere('CHANGELOG.md'),
  );
  return { ok: findings.length === 0, read: recorded, text: findings.join('\n') };
}

/** Each statement of the specifications has a test that exists, or a decision. */
async function checkSpecification() {
  const { inspectSpecification } = await import('../checks/specification.ts');
  const tree = Object.fromEntries(listFiles().map((path) => [path, readIfThere(path)]));
  const { read, findings } = inspectSpecification(tree, JSON.parse(tree['docs/specification-sizes.json']));
  return { ok: findings.length === 0, read, text: findings.join('\n') };
}

/** Lists help pictures of screens that have changed since. Only a warning, because taking them again needs Chromium. */
async function checkGuides() {
  const { all, listStale } = await import('../guides/made-from.ts');
  const text = listStale().map((name) => `warning guide: ${name} shows a screen that has changed: npm run guides`);
  return { ok: true, read: Object.keys(all).length, text: text.join('\n'), alwaysShown: true };
}

/** A tool that is not installed is named and is no failure, because it is a program of the machine. */
async function checkDeploy() {
  const { findings, ran, absent, read } = lintDeploy();
  const list = (names) => names.join(', ') || 'none';
  const text = [`ran: ${list(ran)}; not on PATH: ${list(absent)}`, ...findings].join('\n');
  return { ok: findings.length === 0, read, text, alwaysShown: true };
}

/** Git also lists deleted files, and links to folders. */
function readIfThere(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return '';
  }
}

const checks = {
  'lint (oxlint)': checkLint,
  'types: contract': () => checkTypes('contract'),
  'types: server, seeds, bench': () => checkTypes('server'),
  'types: web': () => checkTypes('web'),
  'types: tests, checks, settings': () => checkTypes('tsconfig.tools.json'),
  'format (oxfmt; fix with npm run format)': checkFormat,
  'nothing unused (knip)': checkUnused,
  'who imports whom (dependency-cruiser)': checkImports,
  'structure (checks/structure.ts)': checkStructure,
  'school, class and pupil (checks/domain-words.ts)': checkDomainWords,
  'plain words (checks/plain-words.ts)': checkPlainWords,
  'tests on any machine (checks/waiting.ts)': checkWaiting,
  'one live region (checks/live-regions.ts)': checkLiveRegions,
  'no state outlives a log out (checks/module-state.ts)': checkModuleState,
  'settings that tests change (checks/test-settings.ts)': checkTestSettings,
  'migrations lock briefly (squawk)': checkMigrations,
  'OpenAPI (Redocly, Spectral)': checkOpenapi,
  'API as of the last release (contract/src/breaking-changes.ts)': checkContract,
  'specification (checks/specification.ts)': checkSpecification,
  'deployment (scripts/check-deploy.mjs)': checkDeploy,
  'pictures and videos of the help (guides/made-from.ts)': checkGuides,
};

async function runCheck(name, check) {
  const start = performance.now();
  const { ok, read, text, alwaysShown } = await check();
  const good = ok && read > 0;
  console.log(`${good ? '✓' : '✗'} ${name}: ${read} files read (${seconds(start)})`);
  const lines = [...(read === 0 ? ['It read nothing, so it has checked nothing.'] : []), text.trim()].join('\n').trim();
  if ((!good || alwaysShown) && lines) console.log(lines.replaceAll(/^/gm, '  '));
  return { name, good, text: lines };
}

/** Runs as many checks at the same time as there are processors. */
async function runChecks() {
  const waiting = Object.entries(checks);
  const results = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await runCheck(...next));
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, work));
  const failures = results.filter(({ good }) => !good).map(({ name, text }) => ({ name, text }));
  return { passed: results.length - failures.length, failures };
}

/** checks/structure.ts needs a Node that reads TypeScript. */
const readsTypeScript = process.features.typescript !== undefined && process.features.typescript !== false;

try {
  if (!hasGit) throw new SetupError('The checks list the files of the project with git: install git and try again.');
  await installPackages('all');
  if (!readsTypeScript) process.exitCode = await run(nodeBin, process.argv.slice(1));
  else {
    const result = await runChecks();
    const report = process.argv[process.argv.indexOf('--report') + 1];
    if (process.argv.includes('--report')) writeFileSync(report, JSON.stringify(result));
    const failed = result.failures.length;
    log(`Checks: ${result.passed} passed, ${failed} failed.`);
    process.exitCode = failed > 0 ? 1 : 0;
  }
} catch (error) {
  showAndExit(error);
}
