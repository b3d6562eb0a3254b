import { writeCsv } from '#contract/csv.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { formatYearGroup } from '#contract/year-group.ts';
import { pupilColumns } from '../components/PupilColumns.tsx';

/** The selected pupils as a spreadsheet with the columns of the list and the year group. */
export const pupilsCsv = (pupils: readonly Pupil[]): string =>
  writeCsv([
    [...pupilColumns.map(({ header }) => header), 'Year group'],
    ...pupils.map((pupil) => [
      ...pupilColumns.map(({ csv }) => csv(pupil)),
      pupil.year_group ? formatYearGroup(pupil.year_group) : '',
    ]),
  ]);
