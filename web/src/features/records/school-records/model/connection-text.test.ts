import { expect, it } from 'vitest';
import { describeChosen } from './connection-text.ts';
import { describeArrival, originName, stateInWords } from './run-text.ts';

const classOf = (name: string) => ({ source_id: name, name });

it('the text of a connection describes which pupils are read', () => {
  expect(describeChosen({ school: null, classes: [], school_years: [] })).toBe('It reads all classes.');
  expect(describeChosen({ school: null, classes: [], school_years: [0, 3] })).toBe(
    'It reads only Reception and Year 3.',
  );
  expect(describeChosen({ school: null, classes: [classOf('3W')], school_years: [3] })).toBe(
    'It reads only Year 3, in 3W.',
  );
  const many = ['3W', '3X', '4W', '4X', '5W'].map(classOf);
  expect(describeChosen({ school: null, classes: many, school_years: [] })).toBe('It reads only 5 classes.');
  const school = classOf('Oak Nursery');
  expect(describeChosen({ school, classes: [], school_years: [] })).toBe('It reads all classes of Oak Nursery.');
  expect(describeChosen({ school, classes: [], school_years: [0] })).toBe('It reads only Reception of Oak Nursery.');
});

const run = {
  id: 1,
  kind: 'oneroster',
  origin: 'file',
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
