import { expect, test } from 'vitest';
import { attentionByPage, attentionOf, countWords, heatmapColumns } from './attention.ts';

test('attention is high from 50 and for -1, low between, and 0 means no attention', () => {
  expect([0, 1, 49, 50, 1000, -1].map(attentionOf)).toEqual(['none', 'low', 'low', 'high', 'high', 'high']);
});

test('every page of a book has its cell, 5 in a row up to 30 pages and 10 in a longer book', () => {
  expect(attentionByPage([60, 10], 4)).toEqual(['high', 'low', 'none', 'none']);
  expect(attentionByPage([60, 10, 0], 0)).toEqual(['high', 'low', 'none']);
  expect([1, 30, 31].map(heatmapColumns)).toEqual([5, 5, 10]);
});

test('repeated words are counted in the order of their first appearance', () => {
  expect(countWords(['the', 'moat', 'the'])).toEqual([
    { word: 'the', times: 2 },
    { word: 'moat', times: 1 },
  ]);
});
