import { errorReply } from '#contract/error-reply.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { operationIds, RequestFuzzer } from '../testing/fuzz-requests.ts';
import { pauseRecording } from '../testing/statement-recorder.ts';

const app = testApp();
beforeAll(() => pauseRecording(true));
afterAll(() => pauseRecording(false));
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? (process.env.TEST_BREADTH === 'sample' ? 1000 : 2000));
const SEED = process.env.FUZZ_SEED ?? 'the same in every run';
/** Processor time in milliseconds for which one request may block the event loop. */
const MAX_TURN_MS = 200;

/** Interval in milliseconds between readings of the thread's processor time; a shorter one would take most of it. */
const LOOK_EVERY = 5;

/** The longest turn of the event loop during some work, in milliseconds of this thread's processor time. */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(look, LOOK_EVERY);
  await work();
  clearInterval(timer);
  look();
  return longest;
}

test(`${REQUESTS} requests made from the OpenAPI document are answered as it declares, none by 5xx, none at length`, async () => {
  const fuzzer = new RequestFuzzer(SEED);
  const statuses = new Map<number, number>();
  const tried = new Set<string>();
  const faults: object[] = [];
  let longest = 0;
  for (let n = 0; n < REQUESTS; n += 1) {
    // Logouts end sessions, and pupils are deleted.
    if (n % 40 === 0) {
      const { school, otherSchool } = await app.build.twoSchools();
      const [operator, guest] = [await app.build.operator(), await app.build.person('standard')];
      fuzzer.visit(school, [otherSchool.admin.token, operator.token, guest.token]);
      // Warm-up: later requests find everything that the first of its kind initialises.
      if (n === 0)
        for (const path of ['/openapi.json', '/health', '/users/me'])
          await app.ask('GET', path, { token: school.admin.token });
    }
    app.setTime(new Date(Date.parse('2026-11-18T12:00:00Z') + n * 1000).toISOString());
    const { operationId, statuses: declared, payload, ...request } = fuzzer.next();
    tried.add(operationId);
    const fault = (what: string, status?: number) =>
      faults.push({
        n,
        operationId,
        what,
        status,
        url: request.url.slice(0, 200),
        headers: request.headers,
        payload: payload?.toString().slice(0, 300),
      });
    const send = () => app.fastify.inject({ ...request, ...(payload === undefined ? {} : { payload }) });
    let longestTurnMs = await longestTurn(async () => {
      const answer = await send();
      const { statusCode, headers } = answer;
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      if (statusCode >= 500) fault('an error of the server', statusCode);
      else if (!declared.has(statusCode)) fault('not declared', statusCode);
      // The app in a test validates replies of status 200 against their schema.
      if (statusCode >= 400 && !errorReply.safeParse(JSON.parse(answer.payload)).success)
        fault('another shape', statusCode);
      if (!headers['content-security-policy']) fault('no security headers', statusCode);
    });
    // A slow turn may be garbage collection: the request is sent again, and only a second slow turn counts.
    if (longestTurnMs > MAX_TURN_MS)
      longestTurnMs = Math.min(longestTurnMs, await longestTurn(async () => void (await send())));
    if (longestTurnMs > MAX_TURN_MS) fault(`blocked the event loop for ${Math.round(longestTurnMs)} ms`);
    longest = Math.max(longest, longestTurnMs);
  }
  const byStatus = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(
    `${REQUESTS} requests to ${tried.size} calls, seed "${SEED}": ${byStatus.join(', ')}; longest turn ${Math.round(longest)} ms`,
  );
  expect(faults).toEqual([]);
  expect([...operationIds].filter((id) => !tried.has(id))).toEqual([]);
  expect((statuses.get(200) ?? 0) / REQUESTS).toBeGreaterThan(0.1);
}, 3_600_000);
