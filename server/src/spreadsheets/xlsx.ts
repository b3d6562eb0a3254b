import { utils, write, type WorkSheet } from '@e965/xlsx';
import { ABOUT_SHEET } from './workbook.ts';

declare module '../workers/worker-pool.ts' {
  interface WorkerTasks {
    writeXlsx: typeof writeXlsx;
  }
}

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A sheet to write. */
export interface SheetToWrite {
  name: string;
  headers: readonly string[];
  /** A text stays a text: one that starts with = + - @ is shown and never run. Null is an empty cell. */
  rows: readonly (readonly (string | number | null)[])[];
  /** Column widths in characters. */
  widths: readonly number[];
  /** Explanations, line by line, on a separate sheet. */
  notes?: readonly string[];
  /** The name of that sheet. */
  notesName?: string;
}

const toCell = (value: string | number | null) =>
  typeof value === 'string' ? { t: 's' as const, v: value, z: '@' } : value;

/** Builds a workbook with a sheet, or several, and, if any, one for the notes of the first. Run it in a worker. */
export function writeXlsx(input: SheetToWrite | readonly SheetToWrite[]): Uint8Array {
  const sheets = [input].flat();
  const book = utils.book_new();
  for (const sheet of sheets) utils.book_append_sheet(book, toWorkSheet(sheet), sheet.name);
  const { notes, notesName = ABOUT_SHEET } = sheets[0] ?? {};
  if (notes) {
    const noteSheet = utils.aoa_to_sheet(notes.map((line) => [{ t: 's' as const, v: line, z: '@' }]));
    noteSheet['!cols'] = [{ wch: 110 }];
    utils.book_append_sheet(book, noteSheet, notesName);
  }
  return new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer);
}

function toWorkSheet({ headers, rows, widths }: SheetToWrite): WorkSheet {
  const sheet: WorkSheet = utils.aoa_to_sheet([[...headers], ...rows.map((cells) => cells.map(toCell))]);
  sheet['!cols'] = widths.map((wch) => ({ wch }));
  if (rows.length > 0)
    sheet['!autofilter'] = { ref: utils.encode_range({ r: 0, c: 0 }, { r: rows.length, c: headers.length - 1 }) };
  return sheet;
}
