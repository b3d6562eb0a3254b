import { writeCsv } from '#contract/csv.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { formatYearGroup } from '#contract/year-group.ts';
import { pupilColumns } from '../components/PupilColumns.tsx';

/** On the screen the year group is below the class. */
const YEAR_GROUP = {
  header: 'Year group',
  csv: ({ year_group: code }: Pupil) => (code ? formatYearGroup(code) : ''),
};
const COLUMNS = pupilColumns.flatMap((column) => (column.id === 'class' ? [column, YEAR_GROUP] : [column]));

/** The selected pupils as a spreadsheet with the columns of the list and the year group. */
export const pupilsCsv = (pupils: readonly Pupil[]): string =>
  writeCsv([COLUMNS.map(({ header }) => header), ...pupils.map((pupil) => COLUMNS.map(({ csv }) => csv(pupil)))]);
