import { expect, test } from 'vitest';
import { makePupil } from '../../../../testing/make-school.ts';
import { pupilsCsv } from './pupils-csv.ts';

const pupil = (name: string, className: string | null) =>
  makePupil({
    name,
    ...(className !== null && {
      group: { id: 2, name: className },
      last_read_at: '2026-06-30T23:30:00.000Z',
      year_group: '3',
    }),
  });

test('a spreadsheet of pupils has a row each, quoted where needed, and no formula', () => {
  expect(pupilsCsv([pupil('Zoë Łukasik', '3 "Wrens", red'), pupil("O'Hara", null)])).toBe(
    '\uFEFFName,Username,Class,Year group,Last read\r\n' +
      'Zoë Łukasik,ada-baker,"3 ""Wrens"", red",Year 3,01/07/2026\r\n' +
      "O'Hara,ada-baker,,,\r\n",
  );
  expect(pupilsCsv([pupil('Ada', '=1+1')])).toContain(",'=1+1,");
});
