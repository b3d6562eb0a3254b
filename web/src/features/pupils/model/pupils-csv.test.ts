import { expect, test } from 'vitest';
import { pupilsCsv } from './pupils-csv.ts';

const pupil = (name: string, className: string | null) => ({
  id: 1,
  name,
  username: 'ada-baker',
  group: className === null ? null : { id: 2, name: className },
  can_update: true,
  last_read_at: className === null ? null : '2026-06-30T23:30:00.000Z',
});

test('a spreadsheet of pupils has a row each, quoted where it must be, and no formula', () => {
  expect(pupilsCsv([pupil('Zoë Łukasik', '3 "Wrens", red'), pupil("O'Hara", null)])).toBe(
    '\uFEFFName,Class,Username,Last read\r\n' +
      'Zoë Łukasik,"3 ""Wrens"", red",ada-baker,01/07/2026\r\n' +
      "O'Hara,,ada-baker,\r\n",
  );
  expect(pupilsCsv([pupil('Ada', '=1+1')])).toContain(",'=1+1,");
});
