import { execFile } from 'node:child_process';
import { Agent, get } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { adminToken, PASSWORD } from './database.ts';
import { load, probe } from './load.ts';
import { atLeast, atMost, type Bench, type Figure, ms, percent, perSecond, times, told } from './measure.ts';
import { inTurns, median, quantile } from './rounds.ts';

const CONNECTIONS = 10;
const PROBES_PER_SECOND = 50;

/** Logins of one account after the other, each from an address of its own: the limits stay on and are not reached. */
function loginsOf(
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

/** Logins against verifications alone, and how quick another call stays meanwhile. */
export async function measureLogin({ world, portal, pace }: Bench): Promise<Figure[]> {
  const next = loginsOf(world.schools * 8);
  const agent = new Agent({ keepAlive: true });
  const askList = () =>
    new Promise<void>((resolve, reject) => {
      const headers = { authorization: `Bearer ${adminToken(1)}` };
      get(`${portal.url}/v1/enterprises/1/readers?search=a&sort[name]=desc`, { agent, headers }, (response) => {
        response
          .resume()
          .once('end', () =>
            response.statusCode === 200 ? resolve() : reject(new Error(`The list answered ${response.statusCode}.`)),
          );
      }).once('error', reject);
    });
  const rounds = await inTurns(pace, {
    logins: (seconds) => load(portal, CONNECTIONS, seconds, next),
    bare: async (seconds) => {
      const args = [
        join(import.meta.dirname, 'argon.ts'),
        world.passwordHash,
        PASSWORD,
        String(availableParallelism()),
        String(seconds),
      ];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      const [verifications = 0, processorTime = 0] = stdout.split(' ').map(Number);
      return { perSecond: verifications, processorTime };
    },
    quiet: async (seconds) => ({ p99: quantile(await probe(PROBES_PER_SECOND, seconds * 2, askList), 0.99) }),
    storm: async (seconds) => {
      const storm = load(portal, CONNECTIONS, seconds * 2, next);
      const answered = quantile(await probe(PROBES_PER_SECOND, seconds * 2 - 0.5, askList), 0.99);
      await storm;
      return { p99: answered };
    },
  });
  agent.destroy();
  return [
    told('Logins', perSecond(median(rounds.map((round) => round.logins.perSecond)))),
    told('Argon2id verifications alone', perSecond(median(rounds.map((round) => round.bare.perSecond)))),
    atLeast(
      'Logins of the verifications',
      median(rounds.map((round) => round.logins.perSecond / round.bare.perSecond)),
      0.85,
      percent,
    ),
    atMost(
      'Login, processor time of its hash',
      median(rounds.map((round) => round.logins.processorTime / round.bare.processorTime)),
      1.2,
      times,
    ),
    told('Pupils list, p99 in quiet', ms(median(rounds.map((round) => round.quiet.p99)))),
    told('Pupils list, p99 in a storm of logins', ms(median(rounds.map((round) => round.storm.p99)))),
    atMost('Slower in the storm', median(rounds.map((round) => round.storm.p99 / round.quiet.p99)), 5, times),
  ];
}

const PAIRS = 400;
/** So far from half may the share of pairs lie by chance: three standard deviations. */
const BY_CHANCE = 3 * Math.sqrt(0.25 / PAIRS);

/** Whether the time of a refusal tells that an account exists: pairs of a known and an unknown address, in changing order. */
export async function measureRefusals({ world, portal }: Bench): Promise<Figure[]> {
  const refuse = async (email: string, n: number) => {
    const start = performance.now();
    const response = await fetch(`${portal.url}/v1/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.200.${(n >> 8) & 255}.${n & 255}` },
      body: JSON.stringify({ email, password: 'not the password' }),
    });
    if (response.status !== 401) throw new Error(`A wrong password was answered with ${response.status}.`);
    await response.arrayBuffer();
    return performance.now() - start;
  };
  const staff = world.schools * 8;
  const known: number[] = [];
  const unknown: number[] = [];
  for (let n = 0; n < PAIRS; n += 1) {
    const asks = [
      async () => known.push(await refuse(`staff-${1 + (n % staff)}@school.example`, n)),
      async () => unknown.push(await refuse(`nobody-${1 + (n % staff)}@school.example`, n)),
    ];
    for (const ask of n % 2 ? asks : asks.toReversed()) await ask();
  }
  const longer = known.filter((time, n) => time > (unknown[n] ?? 0)).length / PAIRS;
  return [
    told('Refused login of a known address', ms(median(known))),
    told('Refused login of an unknown address', ms(median(unknown))),
    told('Pairs in which the known one took longer', percent(longer)),
    atMost('Their distance from half, by chance up to', Math.abs(longer - 0.5), BY_CHANCE, percent),
  ];
}
