import { expect, it } from 'vitest';
import { makeImportRow } from '../../../../testing/make-import-row.ts';
import type * as contract from '#contract/calls/pupil-import.ts';
import { actionOf, countDraft, applyVerdicts, movable, placeable, pupilsOf, rowsOf, type DraftRow } from './draft.ts';

const draft = (...names: string[]): DraftRow[] => rowsOf(names.map((name, index) => makeImportRow(index + 2, name)));

it('a row of an import names its position, with its sheet if there are several', () => {
  expect(
    rowsOf([makeImportRow(7, 'Ada Byron'), makeImportRow(3, 'Bob Ray', { sheet: 'Owls' })]).map(
      ({ location }) => location,
    ),
  ).toEqual(['Row 7', 'Owls, row 3']);
});

it('an import sends the rows that are not left out, with the selected class', () => {
  const rows = draft('Ada Byron', 'Bob Ray', 'Cat Moss').map((row, index) => ({
    ...row,
    class: 'Owls',
    isLeftOut: index === 1,
    namesake: index === 2,
  }));
  expect(pupilsOf(rows, 'input')).toEqual([
    { name: 'Ada Byron', class: 'Owls' },
    { name: 'Cat Moss', class: 'Owls', namesake: true },
  ]);
  expect(pupilsOf(rows, 'none')).toEqual([{ name: 'Ada Byron' }, { name: 'Cat Moss', namesake: true }]);
  expect(pupilsOf(rows, 4)).toEqual([
    { name: 'Ada Byron', group_id: 4 },
    { name: 'Cat Moss', group_id: 4, namesake: true },
  ]);
});

it('each row gets its own result, although some are left out and the API returns nothing for empty ones', () => {
  const rows = draft('Ada Byron', 'Left Out', '', 'Ada Byron').map((row, index) => ({
    ...row,
    isLeftOut: index === 1,
  }));
  const after = applyVerdicts(rows, {
    rows: [
      makeImportRow(1, 'Ada Byron'),
      makeImportRow(3, 'Ada Byron', { status: 'duplicate', duplicate_of: 1, reason: 'Row 1 is the same pupil.' }),
    ],
  });
  expect(after.map(({ status, reason }) => [status, reason])).toEqual([
    ['new', null],
    ['new', null],
    ['wrong', 'This row has no name.'],
    ['duplicate', 'Row 2 is the same pupil.'],
  ]);
  expect(countDraft(after)).toEqual({ new: 1, already: 0, moved: 0, archived: 0, duplicate: 1, wrong: 1, leftOut: 1 });
});

it('a corrected row stays among those to correct', () => {
  const [row] = applyVerdicts(rowsOf([makeImportRow(1, 'Sam Br0wn', { status: 'wrong', reason: 'No.' })]), {
    rows: [makeImportRow(1, 'Sam Brown')],
  });
  expect(row).toMatchObject({ status: 'new', wasWrong: true });
});

it('pupils of the school who could join the class are those without a class or in another that the user can change', () => {
  const known = (id: number, currentClass: { id: number; name: string } | null, can_update = true) =>
    makeImportRow(id, 'Ada Byron', {
      status: 'already',
      existing: { id, name: 'Ada Byron', group: currentClass, can_update, is_archived: false },
    });
  const rows = rowsOf([
    known(1, null),
    known(2, { id: 9, name: 'Owls' }),
    known(3, { id: 4, name: 'Wrens' }),
    known(4, { id: 8, name: 'Rooks' }, false),
  ]);
  expect(placeable(rows, 4)).toEqual({ unassigned: [1], inOtherClass: [2] });
});

it('an import offers to move pupils whom the list names with another class, if the user can change them', () => {
  const existing = { id: 1, name: 'Ada', group: { id: 2, name: '2H' }, can_update: true, is_archived: false };
  const known = (changes: Partial<typeof existing>, row: Partial<contract.ImportRow> = {}) =>
    makeImportRow(1, 'Ada', { class: '3W', status: 'already', existing: { ...existing, ...changes }, ...row });
  const rows = rowsOf([
    known({}),
    known({ group: { id: 3, name: '3W' } }),
    known({ can_update: false }),
    known({ is_archived: true }, { status: 'archived' }),
    known({}, { class: null }),
    known({}, { status: 'moved' }),
  ]);
  expect(movable(rows).map(({ key }) => key)).toEqual([0, 5]);
  expect([actionOf(0, 0), actionOf(1, 0), actionOf(0, 2), actionOf(3, 1)]).toEqual([
    'Add pupils',
    'Add 1 pupil',
    'Move 2 pupils',
    'Add 3 and move 1 pupil',
  ]);
});

it('an import asks about a missing first name until the user keeps or corrects the name', () => {
  const rows = rowsOf([makeImportRow(1, 'Okonkwo', { status: 'wrong', lacks_forename: true })]);
  expect(pupilsOf(rows, 'none')).toEqual([{ name: 'Okonkwo', lacks_forename: true }]);
  expect(
    pupilsOf(
      rows.map((row) => ({ ...row, lacksForename: false })),
      'none',
    ),
  ).toEqual([{ name: 'Okonkwo' }]);
});
