import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readList } from '../../../spreadsheets/read-upload.ts';
import { planImport } from './import-plan.service.ts';
import { parseWorkbook } from './parser.service.ts';
import type { StaffSession } from '../../../context.ts';
import { readWorkbook } from '../../../spreadsheets/workbook.ts';

/*
 * Files as programs write them: LibreOffice 7.4, Gnumeric 1.12, Python's openpyxl and xlwt, and by hand what
 * schools' systems and old machines write. Each with what a person would expect of it.
 */
const FOLDER = join(import.meta.dirname, 'fixtures');
const admin = { role: 'admin', userId: 1 } as StaffSession;

interface Expectation {
  /** Rows to be added: `Name` or `Name|Class`. */
  adds?: readonly string[];
  /** The numbers of invalid rows, and of duplicates. */
  wrong?: readonly number[];
  repeats?: readonly number[];
  format?: string;
  /** The first row's number. */
  from?: number;
  /** The sheets used. */
  used?: readonly string[];
  /** Part of a note. */
  says?: string;
  error?: string;
}

const FIVE = ['Ada Baker|3A', 'Zoë Łukasik|3A', "Finn O'Hara|3B", 'Thị Ánh Nguyễn|3B', 'Anne-Marie Kilbride|3B'];
const NAMES = FIVE.map((text) => text.split('|')[0] as string);
const LATIN = ['Ada Baker|3A', 'Zoë Müller|3A', "Siân O'Hara|3B", 'José Núñez|3B'];
const SEVEN = [
  'Oliver Ashworth',
  'Amelia Barnes',
  'Noah Chowdhury',
  'Isla Davies',
  'George Evans',
  'Ava Farrell',
  'Leo Grant',
];

const table: Record<string, Expectation> = {
  // Text files: encodings, delimiters, quotation marks.
  'name-class.csv': { adds: FIVE, format: 'csv', from: 2 },
  'bom-semicolons.csv': { adds: FIVE },
  'utf-16le-bom.csv': { adds: FIVE },
  'utf-16be-bom.csv': { adds: FIVE },
  'utf-16le-bare.csv': { adds: FIVE },
  'windows-1252.csv': { adds: LATIN },
  'mac-roman.csv': { adds: LATIN },
  'sep-hint.csv': { adds: FIVE, from: 3 },
  'pipes.csv': { adds: FIVE },
  'libreoffice.csv': { adds: FIVE },
  'gnumeric.csv': { adds: FIVE },
  'line-break-in-header.csv': { adds: FIVE },
  'unclosed-quote.csv': { adds: ['Ada Baker|3A', "Finn O'Hara|3B"], wrong: [3] },
  'blank-rows-and-spaces.csv': { adds: ['Ada Baker|3A', 'Zoë Łukasik|3A'], from: 5 },
  // The roles of columns.
  'camel-headers.csv': { adds: FIVE },
  'middle-names.csv': { adds: NAMES },
  'surname-forename-quoted.csv': { adds: FIVE },
  'surname-forename-bare.csv': { adds: NAMES, from: 1, says: 'surname was taken to come first' },
  'one-header-bare-commas.csv': { adds: NAMES },
  'names-not-pupils.csv': { adds: FIVE },
  'no-headers-names.csv': { adds: NAMES, from: 1 },
  'no-headers-first-last.csv': { adds: SEVEN, says: 'first name was taken to come first' },
  'no-headers-last-first-class.csv': {
    adds: SEVEN.map((name, index) => `${name}|Year ${index < 3 ? '3 Wrens' : '4 Owls'}`),
  },
  'no-headers-sorted-unknown.csv': {
    adds: ['Xanthe Abbott', 'Quill Burr', 'Zephyr Cole', 'Briar Dunn', 'Wren Eccles'],
  },
  'numbered-list.csv': { adds: NAMES.slice(0, 3) },
  'mis-export.csv': { adds: FIVE.slice(0, 3), from: 5, says: '2 rows above the list were taken as a title' },
  'no-names.csv': { error: 'file_not_understood' },
  // Invalid rows and duplicates.
  'formulas.csv': { adds: ['Ada Baker|3A'], wrong: [3, 4, 5, 6, 7, 8] },
  'wrong-names.csv': { adds: ['Ada Baker', 'Łukasz Żółć'], wrong: [2, 4, 5, 6, 7] },
  'duplicates.csv': { adds: ['Ada Baker|3A', 'Ada Baker|3B', 'Zoë Lukasik|3A'], repeats: [4, 5, 7] },
  'header-only.csv': { adds: [], says: 'no names below the headers yet' },
  'zero-bytes.csv': { error: 'file_empty' },
  'zero-bytes.xlsx': { error: 'file_empty' },
  'blank.csv': { error: 'file_empty' },
  'picture.csv': { error: 'file_wrong_type' },
  'letter.csv': { error: 'file_wrong_type' },
  'print.xlsx': { error: 'file_wrong_type' },
  // xlsx
  'libreoffice.xlsx': { adds: FIVE, format: 'xlsx', used: ['Roll'], says: 'empty' },
  'libreoffice-formulas.xlsx': { adds: FIVE },
  'libreoffice-ods.xlsx': { adds: FIVE, format: 'ods' },
  'gnumeric.xlsx': { adds: FIVE },
  'gnumeric-strict.xlsx': { adds: FIVE },
  'minimal-inline.xlsx': { adds: FIVE },
  'openpyxl-shuffled.xlsx': { adds: FIVE },
  'openpyxl-merged-headers.xlsx': { adds: FIVE, from: 4 },
  'openpyxl-merged-classes.xlsx': { adds: FIVE },
  'openpyxl-several-sheets.xlsx': { adds: FIVE, used: ['Pupils'], says: 'does not look like a list of pupils' },
  'openpyxl-sheet-per-class.xlsx': {
    adds: FIVE.map((text, index) => `${text.split('|')[0]}|${index < 2 ? 'Wrens' : 'Owls'}`),
    used: ['Wrens', 'Owls'],
    says: 'The name of the sheet was taken as the class',
  },
  'openpyxl-hidden-sheet.xlsx': { adds: ['Ada Baker'], says: 'hidden' },
  'openpyxl-numbers.xlsx': {
    adds: [...NAMES.map((name, index) => `${name}|${index < 2 ? 3 : 4}`), 'TRUE|3'],
    wrong: [7],
  },
  'openpyxl-formulas-uncached.xlsx': { adds: [], wrong: [2, 3, 4, 5, 6] },
  'openpyxl-errors.xlsx': { adds: ['Zoë Łukasik|3A'], wrong: [2, 3] },
  'openpyxl-spaces.xlsx': { adds: FIVE },
  'openpyxl-far-cell.xlsx': { error: 'file_too_many_rows' },
  'far-dimension.xlsx': { adds: FIVE },
  'macros-inside.xlsx': { adds: FIVE },
  'name-says-csv.csv': { adds: FIVE, format: 'xlsx' },
  'name-says-xls.xls': { adds: FIVE, format: 'xlsx' },
  'document.xlsx': { error: 'file_wrong_type' },
  'password.xlsx': { error: 'file_protected' },
  'truncated.xlsx': { error: 'file_damaged' },
  // xls, and other formats that programs save under this name
  'libreoffice.xls': { adds: FIVE, format: 'xls' },
  'libreoffice-formulas.xls': { adds: FIVE },
  'libreoffice-html.xls': { adds: FIVE },
  'gnumeric.xls': { adds: FIVE },
  // Excel 95 had no Unicode: Gnumeric writes question marks, which the user has to correct.
  'gnumeric-biff7.xls': { adds: ['Ada Baker|3A', "Finn O'Hara|3B", 'Anne-Marie Kilbride|3B'], wrong: [3, 5] },
  'gnumeric-html.xls': { adds: FIVE },
  'xlwt-names.xls': { adds: FIVE },
  'xlwt-title.xls': { adds: FIVE, from: 4, says: 'A row above the list was taken as a title' },
  'xls-named.xlsx': { adds: FIVE, format: 'xls' },
  'spreadsheetml.xls': { adds: FIVE.slice(0, 3) },
  'table.xls': { adds: FIVE },
  'tab-text.xls': { adds: FIVE, format: 'csv' },
  'page.xls': { error: 'file_wrong_type' },
  'password.xls': { error: 'file_protected' },
  'truncated.xls': { error: 'file_damaged' },
};

/** Reads a file in the worker, which turns failures into error texts. */
const read = (name: string, content: Buffer) =>
  readList('readPupilList', {
    source: { name, content },
    choice: { classChosen: false },
    knowledge: { schoolId: 1, headerKeys: [], remembered: new Map(), tags: [], classes: new Set() },
  });

/** Parses in this thread, because loading the worker's code takes longer than reading a file. */
const parse = (name: string, content: Buffer) =>
  parseWorkbook(readWorkbook({ name, content }), { roles: undefined, classChosen: false });

/** The assembled name, with the class of the file, which is always new here. */
const shown = ({ name, class: className }: { name: string; class: string | null }) =>
  className ? `${name}|${className}` : name;

describe('files written by other programs', () => {
  test('each file in the fixtures folder is in the table', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(table).sort());
    expect(Object.keys(table).length).toBeGreaterThan(40);
  });

  const readable = Object.entries(table).filter(([, { error }]) => !error);
  const unreadable = Object.entries(table).filter(([, { error }]) => error);

  test.each(unreadable)('the file %s is rejected', (file, { error }) => {
    const byReading = { failure: error?.replace('file_', '') };
    const kinds = [{ kind: error }, byReading].map((failure) => expect.objectContaining(failure));
    expect(() => parse(file, readFileSync(join(FOLDER, file)))).toThrow(expect.toBeOneOf(kinds));
  });

  test.each(readable)('the file %s is parsed', (file, expected) => {
    const parsed = parse(file, readFileSync(join(FOLDER, file)));
    const { rows } = planImport(parsed.rows, { pupils: [], classes: [] }, admin, undefined, '2026-11-26');
    const withStatus = (status: string) => rows.filter((row) => row.status === status);
    expect(withStatus('new').map(shown)).toEqual(expected.adds);
    expect(withStatus('wrong').map(({ row }) => row)).toEqual(expected.wrong ?? []);
    expect(withStatus('duplicate').map(({ row }) => row)).toEqual(expected.repeats ?? []);
    for (const { reason } of withStatus('wrong')) expect(reason).toMatch(/\w.*\.$/);
    const used = parsed.sheets.filter((sheet) => sheet.used).map((sheet) => sheet.name);
    const seen = {
      format: parsed.format,
      from: rows[0]?.row,
      used,
      says: parsed.sheets.map(({ note }) => note).join('\n'),
    };
    const { format = seen.format, from = seen.from, says = '' } = expected;
    expect(seen).toEqual({ format, from, used: expected.used ?? used, says: expect.stringContaining(says) });
  });
});

describe('file names', () => {
  test.each([
    ['pupils.xlsm', 'file_with_macros'],
    ['pupils.xltm', 'file_with_macros'],
    ['pupils.pdf', 'file_wrong_type'],
    ['pupils.numbers', 'file_wrong_type'],
    ['pupils.docx', 'file_wrong_type'],
  ])('an upload named %s is %s', async (name, kind) => {
    await expect(read(name, Buffer.from('Name\nAda Baker\n'))).rejects.toMatchObject({ kind });
  });

  test.each(['pupils.CSV', 'pupils', 'pupils.txt', 'pupils.tsv', 'Class list 12.09.26'])(
    'the name of the file does not matter: %s is read',
    (name) => {
      expect(parse(name, Buffer.from('Name\nAda Baker\n')).rows).toHaveLength(1);
    },
  );
});
