import { availableParallelism } from 'node:os';
import { firstPupil, PUPILS, pupilToken, STAFF, staffToken } from '../harness/environment.ts';
import { atMost, type Bench, type Figure, info, ms, percent, perSecond, times } from '../harness/figures.ts';
import { type LoadRequest, type OpenLoad, openLoad } from '../harness/load.ts';
import { type Portal, servePortal } from '../harness/portal.ts';
import { buildSession } from '../harness/reading-session.ts';
import { median, quantile } from '../harness/rounds.ts';

/** Requests per second in the first load. */
const INITIAL_RATE = 60;
/** Enough for a trial on a machine that is busy with other work. */
const MIN_RATE = 15;
/** Measured loads keep the processors busy for this share. */
const TARGET_BUSY = 0.6;
const CALIBRATIONS = 5;
/** Measured loads. The median ignores one that a disk has delayed. */
const ROUNDS = 3;
/** Attempts to get valid loads. If too few are valid, the last ones are reported. */
const MAX_ROUNDS = 9;
/** The deviation from the target within which a load is valid. */
const BUSY_TOLERANCE = 0.03;
/** A load is invalid if the host gave more of the processors to other machines. */
const MAX_STOLEN = 0.01;

const randomIndex = (count: number): number => Math.floor(Math.random() * count);

/** Requests from random schools: nine in ten from staff, others from a pupil's device with five sessions. */
function createRequests({ schools, from, to }: Bench['environment']): () => LoadRequest {
  const calls: Record<string, (school: number) => string> = {
    'who am I': () => '/v1/users/me',
    'the school': (school) => `/v1/enterprises/${school}`,
    'pupils, by name': (school) =>
      `/v1/enterprises/${school}/readers?sort[name]=asc&page=${1 + randomIndex(5)}&per_page=50`,
    'pupils, searched': (school) =>
      `/v1/enterprises/${school}/readers?search=${['ada', 'be', 'green'][randomIndex(3)]}&sort[last_read_at]=desc&page=1&per_page=50`,
    'a pupil': (school) => `/v1/enterprises/${school}/readers/${firstPupil(school) + randomIndex(PUPILS)}`,
    'chart of a year': () =>
      `/v1/charts?name=group_reading_time_by_reading_level_over_time&start_date=${from}&end_date=${to}`,
    'who needs me': (school) => `/v1/enterprises/${school}/needs`,
  };
  const kinds = Object.keys(calls);
  return () => {
    const school = 1 + randomIndex(schools);
    if (Math.random() < 0.1) {
      const sessions = Array.from({ length: 5 }, () => buildSession());
      const token = pupilToken(firstPupil(school) + randomIndex(PUPILS));
      return {
        kind: 'intake',
        method: 'POST',
        path: '/v1/reader/sessions',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ sessions }),
      };
    }
    const kind = kinds[randomIndex(kinds.length)] ?? '';
    // Only the admin can read the school's chart and all of its pupils.
    const member = kind === 'a pupil' || kind === 'chart of a year' ? 0 : randomIndex(STAFF);
    const headers = { authorization: `Bearer ${staffToken((school - 1) * STAFF + 1 + member)}` };
    return { kind, path: calls[kind]?.(school) ?? '', headers };
  };
}

/**
 * Returns loads that reached the target on a host that left the processors to the machine. Short loads find the rate for
 * it first, and invalid loads are repeated at an adjusted rate.
 */
async function runLoads(
  portals: readonly Portal[],
  seconds: number,
  next: () => LoadRequest,
  { printLine }: Bench,
): Promise<OpenLoad[]> {
  const loads: OpenLoad[] = [];
  const isValid = ({ busy, stolen }: OpenLoad) =>
    Math.abs(busy - TARGET_BUSY) <= BUSY_TOLERANCE && stolen <= MAX_STOLEN;
  let rate = INITIAL_RATE;
  for (let n = 0; n < CALIBRATIONS + MAX_ROUNDS && loads.filter(isValid).length < ROUNDS; n += 1) {
    const isCalibration = n < CALIBRATIONS;
    const load = await openLoad(portals, rate, isCalibration ? Math.max(3, seconds / 6) : seconds, next);
    printLine(
      `${perSecond(rate)}: ${percent(load.busy)} busy, ${(load.stolen * 100).toFixed(1)} % stolen by the host.`,
    );
    if (!isCalibration) loads.push(load);
    // In steps, because an overloaded machine shows nothing about lower rates.
    rate = Math.max(MIN_RATE, rate * Math.min(Math.max(TARGET_BUSY / load.busy, 0.7), 1.5));
  }
  const valid = loads.filter(isValid);
  return valid.length < ROUNDS ? loads.slice(-ROUNDS) : valid;
}

/** How fast are responses for many schools on processors that are 60 % busy, with a process for each processor? */
export async function measureDayOfSchools(bench: Bench): Promise<Figure[]> {
  const { environment, isSmall } = bench;
  const portals: Portal[] = [];
  for (let n = 0; n < availableParallelism(); n += 1) portals.push(await servePortal(environment.url));
  const seconds = isSmall ? 5 : 60;
  const loads = await runLoads(portals, seconds, createRequests(environment), bench);
  for (const portal of portals) await portal.stop();
  const listTimes = (isChosen: (kind: string) => boolean) =>
    loads.map(({ responses }) =>
      responses.filter(({ kind }) => isChosen(kind)).map(({ milliseconds }) => milliseconds),
    );
  const isStaff = (kind: string) => kind !== 'intake';
  const slowness = listTimes(isStaff).map((values) => quantile(values, 0.99) / quantile(values, 0.5));
  const kinds = [...new Set(loads.flatMap(({ responses }) => responses.map(({ kind }) => kind)))].sort();
  const spread = (isChosen: (kind: string) => boolean) =>
    [0.5, 0.99].map((share) => ms(median(listTimes(isChosen).map((values) => quantile(values, share))))).join(', ');
  const rate = median(loads.map(({ responses }) => responses.length / seconds));
  return [
    info(`Requests of ${environment.schools} schools`, perSecond(rate)),
    info('Processors busy, including the load and the database', loads.map(({ busy }) => percent(busy)).join(', ')),
    info('Processors stolen by the host', loads.map(({ stolen }) => percent(stolen)).join(', ')),
    info('Staff: median and p99', spread(isStaff)),
    atMost('Staff: p99, of the median', median(slowness), 10, times),
    info('Staff: p99, of the median, in each load', slowness.map(times).join(', ')),
    ...kinds.map((name) =>
      info(
        `${name}: median and p99`,
        spread((kind) => kind === name),
      ),
    ),
  ];
}
