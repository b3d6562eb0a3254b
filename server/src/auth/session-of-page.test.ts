import { expect, test } from 'vitest';
import { oncePerPage, withSessionOfPage } from './session-of-page.ts';
import type { PupilSession } from './sessions.queries.ts';

const [own, another] = [Buffer.from('own'), Buffer.from('another')];

/** Returns a new session each time; its pupil's ID is a counter. */
function finder() {
  let found = 0;
  return async (): Promise<PupilSession> => {
    found += 1;
    return { kind: 'reader', pupilId: found, schoolId: 1, tokenHash: own, lastUsedAt: new Date(0) };
  };
}
const idOf = async (token: Buffer, findSession: ReturnType<typeof finder>) =>
  ((await oncePerPage(token, findSession)) as PupilSession).pupilId;

test('the calls of a page look up the session once, also at the same time', async () => {
  const findSession = finder();
  const page = withSessionOfPage(async () => [
    ...(await Promise.all([idOf(own, findSession), idOf(own, findSession)])),
    await idOf(own, findSession),
  ]);
  expect(await page).toEqual([1, 1, 1]);
});

test('another token is another session', async () => {
  const findSession = finder();
  expect(await withSessionOfPage(() => Promise.all([idOf(own, findSession), idOf(another, findSession)]))).toEqual([
    1, 2,
  ]);
});

test('two pages rendered at the same time share nothing', async () => {
  const findSession = finder();
  const page = () => withSessionOfPage(() => idOf(own, findSession));
  expect(await Promise.all([page(), page()])).toEqual([1, 2]);
});

test('the session of a page is discarded with it, also for work that continues', async () => {
  const findSession = finder();
  let leave = () => {};
  const gate = new Promise<void>((open) => void (leave = open));
  let late: Promise<number> | undefined;
  await withSessionOfPage(async () => {
    late = gate.then(() => idOf(own, findSession));
    await idOf(own, findSession);
  });
  leave();
  expect([await late, await idOf(own, findSession), await idOf(own, findSession)]).toEqual([2, 3, 4]);
});

test('a page that fails discards it too', async () => {
  const findSession = finder();
  await expect(
    withSessionOfPage(async () => {
      await idOf(own, findSession);
      throw new Error('not page');
    }),
  ).rejects.toThrow('not page');
  expect(await idOf(own, findSession)).toBe(2);
});
