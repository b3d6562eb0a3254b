import type { ColumnRole } from '#contract/calls/pupil-import.ts';
import { normalizeName } from '#contract/fields.ts';
import { stripAccents } from '#contract/strip-accents.ts';
import firstNames from '#content/first-names.json' with { type: 'json' };
import type { SheetRow } from '../../../spreadsheets/workbook.ts';

/** The roles of a sheet's columns, and how they were detected. */
export interface Layout {
  roles: ColumnRole[];
  /** The index of the header row; -1 without one. */
  headerAt: number;
  headers: (string | null)[];
  /** Names are written "Surname Forename", even without a comma. */
  surnameFirst: boolean;
  /** The role of each column that the school chose for its header before. */
  remembered: (ColumnRole | undefined)[];
  /** The column that fills an empty cell of a preferred name: the legal name. */
  fallbacks: Partial<Record<'first_name' | 'last_name', number | undefined>>;
  /** What was assumed, in a sentence for the user. */
  note: string | null;
}

/** What the school has taught the import about headers. */
export interface ColumnKnowledge {
  /** The role that the school chose for a header; undefined for another one. */
  recall: (header: string) => ColumnRole | undefined;
  /** The tags that columns may set. */
  tags: readonly { id: number; name: string; kind: 'own' | 'pupil_premium' | 'send' }[];
}

export const NO_KNOWLEDGE: ColumnKnowledge = { recall: () => undefined, tags: [] };

/** The headers are expected within these rows, because a sheet can have titles above them. */
const MAX_HEADER_ROW = 15;
const FIRST_NAMES = new Set<string>(firstNames);

/** Normalises a text for comparison with headers: lower case, separated words, no punctuation. */
const words = (text: string): string =>
  stripAccents(normalizeName(text))
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/'s?\b/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** The form of a header in which headers are compared. */
export const headerKey = (header: string): string => words(header).slice(0, 100);

const OTHER_PEOPLE =
  /\b(parents?|guardian|carer|contact|teacher|tutor name|staff|user ?name|login|school|file|mother|father|emergency|sibling|password)\b/;
const KNOWN_BESIDE =
  /^(uln|former upn|gender|sex|id|no|number|admission (no|number)|adno|age|email|e mail|phone|notes?|comments?|middle ?names?|house|ethnicity|sen|send|sen (status|code|need|provision|type)|eal|eal status|pp|pupil premium( (indicator|eligible|recipient|status))?|fsm|title|initials?)$/;
const YEAR = /^((current|nc|national curriculum) ?)?(year|yr)( ?group)?( ?(name|code|taught in|actual))?$/;
const BIRTH_DATE = /^((pupil|student|child) )?(dob|d o b|date of birth|birth ?date|birthday|born( on)?)$/;
const UPN = /^((pupil|student) )?(upn|unique pupil (number|no|id))( number)?$/;
const FIRST_NAME = /^known as$|\b(fore ?names?|first ?names?|given ?names?|christian ?names?|firsts?)\b|^first$/;
const LAST_NAME = /\b(sur ?names?|last ?names?|family ?names?|second ?names?)\b|^last$/;
const WHOLE_NAME =
  /^((pupils?|students?|child(ren)?|learners?|readers?|full|whole|legal|preferred|display|known) )*(full )?names?$|^(pupils?|students?|child|children|learners?|readers?)$|^name of (the )?(pupil|student|child)$/;
const CLASS_NAME =
  /^((current|new|pupil|school) )?(class|form|reg(istration)?|tutor)( ?(name|group|form|class))?$|^(reg(istration)?|tutor|teaching) ?group$|^groups?$|^year (group )?(and )?class$/;

type Heading = ColumnRole | 'surname_first' | undefined;

/** Headers of the sensitive tags. */
const SENSITIVE_HEADERS = {
  pupil_premium: /^(is )?(pp|ppg|pupil premium)( (indicator|eligible|eligibility|recipient|grant))?$/,
  send: /^(sen|send)( (code|need|needs|provision|stage|type|support))?$/,
};

/** The tag that a header names, such as `EAL status`. */
function findTag(heading: string, tags: ColumnKnowledge['tags']): ColumnRole | undefined {
  const name = heading.replace(/ (status|flag)$/, '').replace(/^english as an additional language$/, 'eal');
  const tag = tags.find(({ kind, name: tagName }) =>
    kind === 'own' ? words(tagName) === name : SENSITIVE_HEADERS[kind].test(name),
  );
  return tag && `tag:${tag.id}`;
}

/** Returns a function that determines the meaning of a header; undefined for an unknown text. */
const createHeadingParser =
  ({ recall, tags }: ColumnKnowledge) =>
  (text: string): Heading =>
    recall(text) ?? readHeading(text, tags);
type ReadHeading = ReturnType<typeof createHeadingParser>;

function readHeading(text: string, tags: ColumnKnowledge['tags']): Heading {
  const heading = words(text.replace(/\([^)]*\)/g, ' '));
  if (heading === '' || heading.length > 60) return undefined;
  const tag = findTag(heading, tags);
  if (tag) return tag;
  if (OTHER_PEOPLE.test(heading) || KNOWN_BESIDE.test(heading)) return 'ignored';
  if (YEAR.test(heading)) return 'year_group';
  if (BIRTH_DATE.test(heading)) return 'birth_date';
  if (UPN.test(heading)) return 'upn';
  const first = heading.search(FIRST_NAME);
  const last = heading.search(LAST_NAME);
  if (first >= 0 && last >= 0) return last < first ? 'surname_first' : 'name';
  if (last >= 0) return 'last_name';
  if (first >= 0) return 'first_name';
  if (WHOLE_NAME.test(heading)) return 'name';
  return CLASS_NAME.test(heading) ? 'class' : undefined;
}

const NAME_HEADINGS: readonly Heading[] = ['name', 'first_name', 'last_name', 'surname_first'];
const isName = (heading: Heading) => NAME_HEADINGS.includes(heading);
const count = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length;

/** The header row: the one with the most known headers, unless fuller rows of pupils precede it. */
function findHeaders(rows: readonly SheetRow[], read: ReadHeading, { recall }: ColumnKnowledge): number {
  let best = { at: -1, knownCount: 0 };
  for (const [at, { cells }] of rows.slice(0, MAX_HEADER_ROW).entries()) {
    const headings = cells.map(read);
    const knownCount = headings.filter(Boolean).length;
    if (!headings.some(isName) || knownCount <= best.knownCount) continue;
    // A single known word can be a name: some pupils are called `Child` or `Reader`.
    const isSure =
      knownCount > 1 ||
      count(cells) === 1 ||
      cells.some((cell) => /name|pupil|student/i.test(cell) || recall(cell) !== undefined);
    const isBelowPupils = rows
      .slice(0, at)
      .some((above) => count(above.cells) > 1 && count(above.cells) >= count(cells) && !above.cells.some(read));
    if (isSure && !isBelowPupils) best = { at, knownCount };
  }
  return best.at;
}

/** Detects the role of each column from the headers, or from the content where there are none. */
export function findLayout(rows: readonly SheetRow[], knowledge: ColumnKnowledge): Layout {
  const read = createHeadingParser(knowledge);
  const headerAt = findHeaders(rows, read, knowledge);
  return headerAt >= 0 ? fromHeaders(rows, headerAt, read, knowledge) : fromContent(rows);
}

const width = (rows: readonly SheetRow[]) => rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
const column = (rows: readonly SheetRow[], index: number) =>
  rows.map(({ cells }) => cells[index] ?? '').filter((cell) => cell.trim() !== '');

function fromHeaders(
  rows: readonly SheetRow[],
  headerAt: number,
  read: ReadHeading,
  knowledge: ColumnKnowledge,
): Layout {
  const below = rows.slice(headerAt + 1);
  const above = rows[headerAt - 1]?.cells ?? [];
  // A header merged over two rows has its text in the upper one.
  const texts = Array.from({ length: width(rows) }, (_, index) => {
    const header = rows[headerAt]?.cells[index]?.trim() ?? '';
    return header || (read(above[index] ?? '') ? (above[index] ?? '').trim() : '');
  });
  const headings = texts.map(read);
  const remembered = texts.map((text) => knowledge.recall(text));
  const surnameFirst = headings.includes('surname_first');
  const roles = headings.map((heading): ColumnRole => (heading === 'surname_first' ? 'name' : (heading ?? 'ignored')));
  // "Smith, Jane" below one header, in a CSV file without quotation marks.
  const next = roles.indexOf('name') + 1;
  if (next > 0 && next < roles.length && texts[next] === '' && continuesNames(below, next)) {
    roles[next - 1] = 'last_name';
    roles[next] = 'first_name';
  }
  const rank = (index: number) =>
    remembered[index] !== undefined ? 2 : /prefer|known|chosen/i.test(texts[index] ?? '') ? 1 : 0;
  const fallbacks = {
    first_name: keepFirst(roles, 'first_name', rank),
    last_name: keepFirst(roles, 'last_name', rank),
  };
  for (const role of new Set(roles)) if (role !== 'name' && role !== 'ignored') keepFirst(roles, role, rank);
  keepOneFormOfName(roles, remembered.includes('name'));
  keepFirst(roles, 'name', rank);
  return {
    roles,
    headerAt,
    headers: texts.map((text) => text || null),
    surnameFirst,
    remembered,
    fallbacks,
    note: null,
  };
}

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

/** Whether a text could be a person's name: letters, and the characters between them. */
export const looksLikeName = (text: string): boolean =>
  /^\s*\p{L}[\p{L}\p{M}\s'’,.-]{1,190}$/u.test(text) && !/^\s*(year|class|form|reception|nursery)\b/i.test(text);

const share = (cells: readonly string[], matches: (cell: string) => boolean) =>
  cells.length === 0 ? 0 : cells.filter(matches).length / cells.length;

/** Whether the column continues names that the previous one begins: "Smith| Jane". */
const continuesNames = (rows: readonly SheetRow[], index: number): boolean => {
  const cells = column(rows, index);
  return share(cells, (cell) => cell.startsWith(' ')) > 0.8 && share(cells, looksLikeName) > 0.8;
};

function fromContent(rows: readonly SheetRow[]): Layout {
  const all = Array.from({ length: width(rows) }, (_, index) => column(rows, index));
  const roles: ColumnRole[] = all.map(() => 'ignored');
  const layout = (surnameFirst: boolean, note: string | null): Layout => ({
    roles,
    headerAt: -1,
    headers: all.map(() => null),
    surnameFirst,
    remembered: [],
    fallbacks: {},
    note,
  });
  const named = all.flatMap((cells, index) =>
    share(cells, looksLikeName) >= 0.5 && cells.length >= rows.length / 4 && !isRepetitive(cells) ? [index] : [],
  );
  // Repetition means nothing in a short list, so its first columns are the names.
  const names =
    named.length > 0
      ? named
      : all.flatMap((cells, index) => (share(cells, looksLikeName) >= 0.5 ? [index] : [])).slice(0, 1);
  const [nameIndex, nextIndex] = names;
  if (nameIndex === undefined) {
    // A single column is a list of names, even if many are invalid.
    if (roles.length === 1) roles[0] = 'name';
    return layout(false, null);
  }
  const isPair =
    nextIndex !== undefined &&
    nextIndex === nameIndex + 1 &&
    share(all[nameIndex] ?? [], (cell) => /\s|,/.test(cell.trim())) < 0.5;
  if (isPair) {
    const reversed = continuesNames(rows, nextIndex) || isSurnameFirst(all[nameIndex] ?? [], all[nextIndex] ?? []);
    roles[nameIndex] = reversed ? 'last_name' : 'first_name';
    roles[nextIndex] = reversed ? 'first_name' : 'last_name';
  } else roles[nameIndex] = 'name';
  const taken = isPair ? [nameIndex, nextIndex] : [nameIndex];
  const classes = all.findIndex((cells, index) => !taken.includes(index) && looksLikeClasses(cells));
  if (classes >= 0) roles[classes] = 'class';
  const order = isPair
    ? ` In each row the ${roles[nameIndex] === 'last_name' ? 'surname' : 'first name'} was taken to come first.`
    : '';
  return layout(false, `There are no headers, so the columns were recognised from what is in them.${order}`);
}

/** Whether few values repeat in many rows, which is true of classes and not of names. */
const isRepetitive = (cells: readonly string[]) =>
  cells.length >= 6 && new Set(cells.map((cell) => cell.trim().toLowerCase())).size <= cells.length / 3;

const looksLikeClasses = (cells: readonly string[]): boolean =>
  isRepetitive(cells)
    ? share(cells, (cell) => /\p{L}/u.test(cell) || /^\s*\d{1,2}\s*$/.test(cell)) > 0.8
    : share(cells, (cell) =>
        /^\s*(((year|class|form|reception|nursery)\b.*)|\d{1,2}\s?[a-z]{1,3}|r[a-z]{0,2})\s*$/i.test(cell),
      ) > 0.8;

/** Whether the first of two columns of names contains surnames: by known first names, or else by the sort order. */
function isSurnameFirst(left: readonly string[], right: readonly string[]): boolean {
  const known = (cells: readonly string[]) => share(cells, (cell) => FIRST_NAMES.has(words(cell).split(' ')[0] ?? ''));
  const [inLeft, inRight] = [known(left), known(right)];
  if (Math.abs(inLeft - inRight) > 0.15) return inRight > inLeft;
  return left.length > 4 && isSorted(left) && !isSorted(right);
}

const isSorted = (cells: readonly string[]) =>
  cells.every((cell, index) => index === 0 || words(cells[index - 1] ?? '') <= words(cell));
