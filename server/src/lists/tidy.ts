import { isUtf8 } from 'node:buffer';
import type { SheetRow, Workbook } from '../spreadsheets/workbook.ts';
import { hasListMark, withoutListMark } from './names.ts';

/** The characters of Windows-1252 from 0x80, which Latin-1 leaves to control characters. */
const WINDOWS_1252 = new Map(
  Array.from(new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index))).map(
    (character, index) => [character, 0x80 + index] as const,
  ),
);
/** Two characters that begin a letter of UTF-8 which was read as Windows-1252: `Ã©`. */
const SUSPICIOUS =
  /[\u00C2-\u00F4][\u0080-\u00BF\u0152\u0153\u0160\u0161\u0178\u017D\u017E\u0192\u02C6\u02DC\u2013-\u203A\u20AC\u2122]/;

/** Repairs UTF-8 that was read as Windows-1252, such as `ZoÃ«`, where all of the text can be repaired. */
export function repairEncoding(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  const bytes = Array.from(text, (character) => WINDOWS_1252.get(character) ?? character.codePointAt(0) ?? 0);
  if (bytes.some((byte) => byte > 0xff)) return text;
  const content = Buffer.from(bytes);
  return isUtf8(content) ? content.toString('utf8') : text;
}

/** Removes what people cannot see, and repairs double encoding. A soft hyphen or a mark of direction inside a name is nothing. */
const tidyCell = (cell: string): string =>
  /[^\u0020-\u007E]/.test(cell)
    ? repairEncoding(cell)
        .replace(/\p{Cf}/gu, '')
        .replace(/[\u00A0\u2007\u202F]/g, ' ')
    : cell;

/** Removes `1.` and bullets from the columns in which most cells have them. */
function withoutListMarks(rows: readonly SheetRow[]): SheetRow[] {
  const marked = new Map<number, number>();
  const filled = new Map<number, number>();
  for (const { cells } of rows)
    for (const [index, cell] of cells.entries()) {
      if (cell.trim() === '') continue;
      filled.set(index, (filled.get(index) ?? 0) + 1);
      if (hasListMark(cell)) marked.set(index, (marked.get(index) ?? 0) + 1);
    }
  const columns = new Set(
    [...marked].flatMap(([index, count]) => (count > (filled.get(index) ?? 0) / 2 ? [index] : [])),
  );
  if (columns.size === 0) return [...rows];
  return rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, index) => (columns.has(index) ? withoutListMark(cell) : cell)),
  }));
}

/** A workbook as a person sees it. */
export const tidyWorkbook = (book: Workbook): Workbook => ({
  ...book,
  sheets: book.sheets.map((sheet) => ({
    ...sheet,
    rows: withoutListMarks(sheet.rows.map((row) => ({ ...row, cells: row.cells.map(tidyCell) }))),
  })),
});
