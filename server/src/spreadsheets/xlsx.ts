import { utils, write, type WorkSheet } from '@e965/xlsx';

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
  /** Texts, all of them: a text that begins with = + - @ is shown and never run. */
  rows: readonly (readonly string[])[];
  /** Widths of the columns in characters. */
  widths: readonly number[];
  /** What goes where, line by line, on a sheet of its own. */
  notes?: readonly string[];
}

/** A workbook of a sheet of texts, and of one with its notes. To be run in a worker. */
export function writeXlsx({ name, headers, rows, widths, notes }: SheetToWrite): Uint8Array {
  const sheet: WorkSheet = utils.aoa_to_sheet([
    [...headers],
    ...rows.map((cells) => cells.map((text) => ({ t: 's' as const, v: text, z: '@' }))),
  ]);
  sheet['!cols'] = widths.map((wch) => ({ wch }));
  if (rows.length > 0)
    sheet['!autofilter'] = { ref: utils.encode_range({ r: 0, c: 0 }, { r: rows.length, c: headers.length - 1 }) };
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, name);
  if (notes) {
    const noteSheet = utils.aoa_to_sheet(notes.map((line) => [line]));
    noteSheet['!cols'] = [{ wch: 110 }];
    utils.book_append_sheet(book, noteSheet, 'How to fill it in');
  }
  return new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer);
}
