import type { PupilWithNeeds } from '#contract/calls/reading-needs.ts';
import { expect, test } from 'vitest';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { renderNeedsList } from './needs-list.document.ts';

const makePupil = (id: number): PupilWithNeeds => ({
  id,
  name: `Pupil ${id}`,
  group: null,
  needs: [{ reason: 'No books assigned', evidence: { kind: 'nothing_assigned' }, tried: null }],
});

test.each([
  [13, 1],
  [18, 2],
  [60, 4],
])('a printed list of %i pupils with one reason each has %i pages', async (pupils, pages) => {
  const bytes = await renderNeedsList({
    product: 'Storylark',
    name: 'Year 3 Wrens',
    date: '18 November 2026',
    pupils: Array.from({ length: pupils }, (_, index) => makePupil(index)),
  });
  expect((await extractText(await getDocumentProxy(bytes))).totalPages).toBe(pages);
});
