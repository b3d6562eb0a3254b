/**
 * `npm test -- --only proxies`: two processes of the portal behind nginx and Caddy, with the files of deploy/ and the
 * settings of docs/running.md, are upgraded one after the other while visitors send requests through both proxies. No
 * request may fail, each POST has its effect once, and no log contains the address of a request. `scripts/test.mjs` installs
 * the proxies and passes their programs, and the PostgreSQL server.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabaseAccount } from '#server/testing/database-account.ts';
import { freePort } from '../harness/postgres.ts';
import { type Clients, countEffects, makeClients, openDatabase } from './clients.ts';
import { Load, SECRET } from './load.ts';
import { killAll, Program, ROOT, waitUntil } from './processes.ts';
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

const folder = mkdtempSync(join(tmpdir(), 'portal-upgrade-'));
// The workers of nginx have an account of their own.
chmodSync(folder, 0o755);
const logs = join(folder, 'logs');
mkdirSync(logs);
const account = await createDatabaseAccount(server);
const settings = {
  STAGE: 'production',
  NODE_ENV: 'production',
  DATABASE_URL: account.url,
  DATA_DIR: join(folder, 'data'),
  PUBLIC_URL: `https://${HOST}`,
  CONTACT_EMAIL: `office@${HOST}`,
  SECRETS_KEY: randomBytes(33).toString('base64'),
  TRUST_PROXY: '127.0.0.1',
  // A machine with other work would reject requests, whose number is not the subject of the test.
  MAX_EVENT_LOOP_DELAY: '0',
};

/** A process of the portal on its port, as the unit of systemd starts it. */
class Portal {
  readonly port: number;
  readonly #log: string;
  #program: Program | undefined;

  constructor(port: number, name: string) {
    this.port = port;
    this.#log = join(logs, `${name}.log`);
  }

  async start(): Promise<void> {
    writeFileSync(this.#log, '', { flag: 'a' });
    const env = { PATH: process.env.PATH ?? '', ...settings, PORT: String(this.port) };
    this.#program = new Program(`The portal on ${this.port}`, process.execPath, ['server/start.mjs'], env, this.#log);
    await this.#program.waitUntilHealthy(`http://127.0.0.1:${this.port}/v1/health`);
  }

  kill(signal: NodeJS.Signals): void {
    this.#program?.kill(signal);
  }

  waitForEnd = (): Promise<void> => this.#program!.waitForEnd();

  /** How often its health was answered with a status, by its log. */
  countHealthAnswers(status: number): number {
    return readFileSync(this.#log, 'utf8').split(`"route":"GET /v1/health","status":${status}`).length - 1;
  }
}

/**
 * Waits until Caddy, which alone asks, has seen a status of a process. The process logs a reply before Caddy has read it, so
 * the second one counts.
 */
async function waitForCaddy(portal: Portal, status = 200): Promise<void> {
  const before = portal.countHealthAnswers(status);
  await waitUntil(`Caddy sees ${status}`, () => portal.countHealthAnswers(status) > before + 1);
}

/** The upgrade of docs/running.md. */
async function upgrade(first: Portal, second: Portal): Promise<void> {
  printStep('SIGTERM to the first process');
  first.kill('SIGTERM');
  await first.waitForEnd();
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
  const ports = [await freePort(), await freePort()];
  const [first, second] = [new Portal(ports[0]!, 'portal-1'), new Portal(ports[1]!, 'portal-2')];
  printStep('Two processes, nginx and Caddy');
  await first.start();
  const [proxies] = await Promise.all([
    Promise.all([startNginx(nginx, folder, ports), startCaddy(caddy, folder, ports)]),
    second.start(),
  ]);
  const { database, build } = openDatabase(settings);
  try {
    printStep('Schools');
    const parties: { proxy: Proxy; clients: Clients; buyers: { id: number }[]; load: Load }[] = [];
    for (const proxy of proxies) {
      const clients = await makeClients(build);
      parties.push({ proxy, clients, buyers: [...clients.buyers], load: new Load(proxy, clients) });
    }
    await Promise.all([first, second].map((portal) => waitForCaddy(portal)));
    printStep('Load');
    for (const { load } of parties) load.start();
    // Each kind of request has been sent before the first signal.
    await waitUntil('the load runs', () => parties.every(({ load }) => load.sent > 60));
    await upgrade(first, second);
    await Promise.all(parties.map(({ load }) => load.stop()));
    printStep('The end of the load');
    for (const { proxy, clients, buyers, load } of parties) {
      check(`${proxy.name}: each of ${load.sent} requests during the upgrade is answered`, load.failures);
      const stored = await countEffects(settings.DATABASE_URL, clients, buyers);
      check(`${proxy.name}: each POST has its effect once`, compareEffects(load, stored));
    }
    for (const portal of [first, second]) portal.kill('SIGINT');
    await Promise.all([first, second].map((portal) => portal.waitForEnd()));
    for (const { proxy, load } of parties) {
      const statuses = [await load.openSecretLink(), await load.openSecretLink()];
      check(
        `${proxy.name}: answers 502 or 503 without a process`,
        statuses.filter((status) => status !== 502 && status !== 503).map(String),
      );
      load.close();
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
  rmSync(folder, { recursive: true, force: true });
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void removeAll().finally(() => process.exit(1)));

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
