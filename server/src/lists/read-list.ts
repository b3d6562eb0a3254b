import type { ColumnRole } from '#contract/calls/pupil-import.ts';
import { formatYearGroup, parseYearGroup } from '#contract/year-group.ts';
import type { Sheet, Workbook } from '../spreadsheets/workbook.ts';
import { isGeneralSheet, isSheetOfOthers, isUnnamedSheet, isWrittenAsClass } from './class-names.ts';
import { type ListKnowledge, share, withRoles } from './columns.ts';
import { toWords } from './header-words.ts';
import { isReadable, type Layout, LAYOUTS, type Part, FIND_PARTS } from './layouts.ts';
import { hasTitle, looksLikeFullName, looksLikeName, swapName, withoutListMark } from './names.ts';

/** A pupil as a list states it, not validated. */
export interface Entry {
  sheet: string;
  row: number;
  name: string;
  /** As the list states it; empty without one. */
  class: string;
  classFrom: 'column' | 'year' | 'heading' | 'sheet_name' | 'none';
  year: string;
  birthDate: string;
  upn: string;
  tagIds: number[];
  /** The row has a surname, but no first name, in a list with both. */
  lacksForename: boolean;
  /** The row's cells, without dates of birth and UPNs. */
  content: string;
}

/** What the user has chosen about a list. */
export interface ListChoices {
  layout?: Layout | undefined;
  /** The sheets to read. */
  sheets?: readonly string[] | undefined;
  /** The roles of the columns. */
  roles?: readonly ColumnRole[] | undefined;
  /** Whether the names of sheets are classes. */
  sheetsAreClasses?: boolean | undefined;
  /** Takes the surname to come first, or not, where the order was guessed. */
  isSurnameFirst?: boolean | undefined;
  /** Takes first names and surnames to be the other way round than they were read. */
  areNamesSwapped?: boolean | undefined;
  /** Leaves out the first row of a list without known headers. */
  hasHeader?: boolean | undefined;
  /** Does not use a class that was guessed from what is in its column. */
  isWithoutGuessedClass?: boolean | undefined;
  /** Reads hidden rows too. */
  hasHiddenRows?: boolean | undefined;
}

/** A sheet in one layout. */
interface Reading {
  sheet: Sheet;
  layout: Layout;
  parts: Part[];
  entries: Entry[];
  score: number;
}

export type WhyUnticked = 'empty' | 'hidden' | 'not_pupils' | 'no_names' | 'others' | 'repeats';

/** A sheet and what was made of it. */
export interface SheetOfList {
  sheet: Sheet;
  isUsed: boolean;
  why: WhyUnticked | null;
  /** What it would be read as; undefined for one that cannot be read. */
  reading: Reading | undefined;
  /** The next likely layout of the sheet. */
  rival: Reading | undefined;
}

export interface List {
  layout: Layout;
  /** The layouts in which the list can be read, the most likely first, with how likely each is. */
  layouts: { layout: Layout; score: number }[];
  sheets: SheetOfList[];
  entries: Entry[];
  sheetsAreClasses: boolean;
}

/** Reads a list in the layout that its content speaks for; undefined if there are no pupils in it. */
export function readList(book: Workbook, knowledge: ListKnowledge, choices: ListChoices = {}): List | undefined {
  const all = book.sheets.map((sheet) => ({ sheet, readings: readSheet(sheet, book.format, knowledge, choices) }));
  const layouts = rankLayouts(all.map(({ readings }) => readings));
  const layout = choices.layout ?? layouts[0]?.layout ?? 'table';
  const isOnly = book.sheets.filter(({ rows }) => rows.length > 0).length === 1;
  const sheets = all.map(({ sheet, readings }): SheetOfList => {
    const reading = readings.find((candidate) => candidate.layout === layout) ?? readings[0];
    const rival = readings.find((candidate) => candidate !== reading);
    const why = whyUnticked(sheet, reading, isOnly, knowledge);
    const isUsed = choices.sheets ? choices.sheets.includes(sheet.name) && reading !== undefined : why === null;
    return { sheet, reading, rival, why, isUsed };
  });
  if (!choices.sheets) untickRepeats(sheets);
  const used = sheets.flatMap(({ isUsed, reading }) => (isUsed && reading ? [reading] : []));
  if (used.length === 0 && !choices.sheets && sheets.every(({ why }) => why !== 'no_names')) return undefined;
  const sheetsAreClasses = choices.sheetsAreClasses ?? areSheetsClasses(used, knowledge);
  const entries = used.flatMap(({ entries: ofSheet, sheet }) =>
    sheetsAreClasses && !isUnnamedSheet(sheet.name)
      ? ofSheet.map((entry) =>
          entry.class === '' ? { ...entry, class: sheet.name.trim(), classFrom: 'sheet_name' as const } : entry,
        )
      : ofSheet,
  );
  return { layout, layouts, sheets, entries, sheetsAreClasses };
}

/** A sheet in each layout that it can have, the most likely first. */
function readSheet(
  given: Sheet,
  format: Workbook['format'],
  knowledge: ListKnowledge,
  choices: ListChoices,
): Reading[] {
  if (!isReadable(given)) return [];
  const { hasHiddenRows, hasHeader } = choices;
  const shown = hasHiddenRows ? given.rows : given.rows.filter(({ isHidden }) => !isHidden);
  const rows = shown.length === 0 ? given.rows : shown;
  const sheet = { ...given, rows: hasHeader ? rows.slice(1) : rows };
  return LAYOUTS.flatMap((layout) => {
    const parts = FIND_PARTS[layout](sheet, knowledge)?.map((part) => applyChoices(part, choices));
    if (!parts || parts.length === 0) return [];
    const entries = parts.flatMap((part) => readEntries(part, format));
    return [{ sheet, layout, parts, entries, score: scoreReading(parts, entries, knowledge) }];
  }).toSorted((left, right) => right.score - left.score);
}

const SWAPPED: Partial<Record<ColumnRole, ColumnRole>> = { first_name: 'last_name', last_name: 'first_name' };

/** Replaces what was guessed about columns by what the user has chosen. */
function applyChoices(part: Part, choices: ListChoices): Part {
  const { roles, isSurnameFirst, isWithoutGuessedClass, areNamesSwapped } = choices;
  const columns = roles ? withRoles(part.columns, roles) : { ...part.columns };
  if (!roles && columns.isOrderGuessed && isSurnameFirst !== undefined) {
    const [first, second] = isSurnameFirst
      ? (['last_name', 'first_name'] as const)
      : (['first_name', 'last_name'] as const);
    const at = Math.min(columns.roles.indexOf('first_name'), columns.roles.indexOf('last_name'));
    columns.roles = columns.roles.with(at, first).with(at + 1, second);
  }
  if (!roles && columns.isClassGuessed && isWithoutGuessedClass)
    columns.roles = columns.roles.map((role) => (role === 'class' ? 'ignored' : role));
  if (areNamesSwapped) {
    columns.roles = columns.roles.map((role) => SWAPPED[role] ?? role);
    columns.fallbacks = { first_name: columns.fallbacks.last_name, last_name: columns.fallbacks.first_name };
    columns.isSurnameFirst = !columns.isSurnameFirst;
  }
  return { ...part, columns };
}

/** The layouts of a list by the scores of its sheets, each weighted by its pupils. */
function rankLayouts(sheets: readonly Reading[][]): List['layouts'] {
  const total = sheets.reduce((sum, [best]) => sum + (best?.entries.length ?? 0), 0);
  return LAYOUTS.flatMap((layout) => {
    let sum = 0;
    let isFound = false;
    for (const readings of sheets) {
      const own = readings.find((reading) => reading.layout === layout);
      isFound ||= own !== undefined;
      sum += (((own ?? readings.at(-1))?.score ?? 0) * (readings[0]?.entries.length ?? 0)) / (total || 1);
    }
    return isFound && total > 0 ? [{ layout, score: sum }] : [];
  }).toSorted((left, right) => right.score - left.score);
}

/** Characters of a row that are shown. */
const MAX_CONTENT_LENGTH = 200;

const YEAR_CLASS_NAMES = { N1: 'Nursery', N2: 'Nursery' } as Record<string, string>;

/** A year group as a class: `03` is Year 3, `R` is Reception, and both years of a nursery are one class. */
export function yearAsClass(text: string): string {
  const code = parseYearGroup(text);
  if (code === null || code === 'M' || code === 'X') return text;
  return YEAR_CLASS_NAMES[code] ?? formatYearGroup(code);
}

/** Removes the signs that keep a spreadsheet program from changing a text: a leading apostrophe, or `="…"`. */
const plain = (cell: string, format: Workbook['format']): string => {
  const text = cell.replace(/\s+/g, ' ').trim();
  if (format !== 'csv' && format !== 'text') return text;
  return text.replace(/^="(.*)"$/, '$1').replace(/^'(?='*[=+\-@])/, '');
};

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

function readEntries({ sheet, rows, columns, classAbove }: Part, format: Workbook['format']): Entry[] {
  const { roles, fallbacks, isSurnameFirst } = columns;
  const tags = roles.flatMap((role, index) => (role.startsWith('tag:') ? [{ id: Number(role.slice(4)), index }] : []));
  const isYearTheClass = roles.includes('year_group') && !roles.includes('class');
  const isPair = roles.includes('first_name') && roles.includes('last_name');
  return rows.flatMap(({ row, cells }) => {
    const cellAt = (index: number | undefined) => plain(cells[index ?? -1] ?? '', format);
    const of = (role: ColumnRole) => {
      const fallback = role === 'first_name' || role === 'last_name' ? fallbacks[role] : undefined;
      const cell = cellAt(roles.indexOf(role));
      return cell === '' && fallback !== undefined && roles[fallback] === 'ignored' ? cellAt(fallback) : cell;
    };
    const name = roles.includes('name')
      ? swapName(withoutListMark(of('name')), isSurnameFirst)
      : [withoutListMark(of('first_name')), of('last_name')].filter(Boolean).join(' ');
    const above = classAbove(row);
    const ownClass = above ?? (isYearTheClass ? yearAsClass(of('year_group')) : of('class'));
    // Many lists are numbered beyond their last row.
    if (name === '' && (above !== null || ownClass === '') && cells.every((cell) => /^\s*\d{0,4}\.?\s*$/.test(cell)))
      return [];
    if (isTotal(cells)) return [];
    return [
      {
        sheet: sheet.name,
        row,
        name,
        class: ownClass,
        classFrom: above !== null ? 'heading' : ownClass === '' ? 'none' : isYearTheClass ? 'year' : 'column',
        year: of('year_group'),
        birthDate: of('birth_date'),
        upn: of('upn'),
        tagIds: tags.filter(({ index }) => isYes(cellAt(index))).map(({ id }) => id),
        lacksForename: isPair && of('first_name') === '' && of('last_name') !== '' && !of('last_name').includes(','),
        content: cells
          .filter((cell, index) => cell.trim() !== '' && roles[index] !== 'birth_date' && roles[index] !== 'upn')
          .map((cell) => cell.trim())
          .join(' | ')
          .slice(0, MAX_CONTENT_LENGTH),
      },
    ];
  });
}

/** How likely it is that a name is one: 1 for a first name and a surname, less for a single word. */
function ratePlausibleName(name: string): number {
  if (!looksLikeName(name) || name.includes(',') || isWrittenAsClass(name)) return 0;
  return looksLikeFullName(name) ? 1 : 0.5;
}

const CLASS_SIZES = { min: 3, max: 45 };

/**
 * How likely it is that a sheet was read rightly, from 0 to 1: how many of its entries are names, how many of its names
 * are used, whether the classes have the sizes of classes, and whether each child is there once.
 */
function scoreReading(parts: readonly Part[], entries: readonly Entry[], knowledge: ListKnowledge): number {
  if (entries.length === 0) return 0;
  const names = entries.reduce((sum, { name }) => sum + ratePlausibleName(name), 0) / entries.length;
  const sizes = Map.groupBy(
    entries.filter((entry) => entry.class !== ''),
    (entry) => toWords(entry.class) || entry.class,
  );
  const inClass = [...sizes.values()].flatMap((members) =>
    members.map((entry) =>
      knowledge.isClass(entry.class) || (members.length >= CLASS_SIZES.min && members.length <= CLASS_SIZES.max)
        ? 1
        : 0.5,
    ),
  );
  const classes =
    inClass.length === 0
      ? 0.75
      : (inClass.reduce((sum, rate) => sum + rate, 0) + 0.6 * (entries.length - inClass.length)) / entries.length;
  const distinct = new Set(entries.map(({ name, birthDate }) => `${toWords(name)} ${birthDate}`)).size / entries.length;
  return names * classes * distinct * rateCoverage(parts);
}

/** The share of the cells that look like whole names, and stand below no header, that is used. */
function rateCoverage(parts: readonly Part[]): number {
  let used = 0;
  let unused = 0;
  const [first] = parts;
  const taken = new Set<string>();
  for (const { rows, columns, from } of parts) {
    const { roles, headers } = columns;
    for (const { row, cells } of rows)
      for (const [index, cell] of cells.entries()) {
        const at = `${row} ${from + index}`;
        if (cell.trim() === '' || taken.has(at)) continue;
        taken.add(at);
        const role = roles[index] ?? 'ignored';
        if (/name/.test(role)) used += 1;
        else if (role === 'ignored' && headers[index] === null && looksLikeName(cell) && !isWrittenAsClass(cell))
          unused += 1;
      }
  }
  // What a layout leaves out of the sheet.
  if (first && parts.length > 0) {
    const rows = new Set(parts.flatMap((part) => part.rows.map(({ row }) => row)));
    for (const { row, cells } of first.sheet.rows)
      if (!rows.has(row))
        unused += cells.filter((cell) => looksLikeFullName(cell) && !isWrittenAsClass(cell)).length * 0.5;
  }
  return used + unused === 0 ? 0 : used / (used + unused);
}

/** Why a sheet is not used unless the user ticks it; null for one that is. */
function whyUnticked(
  sheet: Sheet,
  reading: Reading | undefined,
  isOnly: boolean,
  knowledge: ListKnowledge,
): WhyUnticked | null {
  if (sheet.rows.length === 0) return 'empty';
  if (sheet.hidden) return 'hidden';
  const hasHeader = reading?.parts.some(({ columns }) => columns.headerAt >= 0) ?? false;
  if (hasHeader && reading?.entries.length === 0) return 'no_names';
  // Below headers of names stand pupils, even if none of them has a name.
  const isNamed = reading !== undefined && (reading.score > 0 || (hasHeader && isOnly));
  if (!reading || !isNamed || !isOfPupils(reading, isOnly)) return 'not_pupils';
  if (isOnly || knowledge.isClass(sheet.name)) return null;
  const isOfStaff =
    share(
      reading.entries.map(({ name }) => name),
      hasTitle,
    ) > 0.5;
  return isSheetOfOthers(sheet.name) || isOfStaff ? 'others' : null;
}

/** Texts with more words than this are no names. */
const MAX_WORDS = 4;

/** Whether a sheet looks like a list of pupils: it has headers of names, or most of its rows are names. */
function isOfPupils({ parts, entries }: Reading, isOnly: boolean): boolean {
  if (!parts.some(({ columns }) => columns.roles.some((role) => /name/.test(role)))) return false;
  const hasHeaders = parts.some(({ columns }) => columns.headerAt >= 0);
  return (
    isOnly ||
    hasHeaders ||
    share(
      entries.map(({ name }) => name),
      (name) => looksLikeName(name) && name.split(' ').length <= MAX_WORDS,
    ) >= 0.6
  );
}

/** Unticks a sheet whose children are all in other sheets too, such as *Whole School* beside the classes. */
function untickRepeats(sheets: SheetOfList[]): void {
  const used = sheets.filter(({ isUsed }) => isUsed);
  const keyOf = ({ name, birthDate }: Entry) => `${toWords(name)} ${birthDate}`;
  const counts = new Map<string, number>();
  for (const { reading } of used)
    for (const key of new Set(reading?.entries.map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const bySize = used.toSorted(
    (left, right) => (right.reading?.entries.length ?? 0) - (left.reading?.entries.length ?? 0),
  );
  for (const sheet of bySize) {
    const keys = [...new Set(sheet.reading?.entries.map(keyOf))];
    if (keys.length < 2 || keys.filter((key) => (counts.get(key) ?? 0) > 1).length < keys.length * 0.9) continue;
    sheet.isUsed = false;
    sheet.why = 'repeats';
    for (const key of keys) counts.set(key, (counts.get(key) ?? 1) - 1);
  }
}

/** Whether the sheets’ names are the classes of pupils who have no other. */
function areSheetsClasses(used: readonly Reading[], knowledge: ListKnowledge): boolean {
  const without = used.filter(({ entries }) => entries.every((entry) => entry.class === ''));
  if (without.length === 0) return false;
  if (used.length > 1) return without.some(({ sheet }) => !isUnnamedSheet(sheet.name));
  const name = without[0]?.sheet.name ?? '';
  return knowledge.isClass(name) || !(isUnnamedSheet(name) || isGeneralSheet(name));
}
