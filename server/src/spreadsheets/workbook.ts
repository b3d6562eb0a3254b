import { read, SSF, type CellObject, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { decodeText, splitCells } from './delimited.ts';
import { listZip, unzip, type ZipEntry } from './zip.ts';

/**
 * The rows and columns of a sheet that are read. Content in a row beyond them is `too_many_rows`; columns beyond them
 * are ignored.
 */
const MAX_ROWS = 20_000;
const MAX_COLUMNS = 60;
/** Characters of a cell that are read. */
const MAX_CELL_LENGTH = 1000;
/**
 * The unpacked size of an xlsx in bytes, and the number of sheets of a workbook. 20,000 rows of 10 columns are 14 MB.
 */
const MAX_UNPACKED_BYTES = 24 * 1024 * 1024;
const MAX_SHEETS = 200;

/** The sheet in our own files that describes their content. */
export const ABOUT_SHEET = 'About this file';

/**
 * A row that is not empty. `row`: its number in the spreadsheet program. Cells as the texts that a person sees, not
 * trimmed.
 */
export interface SheetRow {
  row: number;
  cells: string[];
  /** The spreadsheet program does not show it, because of a filter or because someone has hidden it. */
  isHidden?: true;
}
export interface Sheet {
  name: string;
  hidden: boolean;
  rows: SheetRow[];
}
export interface Workbook {
  /** The format of the content, whatever the file name says. */
  format: 'csv' | 'xls' | 'xlsx' | 'ods' | 'text';
  sheets: Sheet[];
}
export type FileFailure =
  | 'wrong_type'
  | 'with_macros'
  | 'empty'
  | 'protected'
  | 'damaged'
  | 'too_complex'
  | 'too_many_rows'
  | 'not_understood';

/** An uploaded file, or text that was pasted. */
export type ListSource = { name: string; content: Uint8Array } | string;

/** `failure` becomes the error of the API. */
export class UnreadableFile extends Error {
  readonly failure: FileFailure;
  constructor(failure: FileFailure) {
    super(failure);
    this.failure = failure;
  }
}

const MACROS = /\.(xlsm|xltm|xlam|xlsb)$/i;
const READABLE = /\.(csv|tsv|txt|xls|xlsx|ods)$/i;

/**
 * Reads a csv, tsv, txt, xls, xlsx or ods by its content. Run it in a worker: it may take long and use much memory.
 * Throws an Error with a `failure`.
 */
export function readWorkbook({ name, content }: { name: string; content: Uint8Array }): Workbook {
  if (MACROS.test(name)) throw new UnreadableFile('with_macros');
  if (/\.[a-z][a-z\d]{1,7}$/i.test(name) && !READABLE.test(name)) throw new UnreadableFile('wrong_type');
  if (content.length === 0) throw new UnreadableFile('empty');
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (startsWith(bytes, 0x50, 0x4b)) return readXlsx(bytes);
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return readOle(bytes);
  // Workbooks before Excel 5 are a plain stream of records.
  if (bytes[0] === 0x09 && [0, 2, 4, 8].includes(bytes[1] ?? -1) && bytes[3] === 0)
    return fromParsed(() => read(bytes, { ...OPTIONS, type: 'buffer' }), 'xls');
  const text = decodeText(bytes);
  if (text === undefined || /^(%PDF|\{\\rtf)/.test(text)) throw new UnreadableFile('wrong_type');
  return readText(text, 'csv');
}

/** Reads text that was copied from a spreadsheet program or typed. Run it in a worker. */
export const readPasted = (text: string): Workbook => readText(text, 'text');

/** Reads a file or pasted text. Run it in a worker. Throws an UnreadableFile. */
export const readSource = (source: ListSource): Workbook =>
  typeof source === 'string' ? readPasted(source) : readWorkbook(source);

/** Reads text: a csv, text pasted from a spreadsheet, or one of the two kinds of text that programs call xls. */
function readText(text: string, format: 'csv' | 'text'): Workbook {
  const start = text.slice(0, 2000).trimStart();
  if (format === 'csv' && start.startsWith('<')) {
    if (!/<table[\s>]|urn:schemas-microsoft-com:office:spreadsheet/i.test(text)) throw new UnreadableFile('wrong_type');
    return fromParsed(() => read(decodeReferences(text), { ...OPTIONS, type: 'string', raw: true }), 'xls');
  }
  const rows = splitCells(text, MAX_ROWS + 1);
  if (rows.length > MAX_ROWS) throw new UnreadableFile('too_many_rows');
  return {
    format,
    sheets: [
      {
        name: '',
        hidden: false,
        rows: dropBlankRows(rows.map((cells, index) => ({ row: index + 1, cells: cells.slice(0, MAX_COLUMNS) }))),
      },
    ],
  };
}

/**
 * Decodes numeric character references (`&#235;`), which the parser leaves unchanged; markup characters stay escaped.
 */
const decodeReferences = (html: string) =>
  html.replace(/&#(?:x([0-9a-f]{2,6})|(\d{2,7}));/gi, (entity, hex?: string, decimal?: string) => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0x7f && code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
  });

const startsWith = (content: Buffer, ...signature: number[]) =>
  signature.every((byte, index) => content[index] === byte);
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

function readOle(content: Buffer): Workbook {
  if (content.includes(utf16('EncryptedPackage'))) throw new UnreadableFile('protected');
  if (!content.includes(utf16('Workbook')) && !content.includes(utf16('Book')))
    throw new UnreadableFile(content.includes(utf16('Root Entry')) ? 'wrong_type' : 'damaged');
  return fromParsed(() => read(content, { ...OPTIONS, type: 'buffer' }), 'xls');
}

function readXlsx(content: Buffer): Workbook {
  const entries = listZip(content);
  if (!entries) throw new UnreadableFile('damaged');
  if (entries.some(({ encrypted }) => encrypted)) throw new UnreadableFile('protected');
  const isOds = isSpreadsheetOfOds(content, entries);
  if (!isOds && !entries.some(({ name }) => /^xl\/workbook\d*\.xml$/i.test(name)))
    throw new UnreadableFile('wrong_type');
  const wanted = entries.filter(({ name }) => /\.(xml|rels)$/i.test(name));
  if (wanted.reduce((sum, { size }) => sum + size, 0) > MAX_UNPACKED_BYTES || wanted.length > MAX_SHEETS * 5)
    throw new UnreadableFile('too_complex');
  for (const entry of wanted) checkEntry(content, entry);
  const format = isOds ? 'ods' : 'xlsx';
  return fromParsed(() => read(content, { ...OPTIONS, type: 'buffer', sheetRows: MAX_ROWS + 1 }), format);
}

/** Whether an archive is an OpenDocument spreadsheet, by the type that such archives begin with. */
function isSpreadsheetOfOds(content: Buffer, entries: readonly ZipEntry[]): boolean {
  const type = entries.find(({ name, size }) => name === 'mimetype' && size < 100);
  return (
    type !== undefined && unzip(content, type)?.toString('latin1') === 'application/vnd.oasis.opendocument.spreadsheet'
  );
}

/** Throws unless each entry has the size that it claims and no sheet has content below the rows that are read. */
function checkEntry(content: Buffer, entry: ZipEntry): void {
  const unpacked = unzip(content, entry);
  if (!unpacked) throw new UnreadableFile('damaged');
  if (!/^xl\/worksheets\/[^/]+\.xml$/i.test(entry.name)) return;
  const last = Math.max(unpacked.lastIndexOf('<v>'), unpacked.lastIndexOf('<is>'));
  const row = last < 0 ? -1 : unpacked.lastIndexOf('<row ', last);
  if (row < 0) return;
  const number = /\br="(\d+)"/.exec(unpacked.toString('latin1', row, Math.min(last, row + 400)))?.[1];
  if (Number(number ?? 0) > MAX_ROWS) throw new UnreadableFile('too_many_rows');
}

const OPTIONS = {
  dense: true,
  cellHTML: false,
  cellFormula: true,
  cellNF: true,
  // Tells which rows are hidden.
  cellStyles: true,
  bookVBA: false,
  bookProps: false,
} as const;

function fromParsed(parse: () => WorkBook, format: 'xls' | 'xlsx' | 'ods'): Workbook {
  let book: WorkBook;
  const { error: writeError } = console;
  // The parser writes what it does not know to the console, with texts of the file.
  console.error = () => undefined;
  try {
    book = parse();
  } catch (error) {
    throw new UnreadableFile(/password|encrypt/i.test((error as Error).message) ? 'protected' : 'damaged');
  } finally {
    console.error = writeError;
  }
  if (book.SheetNames.length > MAX_SHEETS) throw new UnreadableFile('too_complex');
  const isSince1904 = book.Workbook?.WBProps?.date1904 ?? false;
  return {
    format,
    sheets: book.SheetNames.map((name, index) => ({
      name,
      hidden: (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0,
      rows: readCells(book.Sheets[name], isSince1904),
    })),
  };
}

function readCells(sheet: WorkSheet | undefined, isSince1904: boolean): SheetRow[] {
  const data = (sheet?.['!data'] ?? []) as (CellObject | undefined)[][];
  const rows = new Map<number, string[]>();
  // forEach skips holes, so a cell at XFD1048576 costs no more than one at A1.
  data.forEach((cells, row) => {
    const texts: string[] = [];
    cells?.forEach((cell, column) => {
      if (column < MAX_COLUMNS && cell) texts[column] = cellText(cell, isSince1904);
    });
    if (texts.length > 0) rows.set(row, texts);
  });
  // A cell merged vertically counts for each of its rows; one merged horizontally is a title.
  for (const { s, e } of sheet?.['!merges'] ?? []) {
    const text = rows.get(s.r)?.[s.c];
    if (text === undefined || s.c >= MAX_COLUMNS) continue;
    for (let row = s.r + 1; row <= Math.min(e.r, data.length - 1); row += 1) {
      const texts = rows.get(row);
      if (texts) texts[s.c] ??= text;
    }
  }
  const filledRows = dropBlankRows(
    [...rows]
      .sort(([a], [b]) => a - b)
      .map(([row, texts]) => ({
        row: row + 1,
        cells: Array.from(texts, (text) => text ?? ''),
        ...(sheet?.['!rows']?.[row]?.hidden && { isHidden: true as const }),
      })),
  );
  if (filledRows.length > MAX_ROWS) throw new UnreadableFile('too_many_rows');
  return filledRows;
}

/**
 * A formula shows its stored value, or itself if there is none. A date with a year is written in ISO form, because the
 * parser formats it in the American order.
 */
function cellText(cell: CellObject, isSince1904: boolean): string {
  if (typeof cell.v === 'number' && typeof cell.z === 'string' && /y/i.test(cell.z) && SSF.is_date(cell.z))
    return String(SSF.format('yyyy-mm-dd', cell.v, { date1904: isSince1904 }));
  const text = cell.t === 's' ? String(cell.v ?? '') : (cell.w ?? String(cell.v ?? ''));
  return (text === '' && cell.f ? `=${cell.f}` : text).slice(0, MAX_CELL_LENGTH);
}

const BLANK = /^[\s\u200B\uFEFF]*$/;
const dropBlankRows = (rows: SheetRow[]): SheetRow[] =>
  rows.filter(({ cells }) => cells.some((cell) => !BLANK.test(cell)));
