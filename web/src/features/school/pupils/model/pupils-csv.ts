import { writeCsv } from '#contract/csv.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { pupilColumns } from '../components/PupilColumns.tsx';

/** The selected pupils as a spreadsheet with the columns of the list. */
export const pupilsCsv = (pupils: readonly Pupil[]): string =>
  writeCsv([
    pupilColumns.map(({ header }) => header),
    ...pupils.map((pupil) => pupilColumns.map(({ csv }) => csv(pupil))),
  ]);
