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
  /** A text stays a text: one that begins with = + - @ is shown and never run. Null is an empty cell. */
  rows: readonly (readonly (string | number | null)[])[];
  /** Widths of the columns in characters. */
  widths: readonly number[];
  /** What is in it or goes where, line by line, on a sheet of its own. */
  notes?: readonly string[];
  /** The name of that sheet. */
  notesName?: string;
}

const toCell = (value: string | number | null) =>
  typeof value === 'string' ? { t: 's' as const, v: value, z: '@' } : value;

/** A workbook of a sheet, and of one with its notes. To be run in a worker. */
export function writeXlsx({ name, headers, rows, widths, notes, notesName = ABOUT_SHEET }: SheetToWrite): Uint8Array {
  const sheet: WorkSheet = utils.aoa_to_sheet([[...headers], ...rows.map((cells) => cells.map(toCell))]);
  sheet['!cols'] = widths.map((wch) => ({ wch }));
  if (rows.length > 0)
    sheet['!autofilter'] = { ref: utils.encode_range({ r: 0, c: 0 }, { r: rows.length, c: headers.length - 1 }) };
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, name);
  if (notes) {
    const noteSheet = utils.aoa_to_sheet(notes.map((line) => [{ t: 's' as const, v: line, z: '@' }]));
    noteSheet['!cols'] = [{ wch: 110 }];
    utils.book_append_sheet(book, noteSheet, notesName);
  }
  return new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer);
}
