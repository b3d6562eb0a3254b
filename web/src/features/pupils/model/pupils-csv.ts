import { writeCsv } from '#contract/csv.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { formatShortDate } from '../../../shared/format.ts';

/** The chosen pupils as a spreadsheet, as the list shows them. */
export const pupilsCsv = (pupils: readonly Pupil[]): string =>
  writeCsv([
    ['Name', 'Class', 'Username', 'Last read'],
    ...pupils.map(({ name, group: schoolClass, username, last_read_at }) => [
      name,
      schoolClass?.name ?? '',
      username,
      last_read_at ? formatShortDate(last_read_at) : '',
    ]),
  ]);
