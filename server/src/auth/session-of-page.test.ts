import { expect, test } from 'vitest';
import { oncePerPage, withSessionOfPage } from './session-of-page.ts';
import type { PupilSession } from './sessions.queries.ts';

const [token, otherToken] = [Buffer.from('token'), Buffer.from('other')];

/** Returns a new session each time; its pupil's ID is a counter. */
function finder() {
  let found = 0;
  return async (): Promise<PupilSession> => {
    found += 1;
    return { kind: 'reader', pupilId: found, schoolId: 1, tokenHash: token, lastUsedAt: new Date(0) };
  };
}
const idOf = async (tokenHash: Buffer, findSession: ReturnType<typeof finder>) =>
  ((await oncePerPage(tokenHash, findSession)) as PupilSession).pupilId;

test('the calls of a page look up its session once, also at the same time', async () => {
  const findSession = finder();
  const page = withSessionOfPage(async () => [
    ...(await Promise.all([idOf(token, findSession), idOf(token, findSession)])),
    await idOf(token, findSession),
  ]);
  expect(await page).toEqual([1, 1, 1]);
});

test('each token of a page has its own session', async () => {
  const findSession = finder();
  expect(await withSessionOfPage(() => Promise.all([idOf(token, findSession), idOf(otherToken, findSession)]))).toEqual(
    [1, 2],
  );
});

test('two pages that are rendered at the same time look up their sessions separately', async () => {
  const findSession = finder();
  const page = () => withSessionOfPage(() => idOf(token, findSession));
  expect(await Promise.all([page(), page()])).toEqual([1, 2]);
});

test('the session of a page is discarded with the page, also for work that continues', async () => {
  const findSession = finder();
  let leave = () => {};
  const gate = new Promise<void>((open) => void (leave = open));
  let late: Promise<number> | undefined;
  await withSessionOfPage(async () => {
    late = gate.then(() => idOf(token, findSession));
    await idOf(token, findSession);
  });
  leave();
  expect([await late, await idOf(token, findSession), await idOf(token, findSession)]).toEqual([2, 3, 4]);
});

test('a page that fails discards its session', async () => {
  const findSession = finder();
  await expect(
    withSessionOfPage(async () => {
      await idOf(token, findSession);
      throw new Error('not page');
    }),
  ).rejects.toThrow('not page');
  expect(await idOf(token, findSession)).toBe(2);
});
