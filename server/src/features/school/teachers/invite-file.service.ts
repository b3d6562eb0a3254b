import { MAX_INVITES } from '#contract/calls/invites.ts';
import { readFile } from '../../../spreadsheets/read-upload.ts';
import type { Sheet } from '../../../spreadsheets/workbook.ts';
import { AppError } from '../../../errors.ts';
import type { UploadedFile } from '../../../http/upload.ts';
import type { InviteRow } from './invites.service.ts';

const tidy = (cell: string | undefined): string => (cell ?? '').replace(/\s+/g, ' ').trim();

/** The column with the most addresses; undefined when there are none. */
function findEmailColumn({ rows }: Sheet): number | undefined {
  const counts = new Map<number, number>();
  for (const { cells } of rows)
    for (const [column, cell] of cells.entries())
      if (cell.includes('@')) counts.set(column, (counts.get(column) ?? 0) + 1);
  return [...counts].sort(([, some], [, more]) => more - some)[0]?.[0];
}

/** The columns of the name: first name before surname. */
function findNameColumns(header: readonly string[] | undefined, emailColumn: number): number[] {
  if (!header) return [emailColumn === 0 ? 1 : 0];
  const findColumn = (pattern: RegExp) =>
    header.findIndex((cell, column) => column !== emailColumn && pattern.test(tidy(cell)));
  const [first, last, whole] = [
    findColumn(/^(first|fore|given)[ -]?names?$/i),
    findColumn(/^(last|sur|family)[ -]?names?$/i),
    findColumn(/name|teacher/i),
  ];
  return (first >= 0 || last >= 0 ? [first, last] : [whole]).filter((column) => column >= 0);
}

/** The people in one sheet: a column of addresses with names next to it, with or without headers. */
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

/**
 * The people in a teachers' file. Throws the error of an unreadable file, `file_not_understood` for one without
 * addresses, or `file_too_many_rows`.
 */
export async function parseInviteFile({ name, content }: UploadedFile): Promise<InviteRow[]> {
  const { sheets } = await readFile({ name, content });
  const people = sheets.filter(({ hidden }) => !hidden).flatMap(findPeople);
  if (people.length === 0)
    throw new AppError('file_not_understood', {
      text: 'This file contains no email addresses. Check that it is the right file.',
    });
  if (people.length > MAX_INVITES)
    throw new AppError('file_too_many_rows', {
      text: `This file has ${people.length} people. Invite at most ${MAX_INVITES} at once.`,
    });
  return people;
}
