import { expect, test } from 'vitest';
import { describeBookState, offeredLevel } from './book-state-words.ts';

test.each([
  [null, 1],
  [1, 1],
  [2, 1],
  [6, 5],
])('pupils whose commonest level is %j are first offered books of level %i', (commonest, offered) => {
  expect(offeredLevel(commonest)).toBe(offered);
});

test.each([
  [{ opened: 4, completed: 2, assigned: 0 }, 6, ['Opened by 4 of 6, finished by 2']],
  [{ opened: 1, completed: 0, assigned: 2 }, 3, ['Opened by 1 of 3', 'Assigned to 2 of 3']],
  [{ opened: 0, completed: 0, assigned: 6 }, 6, ['Assigned to 6 of 6']],
  [{ opened: 1, completed: 0, assigned: 1 }, 1, ['Opened', 'Assigned']],
  [{ opened: 1, completed: 1, assigned: 0 }, 1, ['Finished']],
])('the state %j of a book for %i pupils is: %j', (state, pupils, texts) => {
  expect(describeBookState({ id: 101, ...state }, pupils)).toEqual(texts);
});
