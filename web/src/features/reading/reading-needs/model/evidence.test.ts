import { expect, it } from 'vitest';
import { evidencePath } from './evidence.ts';

const DAYS = { from: '2026-10-08', to: '2026-11-18' };
const pupil = { id: 7, group: { id: 3, name: 'Owls' } };

it('a reason links to its evidence', () => {
  const low = { kind: 'low_accuracy', accuracy: 84, words: 200, reading_level: 2 } as const;
  expect(evidencePath(pupil, low, DAYS)).toBe('/classes/3/pupils/7?from=2026-10-08&to=2026-11-18&accuracy=2');
  expect(evidencePath({ id: 7, group: null }, low, DAYS)).toBe('/pupils/7?from=2026-10-08&to=2026-11-18&accuracy=2');
  expect(evidencePath(pupil, { kind: 'nothing_assigned' }, DAYS)).toBe('/classes/3/pupils/7/books');
  const begun = { kind: 'unfinished', book_id: 102, book_title: 'The Wet Pup', times: 3 } as const;
  expect(evidencePath(pupil, begun, DAYS)).toBe('/pupils/7/books/102');
});

it('the evidence of a pupil who has not read for long reaches back to the last reading', () => {
  const since = (last_read_on: string | null) =>
    evidencePath(pupil, { kind: 'not_read', school_days: 9, last_read_on }, DAYS).split('?')[1];
  expect(since('2026-05-04')).toBe('from=2026-05-04&to=2026-11-18');
  expect(since('2026-11-04')).toBe('from=2026-10-08&to=2026-11-18');
  expect(since(null)).toBe('from=2026-10-08&to=2026-11-18');
});
