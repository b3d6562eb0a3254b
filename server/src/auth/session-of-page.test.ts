import { expect, test } from 'vitest';
import { oncePerPage, withSessionOfPage } from './session-of-page.ts';
import type { PupilSession } from './sessions.queries.ts';

const [mine, another] = [Buffer.from('mine'), Buffer.from('another')];

/** Answers a new session each time, as its pupil's id. */
function finder() {
  let found = 0;
  return async (): Promise<PupilSession> => {
    found += 1;
    return { kind: 'reader', pupilId: found, schoolId: 1, tokenHash: mine, lastUsedAt: new Date(0) };
  };
}
const idOf = async (token: Buffer, find: ReturnType<typeof finder>) =>
  ((await oncePerPage(token, find)) as PupilSession).pupilId;

test('the calls of a page find the session once, those at the same time too', async () => {
  const find = finder();
  const drawn = withSessionOfPage(async () => [
    ...(await Promise.all([idOf(mine, find), idOf(mine, find)])),
    await idOf(mine, find),
  ]);
  expect(await drawn).toEqual([1, 1, 1]);
});

test('another token is another session', async () => {
  const find = finder();
  expect(await withSessionOfPage(() => Promise.all([idOf(mine, find), idOf(another, find)]))).toEqual([1, 2]);
});

test('two pages drawn at once share nothing', async () => {
  const find = finder();
  const page = () => withSessionOfPage(() => idOf(mine, find));
  expect(await Promise.all([page(), page()])).toEqual([1, 2]);
});

test('what a page found is forgotten with it, also by work that it left behind', async () => {
  const find = finder();
  let leave = () => {};
  const gate = new Promise<void>((open) => void (leave = open));
  let late: Promise<number> | undefined;
  await withSessionOfPage(async () => {
    late = gate.then(() => idOf(mine, find));
    await idOf(mine, find);
  });
  leave();
  expect([await late, await idOf(mine, find), await idOf(mine, find)]).toEqual([2, 3, 4]);
});

test('a page that fails leaves nothing behind either', async () => {
  const find = finder();
  await expect(
    withSessionOfPage(async () => {
      await idOf(mine, find);
      throw new Error('not drawn');
    }),
  ).rejects.toThrow('not drawn');
  expect(await idOf(mine, find)).toBe(2);
});
