import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { adminToken, PASSWORD, STAFF } from '../harness/environment.ts';
import { load, type LoadRequest, openLoad } from '../harness/load.ts';
import { atLeast, atMost, type Bench, type Figure, ms, percent, perSecond, times, info } from '../harness/figures.ts';
import { inTurns, median, quantile } from '../harness/rounds.ts';

const CONNECTIONS = 10;
const LISTS_PER_SECOND = 50;

/** Logins of different accounts, each from its own address, so that the rate limits are on and not reached. */
function createLogins(staff: number): () => LoadRequest {
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
export async function measureLogins({ environment, portal, pace }: Bench): Promise<Figure[]> {
  const next = createLogins(environment.schools * STAFF);
  const list = {
    path: '/v1/enterprises/1/readers?search=a&sort[name]=desc',
    headers: { authorization: `Bearer ${adminToken(1)}` },
  };
  const timeLists = async (seconds: number) => {
    const { responses } = await openLoad([portal], LISTS_PER_SECOND, seconds, () => list);
    return quantile(
      responses.map(({ milliseconds }) => milliseconds),
      0.99,
    );
  };
  const medianOf = await inTurns(pace, {
    logins: (seconds) => load(portal, CONNECTIONS, seconds, next),
    bare: async (seconds) => {
      const script = join(import.meta.dirname, '../harness/verify-passwords.ts');
      const words = [script, environment.passwordHash, PASSWORD, String(availableParallelism()), String(seconds)];
      const { stdout } = await promisify(execFile)(process.execPath, words);
      const [verifications = 0, processorTime = 0] = stdout.split(' ').map(Number);
      return { perSecond: verifications, processorTime };
    },
    idle: (seconds) => timeLists(seconds * 2),
    storm: async (seconds) =>
      (await Promise.all([timeLists(seconds * 2 - 0.5), load(portal, CONNECTIONS, seconds * 2, next)]))[0],
  });
  const rate = medianOf(({ logins, bare }) => logins.perSecond / bare.perSecond);
  const time = medianOf(({ logins, bare }) => logins.processorTime / bare.processorTime);
  return [
    info('Logins', perSecond(medianOf(({ logins }) => logins.perSecond))),
    info('Argon2id verifications alone', perSecond(medianOf(({ bare }) => bare.perSecond))),
    atLeast('Logins, of the verifications', rate, 0.85, percent),
    atMost('Login: processor time, of a verification', time, 1.2, times),
    info('Pupils list, p99 idle', ms(medianOf(({ idle }) => idle))),
    info('Pupils list, p99 during a storm of logins', ms(medianOf(({ storm }) => storm))),
    atMost(
      'Pupils list, p99: slower during the storm',
      medianOf(({ idle, storm }) => storm / idle),
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
  const staff = environment.schools * STAFF;
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
