import { expect, it } from 'vitest';
import { makeImportRow } from '../../../../testing/make-import-row.ts';
import { makeClass } from '../../../../testing/make-school.ts';
import { classesOf, renameClass } from './classes.ts';
import { rowsOf } from './draft.ts';

const inClass = (className: string | null, ...names: string[]) =>
  rowsOf(names.map((name, index) => makeImportRow(index + 2, name))).map((row) => ({ ...row, class: className }));
const teacher = (id: number, first: string, last: string) => ({ id, first_name: first, last_name: last });

it('the classes of a list say who teaches those that the school has, however they are written', () => {
  const school = [
    makeClass({ name: '3 Badgers', teachers: [teacher(1, 'Ada', 'Okafor'), teacher(2, 'Ben', 'Reed')] }),
    makeClass({ id: 5, name: '4 Owls' }),
  ];
  const rows = [
    ...inClass('3 badgers', 'Cat Moss', 'Dan Fox', 'Eve Hay', 'Flo Dee'),
    ...inClass('4 Owls', 'Gus Low'),
    ...inClass('5 Robins', 'Hal May'),
    ...inClass(null, 'Ida Bell'),
    ...inClass('5 Robins', 'Jim Oak').map((row) => ({ ...row, isLeftOut: true })),
  ];
  expect(classesOf(rows, school)).toEqual([
    {
      name: '3 badgers',
      pupils: 4,
      isExisting: true,
      teachers: 'Ada Okafor and Ben Reed',
      sample: 'Cat Moss, Dan Fox, Eve Hay',
    },
    { name: '4 Owls', pupils: 1, isExisting: true, teachers: '', sample: 'Gus Low' },
    { name: '5 Robins', pupils: 1, isExisting: false, teachers: '', sample: 'Hal May' },
  ]);
});

it('a class of a list is renamed for each of its pupils, and an empty name leaves them without a class', () => {
  const rows = [...inClass('Owls', 'Gus Low'), ...inClass('Robins', 'Hal May')];
  const namesAfter = (to: string) => rows.map(renameClass('Owls', to)).map((row) => row.class);
  expect([namesAfter(' 4 Owls '), namesAfter(' ')]).toEqual([
    ['4 Owls', 'Robins'],
    [null, 'Robins'],
  ]);
});
