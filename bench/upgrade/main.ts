/**
 * `npm test -- --only proxies`: two processes of the portal behind nginx and Caddy, with the files of deploy/ and the
 * settings of docs/running.md, are upgraded one after the other while visitors send requests through both proxies. No
 * request may fail, each POST has its effect once, and no log contains the address of a request. `scripts/test.mjs` installs
 * the proxies and passes their programs, and the PostgreSQL server.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import { connectServer } from '#server/database/database.ts';
import { makeBuilder } from '#server/testing/builder.ts';
import { createDatabaseAccount } from '#server/testing/database-account.ts';
import { Portal } from '../harness/portal.ts';
import { cleanUpOnSignal, freePort, killAll, makeFolder, ROOT, waitUntil } from '../harness/program.ts';
import { countEffects, makeClients } from './clients.ts';
import { Load, SECRET } from './load.ts';
import { HOST, type Proxy, startCaddy, startNginx } from './proxies.ts';

const { nginx, caddy } = JSON.parse(process.env.PROXY_PROGRAMS ?? '{"nginx":"nginx","caddy":"caddy"}') as {
  nginx: string;
  caddy: string;
};
const server = process.env.E2E_DATABASE_URL;
if (!server) throw new Error('E2E_DATABASE_URL must name a PostgreSQL server: run npm test -- --only proxies.');

const begin = performance.now();
const printStep = (text: string) =>
  console.log(`${((performance.now() - begin) / 1000).toFixed(1).padStart(6)} s  ${text}`);

const report = { passed: 0, failures: [] as { file: string; name: string; text: string }[] };
function check(name: string, faults: readonly string[]): void {
  console.log(`${faults.length === 0 ? '✓' : '✗'} ${name}`);
  if (faults.length === 0) report.passed += 1;
  else report.failures.push({ file: 'upgrade', name, text: faults.slice(0, 8).join('\n') });
}

const folder = makeFolder();
const logs = join(folder, 'logs');
mkdirSync(logs);
const account = await createDatabaseAccount(server);
const settings = {
  STAGE: 'production',
  DATABASE_URL: account.url,
  DATA_DIR: join(folder, 'data'),
  PUBLIC_URL: `https://${HOST}`,
  CONTACT_EMAIL: `office@${HOST}`,
  SECRETS_KEY: randomBytes(33).toString('base64'),
  TRUST_PROXY: '127.0.0.1',
  // A machine with other work would reject requests, whose number is not the subject of the test.
  MAX_EVENT_LOOP_DELAY: '0',
};

const ports = [await freePort(), await freePort()] as const;
const logOf = (port: number): string => join(logs, `portal-${port}.log`);
const [first, second] = ports.map((port) => new Portal(port, settings, { log: logOf(port) })) as [Portal, Portal];

/**
 * Waits until Caddy, which alone requests the health then, has seen a status of a process. The process logs a reply before
 * Caddy has read it, so the second one counts.
 */
async function waitForCaddy(portal: Portal, status = 200): Promise<void> {
  const log = logOf(ports[portal === first ? 0 : 1]);
  const count = () => readFileSync(log, 'utf8').split(`"route":"GET /v1/health","status":${status}`).length;
  const before = count();
  await waitUntil(`Caddy sees ${status}`, () => count() > before + 1);
}

/** The upgrade of docs/running.md. */
async function upgrade(): Promise<void> {
  printStep('SIGTERM to the first process');
  await first.stop();
  printStep('It has ended; its start');
  await first.start();
  await waitForCaddy(first);
  printStep('SIGTERM to the second process, twice');
  second.kill('SIGTERM');
  await waitForCaddy(second, 503);
  second.kill('SIGTERM');
  await second.waitForEnd();
  printStep('It has ended; its start');
  await second.start();
  await waitForCaddy(second);
}

const listLogs = (): { name: string; text: string }[] =>
  readdirSync(logs).map((name) => ({ name, text: readFileSync(join(logs, name), 'utf8') }));

/** Names each log that contains the secret, with the line. */
const findSecrets = (): string[] =>
  listLogs().flatMap(({ name, text }) =>
    text
      .split('\n')
      .filter((line) => line.includes(SECRET))
      .slice(0, 2)
      .map((line) => `${name}: ${line.slice(0, 500)}`),
  );

/** Compares what was answered with what is stored. */
function compareEffects(load: Load, stored: Record<string, number>): string[] {
  const { done } = load;
  const pupils = (done.get('import') ?? 0) + (done.get('upload') ?? 0);
  const expected: Record<string, number> = { pupils };
  for (const name of ['reading session', 'login', 'order']) expected[name] = done.get(name) ?? 0;
  return Object.entries(expected).flatMap(([name, number]) => {
    if (number === 0) return [`${name}: the load sent none`];
    return stored[name] === number ? [] : [`${name}: ${number} answered, ${stored[name]} stored`];
  });
}

async function run(): Promise<void> {
  printStep('Two processes, nginx and Caddy');
  for (const portal of [first, second]) await portal.start();
  const proxies = [await startNginx(nginx, folder, ports), await startCaddy(caddy, folder, ports)];
  const database = connectServer(settings.DATABASE_URL);
  try {
    printStep('Schools');
    const build = makeBuilder({ config: readConfig(settings), database, clock: systemClock });
    const prepare = async (proxy: Proxy) => {
      const clients = await makeClients(build);
      return { proxy, clients, load: new Load(proxy, clients) };
    };
    const parties = [await prepare(proxies[0]!), await prepare(proxies[1]!)];
    await Promise.all([waitForCaddy(first), waitForCaddy(second)]);
    printStep('Load');
    for (const { load } of parties) load.start();
    // Each kind of request has been sent before the first signal.
    await waitUntil('the load runs', () => parties.every(({ load }) => load.sent > 60));
    await upgrade();
    await Promise.all(parties.map(({ load }) => load.stop()));
    printStep('The end of the load');
    for (const { proxy, clients, load } of parties) {
      check(`${proxy.name}: each of ${load.sent} requests during the upgrade is answered`, load.failures);
      const stored = await countEffects(settings.DATABASE_URL, clients);
      check(`${proxy.name}: each POST has its effect once`, compareEffects(load, stored));
    }
    await Promise.all([first.stop('SIGINT'), second.stop('SIGINT')]);
    for (const { proxy, load } of parties) {
      const statuses = [await load.openSecretLink(), await load.openSecretLink()];
      const others = statuses.filter((status) => status !== 502 && status !== 503).map(String);
      check(`${proxy.name}: answers 502 or 503 without a process`, others);
    }
    await waitUntil('the proxies have written their logs', () => {
      const [caddyLog, nginxLog] = ['caddy.log', 'portal.log'].map((name) => readFileSync(join(logs, name), 'utf8'));
      return /"status":50[23]/.test(caddyLog!) && /"GET 50[23]"/.test(nginxLog!);
    });
    check('No log of the proxies and the portal contains the path, query or Referer of a request', findSecrets());
  } finally {
    await database.close();
  }
}

async function removeAll(): Promise<void> {
  await killAll();
  await account.remove();
}
cleanUpOnSignal(removeAll);

try {
  await run();
} catch (error) {
  check('The upgrade runs to its end', [String((error as Error).stack)]);
} finally {
  if (report.failures.length > 0)
    for (const { name, text } of listLogs()) {
      const errors = text.split('\n').filter((line) => /"level":("error"|50|60)|" 50\d|"POST 50\d/.test(line));
      console.log(`--- ${name}\n${errors.slice(0, 20).join('\n')}`);
    }
  await removeAll();
}
printStep('Done');
for (const { name, text } of report.failures) console.log(`✗ ${name}\n${text}`);
mkdirSync(join(ROOT, 'test-results'), { recursive: true });
writeFileSync(join(ROOT, 'test-results/proxies.json'), JSON.stringify(report));
process.exitCode = report.failures.length > 0 ? 1 : 0;
