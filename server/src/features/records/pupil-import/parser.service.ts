import {
  type ColumnRole,
  IMPORT_ROWS,
  type ImportColumn,
  type ImportPreview,
  type ImportSheet,
} from '#contract/calls/pupil-import.ts';
import { ABOUT_SHEET, type Sheet, type SheetRow, type Workbook } from '../../../spreadsheets/workbook.ts';
import { AppError } from '../../../errors.ts';
import { formatYearGroup, parseYearGroup, type YearGroup } from '#contract/year-group.ts';
import {
  type ColumnKnowledge,
  findLayout,
  type Layout,
  looksLikeName,
  NO_KNOWLEDGE,
} from './column-detection.service.ts';

/** A pupil in a row of a file, not validated yet. */
export interface ImportedRow {
  sheet: string;
  row: number;
  /** Assembled from the columns, not validated. */
  name: string;
  class: string | null;
  /** The class by ID, for rows sent as JSON. */
  classId: number | null;
  yearGroup: YearGroup | null;
  namesake: boolean;
  /** Moves the existing pupil with this name to the row's class. */
  shouldMove: boolean;
  /** The existing pupil whom the preview found for the row. */
  existingId: number | null;
  /** The row has no first name although there is a column for it. */
  lacksForename: boolean;
  /** Digests of the date of birth and the UPN. */
  match: string | null;
  tagIds: readonly number[];
  /** The path of the row in `errors`. */
  path: string;
}

/** The result of parsing a file. */
export interface ParsedImport {
  format: Workbook['format'] | 'rows';
  sheets: ImportSheet[];
  /** The tags that a column can contain. */
  tags: ImportPreview['understood']['tags'];
  rows: ImportedRow[];
}

interface Choice {
  /** The roles of the columns, where the user has chosen them. */
  roles: readonly ColumnRole[] | undefined;
  /** The request names one class for all pupils. */
  classChosen: boolean;
  knowledge?: ColumnKnowledge;
  /** Replaces a date of birth and a UPN by digests; null if it recognises neither. */
  digest?: (birthDate: string, upn: string) => string | null;
}

type InspectedSheet = { sheet: Sheet; layout: Layout; body: SheetRow[]; fits: boolean };

/** Parses a file. Throws `file_empty`, `file_not_understood`, `file_too_many_rows`. */
export function parseWorkbook(book: Workbook, choice: Choice): ParsedImport {
  if (book.sheets.every(({ rows }) => rows.length === 0)) throw new AppError('file_empty');
  const inspectedSheets = book.sheets.map((sheet) => inspectSheet(sheet, choice, book));
  const used = chooseSheets(inspectedSheets);
  if (used.length === 0) throw new AppError('file_not_understood');
  const fromNames = used.length > 1 && !choice.classChosen;
  const classFrom = ({ layout, sheet }: InspectedSheet): ImportSheet['class_from'] => {
    if (choice.classChosen) return 'chosen';
    if (layout.roles.includes('class') || isYearTheClass(layout)) return 'column';
    return fromNames && !isUnnamed(sheet.name) ? 'sheet_name' : 'none';
  };
  const rows = used.flatMap((inspected) => readRows(inspected, classFrom(inspected), book.format, choice.digest));
  if (rows.length > IMPORT_ROWS) throw new AppError('file_too_many_rows');
  return {
    format: book.format,
    rows,
    tags: (choice.knowledge ?? NO_KNOWLEDGE).tags.map(({ id, name }) => ({ id, name })),
    sheets: inspectedSheets.map((inspected) => {
      const isUsed = used.includes(inspected);
      return {
        name: inspected.sheet.name,
        used: isUsed,
        note: isUsed ? explain(inspected, classFrom(inspected)) : leftOut(inspected),
        header_row: inspected.sheet.rows[inspected.layout.headerAt]?.row ?? null,
        class_from: isUsed ? classFrom(inspected) : 'none',
        columns: isUsed ? describeColumns(inspected) : [],
      };
    }),
  };
}

/** Matches `Sheet1` in the languages of spreadsheet programs. */
const isUnnamed = (name: string) =>
  /^(sheet|tabelle|feuille|feuil|blad|hoja|foglio|arkusz|planilha|table|page)?\s*\d*$/i.test(name.trim());

const isYearTheClass = ({ roles }: Layout) => roles.includes('year_group') && !roles.includes('class');

function inspectSheet(sheet: Sheet, { roles, knowledge = NO_KNOWLEDGE }: Choice, book: Workbook): InspectedSheet {
  const found = findLayout(sheet.rows, knowledge);
  const layout =
    roles && !sheet.hidden
      ? { ...found, roles: found.roles.map((_, index) => roles[index] ?? 'ignored'), note: null }
      : found;
  const heading = sheet.rows[layout.headerAt];
  const from = layout.headerAt >= 0 ? layout.headerAt + 1 : countTitles(sheet.rows);
  // Lists with several pages repeat their headers.
  const body = sheet.rows
    .slice(from)
    .filter(
      (row) => !heading || !row.cells.every((cell, index) => cell.trim() === (heading.cells[index] ?? '').trim()),
    );
  const hasNames = layout.roles.some(isNameRole);
  const isOnly = book.sheets.filter(({ rows }) => rows.length > 0).length === 1;
  const fits =
    hasNames &&
    !sheet.hidden &&
    sheet.name !== ABOUT_SHEET &&
    (layout.headerAt >= 0 ||
      isOnly ||
      body.filter((row) => looksLikeName(nameCell(row, layout))).length >= body.length * 0.6);
  return { sheet, layout, body, fits };
}

const isNameRole = (role: ColumnRole | undefined) => role === 'name' || role === 'first_name' || role === 'last_name';

const nameCell = ({ cells }: SheetRow, { roles }: Layout) =>
  cells.find((cell, index) => isNameRole(roles[index]) && cell.trim() !== '') ?? '';

/** Counts rows with a single cell at the top of a list whose other rows have several. */
function countTitles(rows: readonly SheetRow[]): number {
  const filled = ({ cells }: SheetRow) => cells.filter((cell) => cell.trim() !== '').length;
  const usual = rows.filter((row) => filled(row) > 1).length > rows.length / 2;
  const first = rows.findIndex((row) => filled(row) > 1);
  return usual && first > 0 && first <= 5 ? first : 0;
}

/** All sheets with headers, or else the first that looks like a list of pupils. */
function chooseSheets(inspectedSheets: readonly InspectedSheet[]): InspectedSheet[] {
  const fitting = inspectedSheets.filter(({ fits, sheet }) => fits && sheet.rows.length > 0);
  const headed = fitting.filter(({ layout }) => layout.headerAt >= 0);
  const withRows = headed.filter(({ body }) => body.length > 0);
  if (withRows.length > 0) return withRows;
  return headed.length > 0 ? headed : fitting.slice(0, 1);
}

const leftOut = ({ sheet, layout }: InspectedSheet): string => {
  if (sheet.rows.length === 0) return 'This sheet is empty.';
  if (sheet.hidden) return 'This sheet is hidden and was left out.';
  return layout.headerAt < 0
    ? 'This sheet does not look like a list of pupils and was left out.'
    : 'There are no names below the headers of this sheet.';
};

function explain({ sheet, layout, body }: InspectedSheet, classFrom: ImportSheet['class_from']): string | null {
  const from = sheet.rows[layout.headerAt]?.row ?? body[0]?.row ?? 0;
  const skipped = sheet.rows.filter(({ row }) => row < from && !body.some((kept) => kept.row === row)).length;
  const notes = [
    skipped > 0
      ? `${skipped === 1 ? 'A row' : `${skipped} rows`} above the list ${skipped === 1 ? 'was' : 'were'} taken as a title.`
      : '',
    body.length === 0 ? 'There are no names below the headers yet.' : '',
    classFrom === 'sheet_name' ? `The name of the sheet was taken as the class: ${sheet.name}.` : '',
    classFrom === 'chosen' && layout.roles.includes('class')
      ? 'The class column was left out, because a class was chosen for all.'
      : '',
    classFrom === 'column' && isYearTheClass(layout)
      ? 'The year group was taken as the class, because there is no class column.'
      : '',
    layout.note ?? '',
  ].filter(Boolean);
  return notes.length > 0 ? notes.join(' ') : null;
}

const letterOf = (index: number): string =>
  (index < 26 ? '' : letterOf(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

const describeColumns = ({ layout, body }: InspectedSheet): ImportColumn[] =>
  layout.roles.map((role, index) => ({
    index,
    letter: letterOf(index),
    header: layout.headers[index]?.slice(0, 100) ?? null,
    role,
    is_remembered: layout.remembered[index] === role,
    samples:
      role === 'birth_date' || role === 'upn'
        ? []
        : body
            .map(({ cells }) => (cells[index] ?? '').trim().slice(0, 100))
            .filter(Boolean)
            .slice(0, 3),
  }));

/** Removes the apostrophe that makes a formula inert in CSV files, including the portal's own. */
const plain = (cell: string, format: Workbook['format']) => {
  const text = cell.replace(/[\s\u200B\uFEFF]+/g, ' ').trim();
  return format === 'csv' || format === 'text' ? text.replace(/^'(?='*[=+\-@])/, '') : text;
};

function readRows(
  { sheet, layout, body }: InspectedSheet,
  classFrom: ImportSheet['class_from'],
  format: Workbook['format'],
  digest: Choice['digest'],
): ImportedRow[] {
  const { roles, fallbacks } = layout;
  const tags = roles.flatMap((role, index) => (role.startsWith('tag:') ? [{ id: Number(role.slice(4)), index }] : []));
  return body.flatMap(({ row, cells }) => {
    const cellAt = (index: number | undefined) => plain(cells[index ?? -1] ?? '', format);
    const of = (role: ColumnRole) => {
      const fallback = role === 'first_name' || role === 'last_name' ? fallbacks[role] : undefined;
      const cell = cellAt(roles.indexOf(role));
      return cell === '' && fallback !== undefined && roles[fallback] === 'ignored' ? cellAt(fallback) : cell;
    };
    const name = roles.includes('name')
      ? swapName(of('name'), layout.surnameFirst)
      : [of('first_name'), of('last_name')].filter(Boolean).join(' ');
    const ownClass = isYearTheClass(layout) ? yearName(of('year_group')) : of('class');
    const className = classFrom === 'column' ? ownClass : classFrom === 'sheet_name' ? sheet.name : '';
    // Many lists are numbered beyond their last row.
    if (name === '' && className === '' && cells.every((cell) => /^\s*\d{0,4}\.?\s*$/.test(cell))) return [];
    if (isTotal(cells)) return [];
    const isPair = roles.includes('first_name') && roles.includes('last_name');
    const lacksForename = isPair && of('first_name') === '' && of('last_name') !== '' && !of('last_name').includes(',');
    const path = `${sheet.name ? `${sheet.name}, ` : ''}row ${row}`;
    return [
      {
        sheet: sheet.name,
        row,
        name,
        class: className || null,
        classId: null,
        yearGroup: parseYearGroup(of('year_group')),
        namesake: false,
        shouldMove: false,
        existingId: null,
        lacksForename,
        match: digest?.(of('birth_date'), of('upn')) ?? null,
        tagIds: tags.filter(({ index }) => isYes(cellAt(index))).map(({ id }) => id),
        path,
      },
    ];
  });
}

/** A year group as a class: `03` is Year 3, `R` is Reception, and both years of a nursery are one class. */
function yearName(text: string): string {
  const code = parseYearGroup(text);
  if (code === 'N1' || code === 'N2') return 'Nursery';
  return code === null || code === 'M' || code === 'X' ? text : formatYearGroup(code);
}

/** Whether a cell says that a pupil has a tag: not empty, and not one of the ways to write no. SIMS writes `N` for no SEN. */
const isYes = (cell: string): boolean => !/^(|-|–|n|no|none|false|f|0|n\/?a|not .*|no .*)$/i.test(cell);

/** Whether a row counts the others: `9 Total`, `Total: 30`, `Grand total`. A pupil called Total has another name too. */
const isTotal = (cells: readonly string[]): boolean =>
  /^(((grand|sub)[ -]?)?totals?( pupils| children)?[\s:=]*\d*|\d+\s+(((grand|sub)[ -]?)?totals?|pupils|children))$/i.test(
    cells
      .map((cell) => cell.trim())
      .filter(Boolean)
      .join(' '),
  );

/** Turns "Smith, Jane" into "Jane Smith". */
export function swapName(text: string, surnameFirst = false): string {
  const parts = text.split(',').map((part) => part.trim());
  const [last, first] = parts;
  if (parts.length === 2 && last && first) return `${first} ${last}`;
  if (!surnameFirst || parts.length > 1) return text;
  const [surname = '', ...forenames] = text.split(' ');
  return forenames.length > 0 ? `${forenames.join(' ')} ${surname}` : text;
}
