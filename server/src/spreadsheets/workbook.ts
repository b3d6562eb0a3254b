import { read, type CellObject, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { decodeText, splitCells } from './delimited.ts';
import { listZip, unzip, type ZipEntry } from './zip.ts';

/** Rows and columns of a sheet that are looked at. Content in a row beyond is `too_many_rows`, in a column beyond is left out. */
const ROWS_READ = 20_000;
const COLUMNS_READ = 60;
/** Characters of a cell that are kept. */
const CELL_LENGTH = 1000;
/** Bytes that an xlsx may have unpacked, and sheets that a workbook may have. 20,000 rows of 10 columns are 14 MB. */
const UNPACKED = 24 * 1024 * 1024;
const SHEETS = 200;

/** The sheet of our own files that says what is in them. */
export const ABOUT_SHEET = 'About this file';

/** A row with something in it. `row`: as the spreadsheet program numbers it. Cells as texts, as a person sees them, not trimmed. */
export interface SheetRow {
  row: number;
  cells: string[];
}
export interface Sheet {
  name: string;
  hidden: boolean;
  rows: SheetRow[];
}
export interface Workbook {
  /** What the content is, whatever the name says. */
  format: 'csv' | 'xls' | 'xlsx' | 'text';
  sheets: Sheet[];
}
export type FileFailure =
  | 'wrong_type'
  | 'with_macros'
  | 'empty'
  | 'protected'
  | 'damaged'
  | 'too_complex'
  | 'too_many_rows';

declare module '../workers/worker-pool.ts' {
  interface WorkerTasks {
    readWorkbook: typeof readWorkbook;
    readPasted: typeof readPasted;
  }
}

class Unreadable extends Error {
  readonly failure: FileFailure;
  constructor(failure: FileFailure) {
    super(failure);
    this.failure = failure;
  }
}

const MACROS = /\.(xlsm|xltm|xlam|xlsb)$/i;
const TAKEN = /\.(csv|xls|xlsx)$/i;

/**
 * Reads a csv, xls or xlsx by what it contains. To be run in a worker: it may take long and much memory.
 * Throws an Error with a `failure`.
 */
export function readWorkbook({ name, content }: { name: string; content: Uint8Array }): Workbook {
  if (MACROS.test(name)) throw new Unreadable('with_macros');
  if (/\.[^.\s]{1,5}$/.test(name) && !TAKEN.test(name)) throw new Unreadable('wrong_type');
  if (content.length === 0) throw new Unreadable('empty');
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (startsWith(bytes, 0x50, 0x4b)) return readXlsx(bytes);
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return readOle(bytes);
  // Workbooks before Excel 5 are a bare stream of records.
  if (bytes[0] === 0x09 && [0, 2, 4, 8].includes(bytes[1] ?? -1) && bytes[3] === 0)
    return fromParsed(() => read(bytes, { ...OPTIONS, type: 'buffer' }), 'xls');
  const text = decodeText(bytes);
  if (text === undefined || /^(%PDF|\{\\rtf)/.test(text)) throw new Unreadable('wrong_type');
  return readText(text, 'csv');
}

/** Reads what was copied from a spreadsheet program, or typed. To be run in a worker. */
export const readPasted = (text: string): Workbook => readText(text, 'text');

/** The same for text: a csv, what was pasted from a spreadsheet, or one of the two kinds of text that programs call xls. */
function readText(text: string, format: 'csv' | 'text'): Workbook {
  const start = text.slice(0, 2000).trimStart();
  if (format === 'csv' && start.startsWith('<')) {
    if (!/<table[\s>]|urn:schemas-microsoft-com:office:spreadsheet/i.test(text)) throw new Unreadable('wrong_type');
    return fromParsed(() => read(withLetters(text), { ...OPTIONS, type: 'string', raw: true }), 'xls');
  }
  const rows = splitCells(text, ROWS_READ + 1);
  if (rows.length > ROWS_READ) throw new Unreadable('too_many_rows');
  return {
    format,
    sheets: [
      {
        name: '',
        hidden: false,
        rows: filled(rows.map((cells, index) => ({ row: index + 1, cells: cells.slice(0, COLUMNS_READ) }))),
      },
    ],
  };
}

/** Letters in place of their numbers (`&#235;`), which the parser leaves as they are; signs of the markup stay. */
const withLetters = (html: string) =>
  html.replace(/&#(?:x([0-9a-f]{2,6})|(\d{2,7}));/gi, (entity, hex?: string, decimal?: string) => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0x7f && code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
  });

const startsWith = (content: Buffer, ...signature: number[]) =>
  signature.every((byte, index) => content[index] === byte);
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

function readOle(content: Buffer): Workbook {
  if (content.includes(utf16('EncryptedPackage'))) throw new Unreadable('protected');
  if (!content.includes(utf16('Workbook')) && !content.includes(utf16('Book')))
    throw new Unreadable(content.includes(utf16('Root Entry')) ? 'wrong_type' : 'damaged');
  return fromParsed(() => read(content, { ...OPTIONS, type: 'buffer' }), 'xls');
}

function readXlsx(content: Buffer): Workbook {
  const entries = listZip(content);
  if (!entries) throw new Unreadable('damaged');
  if (entries.some(({ encrypted }) => encrypted)) throw new Unreadable('protected');
  if (!entries.some(({ name }) => /^xl\/workbook\d*\.xml$/i.test(name))) throw new Unreadable('wrong_type');
  const wanted = entries.filter(({ name }) => /\.(xml|rels)$/i.test(name));
  if (wanted.reduce((sum, { size }) => sum + size, 0) > UNPACKED || wanted.length > SHEETS * 5)
    throw new Unreadable('too_complex');
  for (const entry of wanted) checkEntry(content, entry);
  return fromParsed(() => read(content, { ...OPTIONS, type: 'buffer', sheetRows: ROWS_READ + 1 }), 'xlsx');
}

/** That an entry is as large as it claims, and that no sheet has content below what is read. */
function checkEntry(content: Buffer, entry: ZipEntry): void {
  const unpacked = unzip(content, entry);
  if (!unpacked) throw new Unreadable('damaged');
  if (!/^xl\/worksheets\/[^/]+\.xml$/i.test(entry.name)) return;
  const last = Math.max(unpacked.lastIndexOf('<v>'), unpacked.lastIndexOf('<is>'));
  const row = last < 0 ? -1 : unpacked.lastIndexOf('<row ', last);
  if (row < 0) return;
  const number = /\br="(\d+)"/.exec(unpacked.toString('latin1', row, Math.min(last, row + 400)))?.[1];
  if (Number(number ?? 0) > ROWS_READ) throw new Unreadable('too_many_rows');
}

const OPTIONS = {
  dense: true,
  cellHTML: false,
  cellFormula: true,
  cellStyles: false,
  bookVBA: false,
  bookProps: false,
} as const;

function fromParsed(parse: () => WorkBook, format: 'xls' | 'xlsx'): Workbook {
  let book: WorkBook;
  try {
    book = parse();
  } catch (error) {
    throw new Unreadable(/password|encrypt/i.test((error as Error).message) ? 'protected' : 'damaged');
  }
  if (book.SheetNames.length > SHEETS) throw new Unreadable('too_complex');
  return {
    format,
    sheets: book.SheetNames.map((name, index) => ({
      name,
      hidden: (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0,
      rows: readCells(book.Sheets[name]),
    })),
  };
}

function readCells(sheet: WorkSheet | undefined): SheetRow[] {
  const data = (sheet?.['!data'] ?? []) as (CellObject | undefined)[][];
  const rows = new Map<number, string[]>();
  // forEach passes over holes, so that a cell at XFD1048576 costs no more than one at A1.
  data.forEach((cells, row) => {
    const texts: string[] = [];
    cells?.forEach((cell, column) => {
      if (column < COLUMNS_READ && cell) texts[column] = cellText(cell);
    });
    if (texts.length > 0) rows.set(row, texts);
  });
  // A cell merged downwards counts for each of its rows; one merged sideways is a title.
  for (const { s, e } of sheet?.['!merges'] ?? []) {
    const text = rows.get(s.r)?.[s.c];
    if (text === undefined || s.c >= COLUMNS_READ) continue;
    for (let row = s.r + 1; row <= Math.min(e.r, data.length - 1); row += 1) {
      const texts = rows.get(row);
      if (texts) texts[s.c] ??= text;
    }
  }
  const kept = filled(
    [...rows]
      .sort(([a], [b]) => a - b)
      .map(([row, texts]) => ({ row: row + 1, cells: Array.from(texts, (text) => text ?? '') })),
  );
  if (kept.length > ROWS_READ) throw new Unreadable('too_many_rows');
  return kept;
}

/** A formula shows the value that was stored with it; without one it shows itself. */
function cellText(cell: CellObject): string {
  const text = cell.t === 's' ? String(cell.v ?? '') : (cell.w ?? String(cell.v ?? ''));
  return (text === '' && cell.f ? `=${cell.f}` : text).slice(0, CELL_LENGTH);
}

const BLANK = /^[\s\u200B\uFEFF]*$/;
const filled = (rows: SheetRow[]): SheetRow[] => rows.filter(({ cells }) => cells.some((cell) => !BLANK.test(cell)));
