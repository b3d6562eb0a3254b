import { expect, test } from 'vitest';
import { listWords } from './practice-words.ts';

const word = (spelling: string, readings: number, is_common = false) => ({
  word: spelling,
  readings,
  is_common,
  books: [],
});

test('the words of one pupil keep their order and count readings', () => {
  expect(listWords([{ id: 1, name: 'Ada', words: [word('where', 3, true), word('bridge', 1)] }])).toEqual([
    { word: 'where', isCommon: true, extent: '3 readings' },
    { word: 'bridge', isCommon: false, extent: '1 reading' },
  ]);
});

test('the words of several pupils are merged ignoring case, those of most pupils first, in lower case unless all are capitalised', () => {
  const listed = listWords([
    { id: 1, name: 'Ada', words: [word('Nettlebrook', 5), word('Bridge', 1)] },
    { id: 2, name: 'Ben', words: [word('bridge', 1), word('light', 2)] },
  ]);
  expect(listed).toEqual([
    { word: 'bridge', isCommon: false, extent: '2 pupils' },
    { word: 'Nettlebrook', isCommon: false, extent: '1 pupil' },
    { word: 'light', isCommon: false, extent: '1 pupil' },
  ]);
});
