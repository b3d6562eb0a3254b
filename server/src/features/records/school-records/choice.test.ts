import { IMPORT_ROWS } from '#contract/calls/pupil-import.ts';
import { expect, test } from 'vitest';
import { MAX_CLASSES } from './read-school-records.service.ts';
import { chooseRows } from './connection.service.ts';
import type { FilePupil, SchoolRecordsFile } from './file-content.service.ts';

const pupil = (sourceId: string, classIds: string[], more: Partial<FilePupil> = {}): FilePupil => ({
  sourceId,
  name: 'Ada Bell',
  yearGroup: '3',
  classIds,
  upn: null,
  birthDate: null,
  isGone: false,
  ...more,
});
const fileOf = (pupils: FilePupil[], classes = ['k3', 'k4']): SchoolRecordsFile => ({
  kind: 'oneroster',
  isComplete: true,
  pupils,
  classes: classes.map((id) => ({ sourceId: id, name: `Class ${id}`, isHomeroom: true })),
  staff: [],
  unclearStaff: null,
  notes: [],
});
const chosen = (...ids: string[]) => ids.map((id) => ({ source_id: id, name: `Class ${id}` }));
const choose = (pupils: FilePupil[], ids: string[], years: number[] = []) =>
  chooseRows(fileOf(pupils), { classes: chosen(...ids), school_years: years });
const NOTHING_CHOSEN = { classes: [], school_years: [] };
const UNCHANGED = { name: null, yearGroup: null, classIds: [], isGone: false };

test('a connection without a choice reads every pupil, also without a class or year group', () => {
  const pupils = [pupil('p1', []), pupil('p2', ['k3'], { yearGroup: null })];
  expect(choose(pupils, []).pupils).toEqual(pupils);
});

test('a connection with chosen classes reads only these, and leaves pupils outside as they are', () => {
  const { pupils, classes } = choose([pupil('p1', ['k3', 'k4']), pupil('p2', ['k3']), pupil('p3', [])], ['k4']);
  expect(pupils).toMatchObject([
    { name: 'Ada Bell', classIds: ['k4'] },
    { sourceId: 'p2', ...UNCHANGED },
    { sourceId: 'p3', ...UNCHANGED },
  ]);
  expect(classes.map(({ sourceId }) => sourceId)).toEqual(['k4']);
});

test('a connection with chosen year groups leaves pupils of other years or of none as they are', () => {
  const years = (['3', '4', null] as const).map((yearGroup, n) => pupil(`p${n}`, ['k3'], { yearGroup }));
  expect(choose(years, [], [3]).pupils).toMatchObject([{ name: 'Ada Bell' }, UNCHANGED, UNCHANGED]);
  expect(choose(years, ['k3'], [4]).pupils).toMatchObject([UNCHANGED, { name: 'Ada Bell' }, UNCHANGED]);
});

test('a pupil who has left counts as a leaver whatever classes are chosen', () => {
  const gone = pupil('p2', [], { isGone: true, yearGroup: null });
  expect(choose([pupil('p1', ['k4']), gone], ['k4'], [3]).pupils).toMatchObject([{ isGone: false }, { isGone: true }]);
  expect(() => choose([pupil('p1', [], { isGone: true })], [])).toThrow('no pupils in what you chose');
});

test('a connection reads at most as many pupils and classes as a school can have', () => {
  const many = (length: number) => Array.from({ length }, (_, n) => pupil(`p${n}`, ['k3']));
  const gone = pupil('gone', [], { isGone: true });
  expect(choose([...many(IMPORT_ROWS), gone], []).pupils).toHaveLength(IMPORT_ROWS + 1);
  expect(() => choose(many(IMPORT_ROWS + 1), [])).toThrow('more than 5,000 pupils');
  const ids = (length: number) => Array.from({ length }, (_, n) => `c${n}`);
  const inAll = (length: number) => chooseRows(fileOf([pupil('p1', ids(length))], ids(length)), NOTHING_CHOSEN);
  expect(inAll(MAX_CLASSES).classes).toHaveLength(MAX_CLASSES);
  expect(() => inAll(MAX_CLASSES + 1)).toThrow('500 classes');
});

test('the nursery and the year groups of Scotland are in no chosen year of the same number', () => {
  const pupils = (['2', 'N2', 'E2', 'P2', '14'] as const).map((yearGroup, n) => pupil(`p${n}`, ['k3'], { yearGroup }));
  const [year2, ...notChosen] = choose(pupils, [], [2]).pupils;
  expect(year2).toMatchObject({ name: 'Ada Bell', yearGroup: '2' });
  expect(notChosen).toMatchObject([UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED]);
});
