import type { RecordView } from '#contract/calls/record-views.ts';
import { viewKind, viewScreen } from '#contract/record-views.ts';
import { expect, test } from 'vitest';
import { describeList, describeTimes, describeView } from './view-sentence.ts';

const view = (more: Partial<RecordView> = {}): RecordView => ({
  about: 'pupil',
  group: null,
  pupils: 1,
  day: '2026-11-18',
  count: 1,
  first_at: '2026-11-18T12:00:10.000Z',
  last_at: '2026-11-18T12:00:40.000Z',
  viewer: { id: 1, name: 'Bea Bell' },
  program: null,
  is_support: false,
  what: 'page',
  screen: 'pupil',
  ...more,
});

test('a view of a record is a sentence about what the person did', () => {
  expect(describeView(view())).toBe('Opened the pupil’s page');
  expect(describeView(view({ screen: 'book' }))).toBe('Opened the pupil’s sessions with a book');
  expect(describeView(view({ screen: 'book', about: 'class' }))).toBe('Opened who has read a book');
  expect(describeView(view({ what: 'notes' }))).toBe('Read the notes');
  expect(describeView(view({ what: 'file', screen: 'class_reading' }))).toBe('Downloaded the reading of a class');
  expect(describeView(view({ what: 'change', screen: 'needs' }))).toBe('Dealt with a reason in Who needs me');
});

test('a program receives what a person opens or downloads, and changes the same', () => {
  const program = { id: 4, name: 'Data warehouse' };
  expect(describeView(view({ program, what: 'file', screen: 'reading', about: 'list' }))).toBe(
    'Received reading sessions',
  );
  expect(describeView(view({ program }))).toBe('Received the pupil’s details and reading');
  expect(describeView(view({ program, screen: 'class_reading', about: 'class' }))).toBe(
    'Received the reading of a class',
  );
  expect(describeView(view({ program, what: 'change', screen: 'pupils' }))).toBe('Renamed the pupil');
});

test('every view of every screen is described in words', () => {
  for (const what of viewKind.options)
    for (const screen of viewScreen.options)
      for (const about of ['pupil', 'class', 'list'] as const)
        for (const program of [null, { id: 4, name: 'Data warehouse' }])
          expect(describeView(view({ what, screen, about, program }))).toMatch(/^[A-Z][a-z]+ [a-zA-Z’ ]+$/);
});

test('a view of a list names its class and the number of its pupils', () => {
  expect(describeList(view())).toBeUndefined();
  expect(describeList(view({ about: 'class', group: { id: 4, name: 'Year 3 Otters' }, pupils: 28 }))).toBe(
    'Year 3 Otters, 28 pupils',
  );
  expect(describeList(view({ about: 'class', pupils: 1 }))).toBe('A class that was deleted, 1 pupil');
  expect(describeList(view({ about: 'list', pupils: 210 }))).toBe('A list of 210 pupils');
});

test('several views on a day are described with their number and the first and last time', () => {
  expect(describeTimes(view())).toBe('18 November 2026 at 12:00');
  expect(describeTimes(view({ count: 3, last_at: '2026-11-18T15:10:00.000Z' }))).toBe(
    '18 November 2026, 3 times between 12:00 and 15:10',
  );
});
