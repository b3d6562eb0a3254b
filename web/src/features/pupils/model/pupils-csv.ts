import type { Pupil } from '#contract/calls/pupils.ts';
import { formatShortDate } from '../../../shared/format.ts';

/** A cell as spreadsheet programs read it; what would be a formula is made inert. */
const cell = (text: string): string => {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
};

/** The chosen pupils as a spreadsheet, as the list shows them. The mark at its beginning tells Excel that it is UTF-8. */
export const pupilsCsv = (pupils: readonly Pupil[]): string =>
  `\uFEFF${[
    ['Name', 'Class', 'Username', 'Last read'],
    ...pupils.map(({ name, group: schoolClass, username, last_read_at }) => [
      name,
      schoolClass?.name ?? '',
      username,
      last_read_at ? formatShortDate(last_read_at) : '',
    ]),
  ]
    .map((row) => row.map(cell).join(','))
    .join('\r\n')}\r\n`;
