import { afterEach, expect, it } from 'vitest';
import { ApiError } from '../shared/api-error.ts';
import { resetForSession } from '../shared/session-reset.ts';
import { callForPresent } from './present-pupils.ts';
import { getToasts } from './toasts.ts';

afterEach(() => resetForSession(null));

const NAMES = ['Amara Nwachukwu', 'Ben Crane', 'Cleo Wren', 'Dev Heron', 'Elin Rook'];
const pupils = NAMES.map((name, index) => ({ id: index + 1, name }));
const messages = () => getToasts().map(({ text }) => text);

/** A call that the server rejects while it is for pupils who do not exist. */
function callWithout(missing: readonly number[]) {
  const sent: number[][] = [];
  const makeCall = async (found: readonly { id: number }[]) => {
    const ids = found.map(({ id }) => id);
    sent.push(ids);
    const missingIds = ids.filter((id) => missing.includes(id));
    if (missingIds.length > 0)
      throw new ApiError(404, { error: 'Some were not found', error_type: 'not_found', reader_ids: missingIds });
    return ids.length;
  };
  return { sent, makeCall };
}

it('a call for several pupils is made again for the others when one no longer exists, whom a message names', async () => {
  const { sent, makeCall } = callWithout([1]);
  const { present, reply } = await callForPresent(pupils, makeCall);
  expect(sent).toEqual([
    [1, 2, 3, 4, 5],
    [2, 3, 4, 5],
  ]);
  expect([reply, present.map(({ name }) => name)]).toEqual([4, NAMES.slice(1)]);
  expect(messages()).toEqual(['Amara Nwachukwu is no longer in the school']);
});

it.each([
  [[1, 2], 'Amara Nwachukwu and Ben Crane are no longer in the archive'],
  [[1, 2, 3], 'Amara Nwachukwu, Ben Crane and Cleo Wren are no longer in the archive'],
  [[1, 2, 3, 4], 'Amara Nwachukwu, Ben Crane and 2 others are no longer in the archive'],
])('a message names up to three of the missing pupils %j', async (missing, text) => {
  await callForPresent(pupils, callWithout(missing).makeCall, 'the archive');
  expect(messages()).toEqual([text]);
});

it('a call for several pupils fails with their names when none of them exists', async () => {
  const { sent, makeCall } = callWithout([1, 2]);
  await expect(callForPresent(pupils.slice(0, 2), makeCall)).rejects.toMatchObject({
    error: 'Amara Nwachukwu and Ben Crane are no longer in the school.',
  });
  expect(sent).toHaveLength(1);
});

it('a call for several pupils that fails for another reason is not made again', async () => {
  let calls = 0;
  const failure = new ApiError(404, { error: 'No such class', error_type: 'not_found' });
  const makeCall = () => {
    calls += 1;
    return Promise.reject(failure);
  };
  await expect(callForPresent(pupils, makeCall)).rejects.toBe(failure);
  expect([calls, messages()]).toEqual([1, []]);
});
