import { expect, it } from 'vitest';
import { changesInWords, describeArrival, originName, stateInWords, undoInWords } from './run-text.ts';

const run = {
  id: 1,
  kind: 'oneroster',
  origin: 'file',
  title: null,
  state: 'applied',
  created_at: '2026-11-18T02:00:00.000Z',
  created_by: { id: 2, name: 'Olive Marsh' },
  closed_at: '2026-11-18T09:00:00.000Z',
  closed_by: { id: 2, name: 'Olive Marsh' },
  is_automatic: false,
  counts: null,
  undo_until: null,
} as const;
const nightly = { ...run, origin: 'nightly', created_by: null } as const;

it('the text of a run describes where the run came from', () => {
  expect([originName(run), describeArrival(run)]).toEqual([
    'OneRoster file',
    'Uploaded on 18 November 2026 at 02:00 by Olive Marsh.',
  ]);
  expect(describeArrival({ ...run, created_by: null })).toBe('Uploaded on 18 November 2026 at 02:00.');
  expect(describeArrival({ ...run, origin: 'check' })).toBe('Read on 18 November 2026 at 02:00 by Olive Marsh.');
  expect([originName(nightly), describeArrival(nightly)]).toEqual([
    'OneRoster connection',
    'Read by the nightly check on 18 November 2026 at 02:00.',
  ]);
});

it('the text of a run names who applied the run', () => {
  expect(stateInWords(run)).toBe('Applied by Olive Marsh');
  expect(stateInWords({ ...nightly, closed_by: null, is_automatic: true })).toBe('Applied automatically');
  expect(stateInWords({ ...nightly, state: 'undone', closed_by: null, is_automatic: true })).toBe('Undone');
  expect(stateInWords({ ...nightly, state: 'planned', closed_by: null })).toBe('Waiting for your decision');
});

it('the text of a list names its file and who added it, and that of a year end who applied it', () => {
  const list = { ...run, kind: 'list', origin: null } as const;
  expect([originName(list), describeArrival(list), stateInWords(list)]).toEqual([
    'Typed or pasted list',
    'Added on 18 November 2026 at 02:00 by Olive Marsh.',
    'Added',
  ]);
  expect(originName({ ...list, title: 'Year 3.xlsx' })).toBe('List “Year 3.xlsx”');
  expect(stateInWords({ ...list, state: 'undone' })).toBe('Undone');
  const yearEnd = { ...list, kind: 'year_end' } as const;
  expect([originName(yearEnd), describeArrival(yearEnd), stateInWords(yearEnd)]).toEqual([
    'Year end',
    'Applied on 18 November 2026 at 02:00 by Olive Marsh.',
    'Applied by Olive Marsh',
  ]);
});

it('the text of a run describes what changed', () => {
  const none = { joiners: 0, returners: 0, movers: 0, names: 0, year_groups: 0, leavers: 0, classes: 0 };
  expect(changesInWords(none, 'ctf')).toBe('No changes');
  expect(changesInWords({ ...none, joiners: 2, leavers: 1 }, 'oneroster')).toBe('2 joiners and 1 leaver');
  expect(changesInWords({ ...none, joiners: 1, year_groups: 2, classes: 1 }, 'list')).toBe(
    '1 new pupil, 2 changes of year group and 1 new class',
  );
  expect(changesInWords({ ...none, leavers: 2, classes: 3 }, 'year_end')).toBe('2 leavers and 3 classes moved up');
});

it('the text of an undo counts what would be undone, and leaves out what is not', () => {
  const none = {
    archived: 0,
    restored: 0,
    moved: 0,
    renamed: 0,
    year_groups: 0,
    classes_deleted: 0,
    classes_restored: 0,
    classes_changed: 0,
  };
  expect(undoInWords(none)).toEqual([]);
  expect(undoInWords({ ...none, archived: 31, moved: 1, classes_deleted: 2 })).toEqual([
    '31 pupils go to the archive',
    '1 pupil goes back to their former class',
    '2 new classes are deleted',
  ]);
});
