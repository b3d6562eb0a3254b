import { execFile } from 'node:child_process';
import { Agent, get } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { adminToken, PASSWORD } from '../harness/environment.ts';
import { load, probe } from '../harness/load.ts';
import { atLeast, atMost, type Bench, type Figure, ms, percent, perSecond, times, info } from '../harness/figures.ts';
import { inTurns, median, quantile } from '../harness/rounds.ts';

const CONNECTIONS = 10;
const PROBES_PER_SECOND = 50;

/** Logins of different accounts, each from its own address, so that the rate limits are on and not reached. */
function createLogins(
  staff: number,
): () => { method: 'POST'; path: string; headers: Record<string, string>; body: string } {
  let n = 0;
  return () => {
    n += 1;
    return {
      method: 'POST',
      path: '/v1/auth',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
      },
      body: JSON.stringify({ email: `staff-${1 + (n % staff)}@school.example`, password: PASSWORD }),
    };
  };
}

/** How fast are logins compared with verifying passwords, and how much do they slow down other calls? */
export async function measureLogin({ environment, portal, pace }: Bench): Promise<Figure[]> {
  const next = createLogins(environment.schools * 8);
  const agent = new Agent({ keepAlive: true });
  const getList = () =>
    new Promise<void>((resolve, reject) => {
      const headers = { authorization: `Bearer ${adminToken(1)}` };
      get(`${portal.url}/v1/enterprises/1/readers?search=a&sort[name]=desc`, { agent, headers }, (response) => {
        response
          .resume()
          .once('end', () =>
            response.statusCode === 200 ? resolve() : reject(new Error(`The list returned ${response.statusCode}.`)),
          );
      }).once('error', reject);
    });
  const rounds = await inTurns(pace, {
    logins: (seconds) => load(portal, CONNECTIONS, seconds, next),
    bare: async (seconds) => {
      const args = [
        join(import.meta.dirname, '../harness/verify-passwords.ts'),
        environment.passwordHash,
        PASSWORD,
        String(availableParallelism()),
        String(seconds),
      ];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      const [verifications = 0, processorTime = 0] = stdout.split(' ').map(Number);
      return { perSecond: verifications, processorTime };
    },
    idle: async (seconds) => ({ p99: quantile(await probe(PROBES_PER_SECOND, seconds * 2, getList), 0.99) }),
    storm: async (seconds) => {
      const storm = load(portal, CONNECTIONS, seconds * 2, next);
      const p99 = quantile(await probe(PROBES_PER_SECOND, seconds * 2 - 0.5, getList), 0.99);
      await storm;
      return { p99 };
    },
  });
  agent.destroy();
  return [
    info('Logins', perSecond(median(rounds.map((round) => round.logins.perSecond)))),
    info('Argon2id verifications alone', perSecond(median(rounds.map((round) => round.bare.perSecond)))),
    atLeast(
      'Logins, of the verifications',
      median(rounds.map((round) => round.logins.perSecond / round.bare.perSecond)),
      0.85,
      percent,
    ),
    atMost(
      'Login: processor time, of a verification',
      median(rounds.map((round) => round.logins.processorTime / round.bare.processorTime)),
      1.2,
      times,
    ),
    info('Pupils list, p99 idle', ms(median(rounds.map((round) => round.idle.p99)))),
    info('Pupils list, p99 during a storm of logins', ms(median(rounds.map((round) => round.storm.p99)))),
    atMost(
      'Pupils list, p99: slower during the storm',
      median(rounds.map((round) => round.storm.p99 / round.idle.p99)),
      5,
      times,
    ),
  ];
}

const PAIRS = 400;
/** Three standard deviations from one half. */
const MAX_DEVIATION = 3 * Math.sqrt(0.25 / PAIRS);

/** Does the time of a failed login reveal whether an account exists? Compares pairs of a known and an unknown address. */
export async function measureLoginTiming({ environment, portal }: Bench): Promise<Figure[]> {
  const timeFailedLogin = async (email: string, n: number) => {
    const start = performance.now();
    const response = await fetch(`${portal.url}/v1/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.200.${(n >> 8) & 255}.${n & 255}` },
      body: JSON.stringify({ email, password: 'not the password' }),
    });
    if (response.status !== 401) throw new Error(`A wrong password returned ${response.status}.`);
    await response.arrayBuffer();
    return performance.now() - start;
  };
  const staff = environment.schools * 8;
  const known: number[] = [];
  const unknown: number[] = [];
  for (let n = 0; n < PAIRS; n += 1) {
    const attempts = [
      async () => known.push(await timeFailedLogin(`staff-${1 + (n % staff)}@school.example`, n)),
      async () => unknown.push(await timeFailedLogin(`unknown-${1 + (n % staff)}@school.example`, n)),
    ];
    for (const attempt of n % 2 ? attempts : attempts.toReversed()) await attempt();
  }
  const longer = known.filter((time, n) => time > (unknown[n] ?? 0)).length / PAIRS;
  return [
    info('Failed login with a known address', ms(median(known))),
    info('Failed login with an unknown address', ms(median(unknown))),
    info('Pairs in which the known address took longer', percent(longer)),
    atMost('Distance from one half; by chance at most', Math.abs(longer - 0.5), MAX_DEVIATION, percent),
  ];
}
