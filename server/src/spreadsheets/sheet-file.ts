import { FileReply } from '../http/replies.ts';
import { FILE_LIMITS, runInWorker } from '../workers/worker-pool.ts';
import { writeCsv } from '#contract/csv.ts';
import { type SheetToWrite, XLSX_TYPE } from './xlsx.ts';

const WIDEST = 60;
/** Widths of columns, in characters, that show what is in them, each at least as wide as given. */
export const fitWidths = (rows: SheetToWrite['rows'], least: readonly number[]): number[] =>
  least.map((width, column) =>
    Math.min(
      WIDEST,
      rows.reduce((most, row) => Math.max(most, String(row[column] ?? '').length + 2), width),
    ),
  );

/** An xlsx to download, under its name with `.xlsx`. */
export const xlsxFile = async (name: string, sheet: SheetToWrite) =>
  new FileReply(XLSX_TYPE, `${name}.xlsx`, Buffer.from(await runInWorker('writeXlsx', sheet, FILE_LIMITS)));

/** A table to download. Notes stand on a sheet of their own, or in a CSV below an empty line. */
export const tableFile = async (name: string, format: 'xlsx' | 'csv', sheet: SheetToWrite) =>
  format === 'xlsx'
    ? xlsxFile(name, sheet)
    : new FileReply(
        'text/csv',
        `${name}.csv`,
        writeCsv([sheet.headers, ...sheet.rows, ...(sheet.notes ? [[], ...sheet.notes.map((line) => [line])] : [])]),
      );
