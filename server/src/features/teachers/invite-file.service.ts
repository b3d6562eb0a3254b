import { MOST_INVITES } from '#contract/calls/invites.ts';
import { readFile } from '../../spreadsheets/read-upload.ts';
import type { Sheet } from '../../spreadsheets/workbook.ts';
import { AppError } from '../../http/errors.ts';
import type { UploadedFile } from '../../http/upload.ts';
import type { InviteRow } from './invites.service.ts';

const tidy = (cell: string | undefined): string => (cell ?? '').replace(/\s+/g, ' ').trim();

/** The column with the most addresses; undefined when no cell holds one. */
function findEmailColumn({ rows }: Sheet): number | undefined {
  const counts = new Map<number, number>();
  for (const { cells } of rows)
    for (const [column, cell] of cells.entries())
      if (cell.includes('@')) counts.set(column, (counts.get(column) ?? 0) + 1);
  return [...counts].sort(([, some], [, more]) => more - some)[0]?.[0];
}

/** The columns of the name, in the order in which it is spoken. */
function findNameColumns(header: readonly string[] | undefined, emailColumn: number): number[] {
  if (!header) return [emailColumn === 0 ? 1 : 0];
  const find = (pattern: RegExp) =>
    header.findIndex((cell, column) => column !== emailColumn && pattern.test(tidy(cell)));
  const [first, last, whole] = [
    find(/^(first|fore|given)[ -]?names?$/i),
    find(/^(last|sur|family)[ -]?names?$/i),
    find(/name|teacher/i),
  ];
  return (first >= 0 || last >= 0 ? [first, last] : [whole]).filter((column) => column >= 0);
}

/** People in one sheet: a column of addresses, and a name beside them, below headers or without any. */
function findPeople(sheet: Sheet): InviteRow[] {
  const emailColumn = findEmailColumn(sheet);
  if (emailColumn === undefined) return [];
  const firstPerson = sheet.rows.findIndex(({ cells }) => cells[emailColumn]?.includes('@'));
  const header = sheet.rows
    .slice(0, firstPerson)
    .findLast(({ cells }) => cells.some((cell) => /mail|name/i.test(cell)))?.cells;
  const nameColumns = findNameColumns(header, emailColumn);
  return sheet.rows.slice(firstPerson).flatMap(({ cells }) => {
    const email = tidy(cells[emailColumn]);
    const name = nameColumns
      .map((column) => tidy(cells[column]))
      .filter(Boolean)
      .join(' ');
    return email === '' ? [] : [{ email, name }];
  });
}

/** The people of a teachers' file. Throws why it cannot be read, `file_not_understood` when no address is in it. */
export async function parseInviteFile({ name, content }: UploadedFile): Promise<InviteRow[]> {
  const { sheets } = await readFile({ name, content });
  const people = sheets.filter(({ hidden }) => !hidden).flatMap(findPeople);
  if (people.length === 0)
    throw new AppError('file_not_understood', {
      text: 'There is no email address in this file. Check that it is the right one.',
    });
  if (people.length > MOST_INVITES)
    throw new AppError('file_too_many_rows', {
      text: `This file has ${people.length} people. Invite at most ${MOST_INVITES} at once.`,
    });
  return people;
}
