import { FileReply } from '../file-reply.ts';
import { FILE_LIMITS, runInWorker } from '../workers/worker-pool.ts';
import { writeCsv } from '#contract/csv.ts';
import { type SheetToWrite, XLSX_TYPE } from './xlsx.ts';

const MAX_COLUMN_WIDTH = 60;
/** Column widths in characters: wide enough for the longest value, at least `minimums`, at most 60. */
export const fitWidths = (rows: SheetToWrite['rows'], minimums: readonly number[]): number[] =>
  minimums.map((minimum, column) => {
    const longest = rows.reduce((width, row) => Math.max(width, String(row[column] ?? '').length + 2), minimum);
    return Math.min(MAX_COLUMN_WIDTH, longest);
  });

/** An xlsx to download, with a sheet or several, under its name with `.xlsx`. */
export const xlsxFile = async (name: string, sheet: SheetToWrite | readonly SheetToWrite[]) =>
  new FileReply(XLSX_TYPE, `${name}.xlsx`, Buffer.from(await runInWorker('writeXlsx', sheet, FILE_LIMITS)));

/** A table to download. Notes are on a separate sheet, or below an empty line in a CSV file. */
export const tableFile = async (name: string, format: 'xlsx' | 'csv', sheet: SheetToWrite) =>
  format === 'xlsx'
    ? xlsxFile(name, sheet)
    : new FileReply(
        'text/csv',
        `${name}.csv`,
        writeCsv([sheet.headers, ...sheet.rows, ...(sheet.notes ? [[], ...sheet.notes.map((line) => [line])] : [])]),
      );
