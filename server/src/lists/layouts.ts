import { ABOUT_SHEET, type Sheet, type SheetRow } from '../spreadsheets/workbook.ts';
import { isWrittenAsClass } from './class-names.ts';
import { type Columns, createHeadingLookup, findColumns, findHeaderRow, type ListKnowledge, share } from './columns.ts';
import { toWords } from './header-words.ts';
import { hasTitle, looksLikeFullName, looksLikeName, startsWithFirstName, withoutListMark } from './names.ts';

/**
 * How a list is laid out. `table`: a row for each pupil, and perhaps a column of classes. `columns`: a class in each
 * column, below its name. `headings`: the name of a class above each run of pupils. `lines`: several things in one cell,
 * or several names in one row.
 */
export const LAYOUTS = ['table', 'columns', 'headings', 'lines'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** Rows that are read with the same columns. */
export interface Part {
  sheet: Sheet;
  /** Without headers and titles. */
  rows: SheetRow[];
  columns: Columns;
  /** The first of the sheet's columns that belongs to the part. */
  from: number;
  /** The class that stands above a row; null where the part has none. */
  classAbove: (row: number) => string | null;
}

/** What stands below a list: `Printed on 12/09/2026`, `Page 1 of 3`, `27 pupils`. */
const FOOTER =
  /^(?:(?:report|list|printed|produced|generated|exported|created|page|total|number of|count|source|end of)\b.*\d|\d+ (?:pupils|children|students|records|rows)\b|end of (?:list|report))/i;

const NO_CLASS_ABOVE = () => null;
/** Titles are expected within these rows. */
const MAX_TITLE_ROWS = 10;
/** A run of pupils, or a column of them, has at least this many. */
const MIN_RUN = 2;

const text = (cell: string | undefined) => (cell ?? '').trim();
const filledAt = ({ cells }: SheetRow) => cells.flatMap((cell, index) => (cell.trim() === '' ? [] : [index]));

/** Reads a sheet in a layout; undefined if it cannot be laid out so. */
export const FIND_PARTS: Record<Layout, (sheet: Sheet, knowledge: ListKnowledge) => Part[] | undefined> = {
  table: (sheet, knowledge) => [readTable(sheet, sheet.rows, knowledge)],
  columns: readColumns,
  headings: readHeadings,
  lines: readLines,
};

/** Whether a sheet is read at all. */
export const isReadable = ({ name, hidden, rows }: Sheet): boolean =>
  !hidden && name !== ABOUT_SHEET && rows.length > 0;

function readTable(sheet: Sheet, given: readonly SheetRow[], knowledge: ListKnowledge, from = 0): Part {
  const rows = joinNames(given, knowledge);
  const columns = findColumns(rows, knowledge);
  const heading = rows[columns.headerAt];
  const start = columns.headerAt >= 0 ? columns.headerAt + 1 : countTitles(rows);
  // Lists with several pages repeat their headers.
  const body = rows
    .slice(start)
    .filter((row) => !heading || !row.cells.every((cell, index) => cell.trim() === text(heading.cells[index])));
  return { sheet, rows: dropFooter(body, columns), columns, from, classAbove: NO_CLASS_ABOVE };
}

/** Drops the last rows if they are no pupils but say when the list was printed, or how many there are. */
function dropFooter(rows: SheetRow[], { roles }: Columns): SheetRow[] {
  const names = roles.flatMap((role, index) => (/name/.test(role) ? [index] : []));
  const isFooter = (row: SheetRow) => {
    const filled = filledAt(row);
    const name = names
      .map((index) => text(row.cells[index]))
      .join(' ')
      .trim();
    return filled.length <= 2 && (name === '' || FOOTER.test(name));
  };
  const last = rows.findLastIndex((row) => !isFooter(row));
  return rows.length - last > MAX_TITLE_ROWS ? rows : rows.slice(0, last + 1);
}

/** Words of titles, such as `Larkfield Primary School` and `Pupil list 2026`. */
const TITLE = /\b(?:school|academy|primary|infants?|junior|list|register|pupils|children|students|roll|20\d\d)\b/i;

/** Counts titles at the top of a list: single cells above rows with several, or words of titles above a blank row. */
function countTitles(rows: readonly SheetRow[]): number {
  const isFull = (row: SheetRow) => filledAt(row).length > 1;
  const usual = rows.filter(isFull).length > rows.length / 2;
  const first = rows.findIndex(isFull);
  if (usual && first > 0 && first <= 5) return first;
  const gap = rows.findIndex((row, index) => index > 0 && row.row > (rows[index - 1]?.row ?? 0) + 1);
  const above = rows.slice(0, Math.max(0, gap));
  const areTitles = above.length <= 5 && above.every((row) => !isFull(row) && TITLE.test(row.cells.join(' ')));
  return areTitles ? above.length : 0;
}

/** Joins `Smith| Jane` below one header: rows of a CSV file without quotation marks, with a cell more than headers. */
function joinNames(rows: readonly SheetRow[], knowledge: ListKnowledge): SheetRow[] {
  const headerAt = findHeaderRow(rows, knowledge);
  const headers = rows[headerAt]?.cells.map((cell) => cell.trim()) ?? [];
  const count = headers.findLastIndex(Boolean) + 1;
  const read = createHeadingLookup(knowledge);
  const nameAt = headers.findIndex((header) => ['name', 'surname_first'].includes(read(header) ?? ''));
  if (nameAt < 0 || headers.slice(0, count).includes('')) return [...rows];
  const isSplit = ({ cells }: SheetRow) =>
    cells.findLastIndex((cell) => cell.trim() !== '') === count &&
    looksLikeName(cells[nameAt] ?? '') &&
    /^\s*\p{L}/u.test(cells[nameAt + 1] ?? '') &&
    looksLikeName(cells[nameAt + 1] ?? '');
  return rows.map((row, index) =>
    index > headerAt && isSplit(row)
      ? {
          ...row,
          cells: [
            ...row.cells.slice(0, nameAt),
            `${row.cells[nameAt]?.trim()}, ${row.cells[nameAt + 1]?.trim()}`,
            ...row.cells.slice(nameAt + 2),
          ],
        }
      : row,
  );
}

/** A class in each column, or in each few columns, below its name. */
function readColumns(sheet: Sheet, knowledge: ListKnowledge): Part[] | undefined {
  const read = createHeadingLookup(knowledge);
  for (const [at, heading] of sheet.rows.slice(0, MAX_TITLE_ROWS).entries()) {
    const starts = filledAt(heading);
    const names = starts.map((index) => text(heading.cells[index]));
    if (starts.length < 2) continue;
    const known = share(names, (name) => read(name) !== undefined);
    // Classes stand above the headers, not below them.
    if (known > 0.5) return undefined;
    if (known > 0) continue;
    if (share(names, (name) => looksLikeFullName(name) && !isWrittenAsClass(name)) > 0.5) continue;
    const parts = starts.flatMap((start, index) => {
      const end = starts[index + 1];
      const rows = sheet.rows
        .slice(at + 1)
        .map(({ cells, ...row }) => ({ ...row, cells: cells.slice(start, end) }))
        .filter((row) => filledAt(row).length > 0);
      const part = readTable(sheet, rows, knowledge, start);
      const { roles } = part.columns;
      // Below the name of a class stand whole names; single words are surnames beside first names.
      const isClass = isWrittenAsClass(names[index] ?? '') || knowledge.isClass(names[index] ?? '');
      const areWhole =
        roles.includes('first_name') ||
        share(
          part.rows.map(({ cells }) => text(cells[roles.indexOf('name')])),
          looksLikeFullName,
        ) > 0.5;
      const isOfNames = roles.some((role) => /name/.test(role)) && part.rows.length >= MIN_RUN && (isClass || areWhole);
      return isOfNames ? [{ ...part, classAbove: () => cleanHeading(names[index] ?? '') }] : [];
    });
    if (parts.length >= 2 && parts.length >= starts.length / 2) return parts;
  }
  return undefined;
}

/** `Class: Oak (28)` is `Oak`. */
const cleanHeading = (heading: string): string =>
  heading
    .replace(/^(?:class|form|group|dosbarth)\s*[:–—-]\s*/i, '')
    .replace(/(?<=\S)\s+[-–—([]\s*(?:mr|mrs|miss|ms|mx|dr)\b.*$/i, '')
    .replace(/\s*[([]?\s*\b\d+\s*(?:pupils|children)\s*[)\]]?$/i, '')
    .replace(/\s*[([]\s*\d+\s*[)\]]$/, '')
    .trim();

/** The name of a class above each run of pupils. */
function readHeadings(sheet: Sheet, knowledge: ListKnowledge): Part[] | undefined {
  const { rows } = sheet;
  const headerAt = findHeaderRow(rows, knowledge);
  const read = createHeadingLookup(knowledge);
  const hasSeveralCells = rows.filter((row) => filledAt(row).length > 1).length > rows.length / 2;
  const areWhole =
    share(
      rows.flatMap(({ cells }) => cells.filter((cell) => cell.trim() !== '')),
      looksLikeFullName,
    ) > 0.7;
  const isHeading = (row: SheetRow, index: number): boolean => {
    const filled = filledAt(row);
    const first = withoutListMark(text(row.cells[filled[0] ?? 0]));
    if (index === headerAt || index === rows.length - 1 || first === '' || read(first) !== undefined) return false;
    // `3A | 28 pupils` and `3A | Mrs Hale`, but not `Ng | Jia`.
    const second = text(row.cells[filled[1] ?? -1]);
    const isAboutClass =
      isWrittenAsClass(first) && (hasTitle(second) || /^\d+(?: (?:pupils|children))?$/i.test(second));
    if (filled.length > 1 && !(filled.length === 2 && isAboutClass && hasSeveralCells)) return false;
    if (/^(?:grand |sub)?totals?\b/i.test(first)) return false;
    const isClass = (isWrittenAsClass(first) || knowledge.isClass(first)) && !TITLE.test(first);
    const isAfterGap = index === 0 || row.row > (rows[index - 1]?.row ?? 0) + 1;
    if (first !== text(row.cells[filled[0] ?? 0])) return false;
    if (hasSeveralCells) return isClass || !TITLE.test(first);
    if (isClass) return true;
    return isAfterGap && !looksLikeFullName(first) && !TITLE.test(first) && (areWhole || !startsWithFirstName(first));
  };
  const classes = new Map<number, string>();
  const pupils: SheetRow[] = [];
  let current: string | undefined;
  let run = 0;
  let headings = 0;
  for (const [index, row] of rows.entries()) {
    if (isHeading(row, index)) {
      // A heading with fewer pupils than this below it is a title.
      if (current !== undefined && run === 0) headings -= 1;
      current = cleanHeading(text(row.cells.find((cell) => cell.trim() !== '')));
      headings += 1;
      run = 0;
      continue;
    }
    pupils.push(row);
    if (index === headerAt) continue;
    if (current !== undefined) {
      classes.set(row.row, current);
      run += 1;
    }
  }
  const part = readTable(sheet, pupils, knowledge);
  const isAbove = (row: SheetRow) => classes.has(row.row);
  if (headings < 1 || part.rows.filter(isAbove).length < MIN_RUN) return undefined;
  // A single name in a list with a column of classes is a pupil without a class.
  const classAt = part.columns.headerAt >= 0 ? part.columns.roles.indexOf('class') : -1;
  const cells = part.rows.map((row) => text(row.cells[classAt]));
  const hasClasses = classAt >= 0 && share(cells, (cell) => cell !== '') > 0.5;
  const areClasses = [...new Set(classes.values())].every((name) => isWrittenAsClass(name) || knowledge.isClass(name));
  if (hasClasses && !areClasses) return undefined;
  // `3 Oak - Miss Hale` above everything in the sheet `3 Oak` is its title.
  const sheetWords = toWords(sheet.name);
  const isTitle = [...classes.values()].every((name) => toWords(name).startsWith(sheetWords));
  if (headings === 1 && sheetWords !== '' && isTitle) return undefined;
  // The rows above the first class are titles.
  const above = part.rows.filter((row) => !isAbove(row));
  if (above.length > MAX_TITLE_ROWS / 2) return undefined;
  return [{ ...part, rows: part.rows.filter(isAbove), classAbove: (row) => classes.get(row) ?? null }];
}

/** Several things in one cell, such as `Jane Smith, 3A`, or several names in each row. */
function readLines(sheet: Sheet, knowledge: ListKnowledge): Part[] | undefined {
  const { rows } = sheet;
  if (findHeaderRow(rows, knowledge) >= 0) return undefined;
  const cells = rows.flatMap((row) => filledAt(row).map((index) => ({ row: row.row, cell: text(row.cells[index]) })));
  const isOneCell = rows.filter((row) => filledAt(row).length === 1).length > rows.length * 0.8;
  const split = isOneCell
    ? splitLines(cells.map(({ cell }) => withoutListMark(cell)))
    : splitNames(cells.map(({ cell }) => withoutListMark(cell)));
  if (!split) return undefined;
  const table = cells.flatMap(({ row }, index) => (split[index] ?? []).map((parts) => ({ row, cells: parts })));
  return [readTable(sheet, table, knowledge)];
}

/** Ways to write a name and a class in one cell. */
const LINES = [
  /^(?<name>[^,;]+?)\s*[,;:|\t]\s*(?<class>[^,;]+)$/u,
  /^(?<name>[^,;]+?)\s+[-–—]\s+(?<class>.+)$/u,
  /^(?<last>[^,;]+?)\s*,\s*(?<first>[^,;]+?)\s*[,;]\s*(?<class>[^,;]+)$/u,
  /^(?<name>.+?)\s*[([](?<class>[^)\]]+)[)\]]$/u,
  /^(?<name>\p{L}.*?\p{L})\s+(?<class>(?:[yr]?\d{1,2}\s?\p{L}{0,2}|year \d.*|reception.*))$/iu,
];

/** Longer cells are texts. */
const MAX_LINE_LENGTH = 200;

/** Splits cells such as `Jane Smith, 3A` where most are written in one way. Each cell becomes one row. */
function splitLines(cells: readonly string[]): string[][][] | undefined {
  for (const pattern of LINES) {
    const found = cells.map((cell) => (cell.length > MAX_LINE_LENGTH ? undefined : pattern.exec(cell)?.groups));
    const classes = found.flatMap((parts) => (parts?.class ? [parts.class.trim()] : []));
    const names = found.flatMap((parts) => (parts ? [parts.name ?? `${parts.first} ${parts.last}`] : []));
    const isSplit =
      classes.length >= cells.length * 0.8 &&
      share(names, looksLikeFullName) > 0.8 &&
      (share(classes, isWrittenAsClass) > 0.8 || new Set(classes).size <= classes.length / 3);
    if (isSplit)
      return found.map((parts, index) => [
        parts ? [parts.name ?? `${parts.last}, ${parts.first}`, parts.class ?? ''] : [cells[index] ?? '', ''],
      ]);
  }
  // `Jane Smith, Tom Price and Ada Finch` in one cell.
  const several = cells.map((cell) => cell.split(/\s*[,;]\s*|\s+and\s+|\s+&\s+/).filter(Boolean));
  const isSeveral = share(several.flat(), looksLikeFullName) > 0.9 && several.flat().length > cells.length;
  return isSeveral ? several.map((names) => names.map((name) => [name])) : undefined;
}

/** Several whole names in a row: each becomes a row. */
function splitNames(cells: readonly string[]): string[][][] | undefined {
  const several = cells.map((cell) => cell.replace(/^and\s+/, '').split(/\s+and\s+/));
  if (share(several.flat(), (cell) => looksLikeFullName(cell) && !cell.includes(',')) < 0.9) return undefined;
  return several.map((names) => names.map((name) => [name]));
}
