import type { ColumnRole } from '#contract/calls/pupil-import.ts';
import { parseYearGroup } from '#contract/year-group.ts';
import type { SheetRow } from '../spreadsheets/workbook.ts';
import { isWrittenAsClass } from './class-names.ts';
import { type Heading, rankHeader, readHeader, type TagOfColumn, toWords } from './header-words.ts';
import { hasCapitalSurnameFirst, looksLikeFullName, looksLikeName, startsWithFirstName } from './names.ts';

/** What each column of a table contains, and how that was detected. */
export interface Columns {
  roles: ColumnRole[];
  /** The index of the header row; -1 without one. */
  headerAt: number;
  headers: (string | null)[];
  /** Names are written `Surname Forename`, even without a comma. */
  isSurnameFirst: boolean;
  /** The role of each column that the school chose for its header before. */
  remembered: (ColumnRole | undefined)[];
  /** The column that fills an empty cell of a preferred name: the legal name. */
  fallbacks: Partial<Record<'first_name' | 'last_name', number | undefined>>;
  /** The class was recognised from what is in its column. */
  isClassGuessed: boolean;
  /** The order of first name and surname was recognised from what is in their columns, and other rows could contradict it. */
  isOrderGuessed: boolean;
}

/** What is known about the school’s lists. */
export interface ListKnowledge {
  /** The role that the school chose for a header; undefined for another one. */
  recall: (header: string) => ColumnRole | undefined;
  /** The tags that columns may set. */
  tags: readonly TagOfColumn[];
  /** Whether the school has a class of this name. */
  isClass: (text: string) => boolean;
}

export const NO_KNOWLEDGE: ListKnowledge = { recall: () => undefined, tags: [], isClass: () => false };

/** The headers are expected within these rows, because a sheet can have titles above them. */
const MAX_HEADER_ROW = 15;
/** Below this number of rows repetition means nothing. */
const FEW_ROWS = 6;

type LookUpHeading = (text: string) => Heading | undefined;

const NAMES: readonly (Heading | undefined)[] = ['name', 'first_name', 'last_name', 'surname_first'];
const filled = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length;
const width = (rows: readonly SheetRow[]) => rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
const column = (rows: readonly SheetRow[], index: number) =>
  rows.map(({ cells }) => cells[index] ?? '').filter((cell) => cell.trim() !== '');

export const share = (cells: readonly string[], matches: (cell: string) => boolean): number =>
  cells.length === 0 ? 0 : cells.filter(matches).length / cells.length;

/** Whether few values repeat in many rows, which is true of classes and not of names. */
export const isRepetitive = (cells: readonly string[]): boolean =>
  cells.length >= FEW_ROWS && new Set(cells.map((cell) => cell.trim().toLowerCase())).size <= cells.length / 3;

/** Whether a column numbers the rows. */
const isNumbering = (cells: readonly string[]): boolean =>
  cells.length > 1 &&
  new Set(cells.map((cell) => cell.trim())).size > cells.length / 2 &&
  share(cells, (cell) => /^\s*\d{1,4}\.?\s*$/.test(cell)) > 0.8;

/** Returns a function that reads a header; undefined for an unknown text. */
export const createHeadingLookup =
  ({ recall, tags }: ListKnowledge): LookUpHeading =>
  (text) =>
    recall(text) ?? readHeader(text, tags);

/** The header row: the one with the most known headers, unless fuller rows of pupils precede it; -1 without one. */
export function findHeaderRow(rows: readonly SheetRow[], knowledge: ListKnowledge): number {
  const read = createHeadingLookup(knowledge);
  let best = { at: -1, known: 0 };
  for (const [at, { cells }] of rows.slice(0, MAX_HEADER_ROW).entries()) {
    const headings = cells.map(read);
    const known = headings.filter(Boolean).length;
    if (!headings.some((heading) => NAMES.includes(heading)) || known <= best.known) continue;
    // A single known word can be a name: some pupils are called `Child` or `Reader`.
    const isSure =
      known > 1 ||
      filled(cells) === 1 ||
      cells.some((cell) => /name|pupil|student|enw|cyfenw|ainm/i.test(cell) || knowledge.recall(cell) !== undefined);
    const isBelowPupils = rows
      .slice(0, at)
      .some((above) => filled(above.cells) > 1 && filled(above.cells) >= filled(cells) && !above.cells.some(read));
    if (isSure && !isBelowPupils) best = { at, known };
  }
  return best.at;
}

/** Detects the role of each column from the headers, or from the content where there are none. */
export function findColumns(rows: readonly SheetRow[], knowledge: ListKnowledge): Columns {
  const headerAt = findHeaderRow(rows, knowledge);
  return headerAt >= 0 ? fromHeaders(rows, headerAt, knowledge) : fromContent(rows, knowledge);
}

/** The columns as the user has chosen them. */
export const withRoles = (found: Columns, roles: readonly ColumnRole[]): Columns => ({
  ...found,
  roles: found.roles.map((_, index) => roles[index] ?? 'ignored'),
  isClassGuessed: false,
  isOrderGuessed: false,
});

function fromHeaders(rows: readonly SheetRow[], headerAt: number, knowledge: ListKnowledge): Columns {
  const read = createHeadingLookup(knowledge);
  const below = rows.slice(headerAt + 1);
  const above = rows[headerAt - 1]?.cells ?? [];
  // A header merged over two rows has its text in the upper one.
  const texts = Array.from({ length: width(rows) }, (_, index) => {
    const header = rows[headerAt]?.cells[index]?.trim() ?? '';
    return header || (read(above[index] ?? '') ? (above[index] ?? '').trim() : '');
  });
  const headings = texts.map(read);
  const remembered = texts.map((text) => knowledge.recall(text));
  const roles = headings.map((heading): ColumnRole => (heading === 'surname_first' ? 'name' : (heading ?? 'ignored')));
  const contents = texts.map((_, index) => column(below, index));
  // "Smith, Jane" below one header, in a CSV file without quotation marks.
  const next = roles.indexOf('name') + 1;
  if (next > 0 && next < roles.length && texts[next] === '' && continuesNames(contents[next] ?? [])) {
    roles[next - 1] = 'last_name';
    roles[next] = 'first_name';
  }
  for (const [index, role] of roles.entries()) {
    if (remembered[index]) continue;
    // Languages, houses and other things that a header with such words can mean.
    if ((role === 'first_name' || role === 'name') && isRepetitive(contents[index] ?? [])) roles[index] = 'ignored';
    // `Preferred name` is a first name beside a surname, and else a whole name.
    if (role === 'name' && rankHeader(texts[index] ?? '') > 0 && isOneWord(contents[index] ?? []))
      roles[index] = 'first_name';
  }
  const rank = (index: number) => (remembered[index] !== undefined ? 2 : rankHeader(texts[index] ?? ''));
  const fallbacks = {
    first_name: keepFirst(roles, 'first_name', rank),
    last_name: keepFirst(roles, 'last_name', rank),
  };
  for (const role of new Set(roles)) if (role !== 'name' && role !== 'ignored') keepFirst(roles, role, rank);
  keepOneFormOfName(roles, remembered.includes('name'));
  keepFirst(roles, 'name', rank);
  const isClassGuessed = !roles.includes('class') && guessClass(roles, headings, contents, below, knowledge);
  const names = contents[roles.indexOf('name')] ?? [];
  return {
    roles,
    headerAt,
    headers: texts.map((text) => text || null),
    isSurnameFirst: headings.includes('surname_first') || isCapitalSurnameFirst(names),
    remembered,
    fallbacks,
    isClassGuessed,
    isOrderGuessed: false,
  };
}

const isOneWord = (cells: readonly string[]) => share(cells, (cell) => /[\s,]/.test(cell.trim())) < 0.3;
/** Only a list says so: a child may be called `JJ Abara`. */
const isCapitalSurnameFirst = (names: readonly string[]) =>
  names.length > 2 && share(names, hasCapitalSurnameFirst) > 0.7;

/** Separate columns of names take precedence over a whole name, but only as a pair. */
function keepOneFormOfName(roles: ColumnRole[], prefersWhole: boolean): void {
  const hasPair = roles.includes('first_name') && roles.includes('last_name');
  if (prefersWhole) {
    dropRole(roles, 'first_name');
    dropRole(roles, 'last_name');
  } else if (hasPair) dropRole(roles, 'name');
  else if (roles.includes('name')) {
    dropRole(roles, 'first_name');
    // "Name" next to "Surname" is the first name.
    if (roles.includes('last_name')) roles[roles.indexOf('name')] = 'first_name';
  }
}

function dropRole(roles: ColumnRole[], role: ColumnRole): void {
  roles.forEach((columnRole, index) => {
    if (columnRole === role) roles[index] = 'ignored';
  });
}

/** Of several columns with one role, keeps the first of the highest rank. Returns the next. */
function keepFirst(roles: ColumnRole[], role: ColumnRole, rank: (index: number) => number): number | undefined {
  const [, ...repeats] = roles
    .flatMap((columnRole, index) => (columnRole === role ? [index] : []))
    .toSorted((a, b) => rank(b) - rank(a));
  for (const index of repeats) roles[index] = 'ignored';
  return repeats[0];
}

/**
 * Takes a column with an unknown header as the class: one whose values are written as classes are, or are classes of the
 * school, or each belong to one year of the column of years. Returns whether there is one.
 */
function guessClass(
  roles: ColumnRole[],
  headings: readonly (Heading | undefined)[],
  contents: readonly (readonly string[])[],
  rows: readonly SheetRow[],
  knowledge: ListKnowledge,
): boolean {
  const yearAt = roles.indexOf('year_group');
  const found = contents.findIndex((cells, index) => {
    if (headings[index] !== undefined || cells.length < rows.length / 2) return false;
    // Numbers say nothing unless they repeat.
    if (share(cells, (cell) => /^\s*\d+\s*$/.test(cell)) > 0.8 && !isRepetitive(cells)) return false;
    if (looksLikeClasses(cells, knowledge)) return index !== yearAt;
    return yearAt >= 0 && isRepetitive(cells) && refines(rows, index, yearAt);
  });
  if (found >= 0) roles[found] = 'class';
  return found >= 0;
}

/** Whether each value of a column belongs to one value of the coarser one. */
function refines(rows: readonly SheetRow[], index: number, coarserAt: number): boolean {
  const coarser = new Map<string, string>();
  const years = new Set<string>();
  for (const { cells } of rows) {
    const value = (cells[index] ?? '').trim();
    const year = (cells[coarserAt] ?? '').trim();
    if (value === '' || year === '') continue;
    years.add(year);
    if ((coarser.get(value) ?? year) !== year) return false;
    coarser.set(value, year);
  }
  return years.size > 1 ? coarser.size >= years.size : coarser.size > 0;
}

/** Whether the column continues names that the previous one begins: "Smith| Jane". */
const continuesNames = (cells: readonly string[]): boolean =>
  share(cells, (cell) => cell.startsWith(' ')) > 0.8 && share(cells, looksLikeName) > 0.8;

function fromContent(rows: readonly SheetRow[], knowledge: ListKnowledge): Columns {
  const all = Array.from({ length: width(rows) }, (_, index) => column(rows, index));
  const roles: ColumnRole[] = all.map(() => 'ignored');
  const found: Columns = {
    roles,
    headerAt: -1,
    headers: all.map(() => null),
    isSurnameFirst: false,
    remembered: [],
    fallbacks: {},
    isClassGuessed: false,
    isOrderGuessed: false,
  };
  const isOfNames = (cells: readonly string[]) =>
    share(cells, (cell) => looksLikeName(cell) && !isWrittenAsClass(cell)) >= 0.5;
  const ofNames = all.flatMap((cells, index) => (isOfNames(cells) ? [index] : []));
  // Beside two columns of names, a third that says the same in each row is the class, even in a short list.
  const isOther = (cells: readonly string[]) => isRepetitive(cells) || (ofNames.length > 2 && repeats(cells));
  const named = ofNames.filter((index) => {
    const cells = all[index] ?? [];
    return cells.length >= rows.length / 4 && !isOther(cells);
  });
  // Repetition means nothing in a short list, so its whole names, or else its first columns, are the names.
  const whole = named.filter((index) => share(all[index] ?? [], hasSurname) > 0.5);
  const [leftAt = -1, rightAt] = named;
  const firstNames = all[leftAt] ?? [];
  const isFirstNameAhead =
    rightAt === leftAt + 1 &&
    !whole.includes(leftAt) &&
    !repeats(firstNames) &&
    share(firstNames, startsWithFirstName) >= share(all[rightAt] ?? [], startsWithFirstName);
  const names =
    rows.length < FEW_ROWS && whole.length > 0 && !isFirstNameAhead
      ? whole
      : named.length > 0
        ? named
        : ofNames.slice(0, 1);
  const [nameAt, nextAt] = names;
  if (nameAt === undefined) {
    // A single column is a list of names, even if many are invalid.
    if (roles.length === 1) roles[0] = 'name';
    return found;
  }
  const left = all[nameAt] ?? [];
  const right = all[nextAt ?? -1] ?? [];
  const isPair = nextAt !== undefined && nextAt === nameAt + 1 && share(left, hasSurname) < 0.5;
  if (isPair) {
    const order = findOrder(left, right);
    roles[nameAt] = order.isSurnameFirst ? 'last_name' : 'first_name';
    roles[nextAt] = order.isSurnameFirst ? 'first_name' : 'last_name';
    found.isOrderGuessed = order.isGuessed;
  } else {
    roles[nameAt] = 'name';
    found.isSurnameFirst = isCapitalSurnameFirst(left);
  }
  const taken = isPair ? [nameAt, nextAt] : [nameAt];
  findClassAndYear(roles, all, rows, taken, knowledge);
  return found;
}

/** Whether a cell has a first name and a surname, unlike `Anna Maria`. */
const hasSurname = (cell: string): boolean =>
  looksLikeFullName(cell) &&
  !startsWithFirstName(
    cell
      .trim()
      .split(/[\s,]+/)
      .at(-1) ?? '',
  );

/** Finds the columns of class and year group beside names without headers. Of two that could be the class, the finer one is it. */
function findClassAndYear(
  roles: ColumnRole[],
  all: readonly (readonly string[])[],
  rows: readonly SheetRow[],
  taken: readonly number[],
  knowledge: ListKnowledge,
): void {
  const candidates = all.flatMap((cells, index) =>
    !taken.includes(index) &&
    !isNumbering(cells) &&
    (looksLikeClasses(cells, knowledge) || repeats(cells)) &&
    share(cells, isClassText) > 0.8
      ? [index]
      : [],
  );
  const isYear = (index: number) => share(all[index] ?? [], (cell) => parseYearGroup(cell) !== null) > 0.8;
  const finest = candidates.toSorted(
    (left, right) =>
      Number(isYear(left)) - Number(isYear(right)) ||
      Number(refines(rows, right, left)) - Number(refines(rows, left, right)),
  );
  const [classAt] = finest;
  if (classAt === undefined) return;
  roles[classAt] = 'class';
  const yearAt = candidates.find((index) => index !== classAt && isYear(index));
  if (yearAt !== undefined) roles[yearAt] = 'year_group';
}

/** Like `isRepetitive`, also in a short list, whose names are known. */
const repeats = (cells: readonly string[]): boolean =>
  new Set(cells.map((cell) => cell.trim().toLowerCase())).size <= Math.max(1, cells.length / 3);

const isClassText = (cell: string): boolean => /\p{L}/u.test(cell) || /^\s*\d{1,2}\s*$/.test(cell);

/** Whether a column contains classes: of the school, or written as classes are. */
const looksLikeClasses = (cells: readonly string[], { isClass }: ListKnowledge): boolean =>
  share(cells, (cell) => isWrittenAsClass(cell) || isClass(cell)) > 0.8;

interface NameOrder {
  isSurnameFirst: boolean;
  isGuessed: boolean;
}

/** Which of two columns has the surnames: by commas, capitals and common first names, or else by the order of the rows. */
function findOrder(left: readonly string[], right: readonly string[]): NameOrder {
  if (continuesNames(right)) return { isSurnameFirst: true, isGuessed: false };
  const inCapitals = (cells: readonly string[]) =>
    share(cells, (cell) => /\p{Lu}{2}/u.test(cell) && !/\p{Ll}/u.test(cell));
  const [leftCapitals, rightCapitals] = [inCapitals(left), inCapitals(right)];
  if (Math.abs(leftCapitals - rightCapitals) > 0.7)
    return { isSurnameFirst: leftCapitals > rightCapitals, isGuessed: false };
  const [inLeft, inRight] = [share(left, startsWithFirstName), share(right, startsWithFirstName)];
  if (Math.abs(inLeft - inRight) > 0.15) return { isSurnameFirst: inRight > inLeft, isGuessed: false };
  return { isSurnameFirst: left.length > 4 && isSorted(left) && !isSorted(right), isGuessed: true };
}

const isSorted = (cells: readonly string[]) =>
  cells.every((cell, index) => index === 0 || toWords(cells[index - 1] ?? '') <= toWords(cell));
