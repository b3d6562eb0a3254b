import {
  type ColumnRole,
  IMPORT_ROWS,
  type ImportColumn,
  type ImportPreview,
  type ImportSheet,
  type ListLayout,
} from '#contract/calls/pupil-import.ts';
import { parseYearGroup, type YearGroup } from '#contract/year-group.ts';
import { type ListKnowledge, NO_KNOWLEDGE } from '../../../lists/columns.ts';
import type { Part } from '../../../lists/layouts.ts';
import { withoutBeside } from '../../../lists/names.ts';
import type { Entry, SheetOfList, WhyUnticked } from '../../../lists/read-list.ts';
import { understandList, type UnderstoodList } from '../../../lists/understand.ts';
import { type ListSource, readSource, UnreadableFile, type Workbook } from '../../../spreadsheets/workbook.ts';
import { type StoredKnowledge, toKnowledge } from './list-knowledge.service.ts';

declare module '../../../workers/worker-pool.ts' {
  interface WorkerTasks {
    readPupilList: typeof readPupilList;
  }
}

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
  /** What the row of the file contains, to be shown if it is wrong. */
  content: string;
  /** The path of the row in `errors`. */
  path: string;
}

/** The result of parsing a file, or of rows. */
export interface ParsedImport extends Pick<
  ImportPreview['understood'],
  'format' | 'layout' | 'layouts' | 'sheets' | 'questions' | 'tags'
> {
  rows: ImportedRow[];
}

/** How the user wants a list to be read. */
export interface ReadingChoices {
  /** The roles of the columns. */
  roles?: readonly ColumnRole[] | undefined;
  layout?: ListLayout | undefined;
  /** The sheets to use, by their positions from 1. */
  sheets?: readonly number[] | undefined;
  answers?: Readonly<Record<string, string>> | undefined;
}

interface Choice extends ReadingChoices {
  /** The request names one class for all pupils. */
  classChosen: boolean;
  knowledge?: ListKnowledge;
}

/** A list as it was read, with what identifies its pupils. */
export interface ParsedList extends ParsedImport {
  rows: (ImportedRow & { birthDate: string; upn: string })[];
}

interface ReadingTask {
  source: ListSource;
  choice: Omit<Choice, 'knowledge'>;
  knowledge: StoredKnowledge;
}

/** Reads and parses a list. Run it in a worker: it may take long. Throws an UnreadableFile. */
export const readPupilList = ({ source, choice, knowledge }: ReadingTask): ParsedList =>
  parseWorkbook(readSource(source), { ...choice, knowledge: toKnowledge(knowledge) });

/** Parses a file. Throws an UnreadableFile. */
export function parseWorkbook(book: Workbook, choice: Choice): ParsedList {
  if (book.sheets.every(({ rows }) => rows.length === 0)) throw new UnreadableFile('empty');
  const { knowledge = NO_KNOWLEDGE, roles, layout, answers, classChosen } = choice;
  const sheets = choice.sheets?.flatMap((position) => book.sheets[position - 1]?.name ?? []);
  const list = understandList(book, knowledge, { roles, layout, sheets, answers });
  if (!list) throw new UnreadableFile('not_understood');
  if (list.entries.length > IMPORT_ROWS) throw new UnreadableFile('too_many_rows');
  return {
    format: book.format,
    layout: list.layout,
    layouts: list.layouts.map(({ layout: possible }) => possible),
    questions: list.doubts.map(({ id, question, isStrong, choices, answer, isAnswered }) => ({
      id,
      text: question,
      is_required: isStrong,
      choices: choices.map(({ value, label }) => ({ value, text: label })),
      answer,
      is_answered: isAnswered,
    })),
    tags: knowledge.tags.map(({ id, name }) => ({ id, name })),
    sheets: list.sheets.map((sheet) => describeSheet(sheet, list, classChosen)),
    rows: list.entries.map((entry) => toRow(entry, choice)),
  };
}

function toRow(entry: Entry, { classChosen }: Choice): ParsedList['rows'][number] {
  const { sheet, row, name, class: className, year, birthDate, upn, tagIds, lacksForename, content } = entry;
  return {
    sheet,
    row,
    name,
    class: classChosen ? null : className || null,
    classId: null,
    yearGroup: parseYearGroup(year),
    namesake: false,
    shouldMove: false,
    existingId: null,
    lacksForename,
    match: null,
    birthDate,
    upn,
    tagIds,
    content,
    path: `${sheet ? `${sheet}, ` : ''}row ${row}`,
  };
}

/** The name of a wrong row without a remark, such as a nickname in brackets; null if it has none. */
export const suggestName = (name: string): string | null => withoutBeside(name);

const WHY: Record<WhyUnticked, string> = {
  empty: 'This sheet is empty.',
  hidden: 'This sheet is hidden and was left out.',
  not_pupils: 'This sheet does not look like a list of pupils and was left out.',
  no_names: 'There are no names below the headers yet.',
  others: 'This sheet does not seem to be about pupils of today and was left out.',
  repeats: 'The pupils of this sheet are in other sheets too, so it was left out.',
};

function describeSheet(ofList: SheetOfList, list: UnderstoodList, classChosen: boolean): ImportSheet {
  const { sheet, reading, isUsed, why } = ofList;
  const [part] = reading?.parts ?? [];
  const classFrom = classChosen ? 'chosen' : findClassFrom(ofList, list);
  return {
    name: sheet.name,
    used: isUsed,
    can_use: reading !== undefined && reading.entries.length > 0,
    pupils: reading?.entries.length ?? 0,
    note: isUsed ? explain(ofList, list, classFrom) : why && WHY[why],
    header_row: headerRowOf(ofList),
    class_from: isUsed ? classFrom : 'none',
    columns: isUsed && part ? describeColumns(part) : [],
  };
}

function headerRowOf({ sheet, reading }: SheetOfList): number | null {
  const headerAt = reading?.parts[0]?.columns.headerAt ?? -1;
  return headerAt < 0 ? null : ((reading?.sheet.rows ?? sheet.rows)[headerAt]?.row ?? null);
}

function findClassFrom({ sheet }: SheetOfList, { entries }: UnderstoodList): ImportSheet['class_from'] {
  const froms = new Set(entries.filter((entry) => entry.sheet === sheet.name).map(({ classFrom }) => classFrom));
  if (froms.has('heading')) return 'heading';
  if (froms.has('column') || froms.has('year')) return 'column';
  return froms.has('sheet_name') ? 'sheet_name' : 'none';
}

function explain(
  { sheet, reading }: SheetOfList,
  list: UnderstoodList,
  classFrom: ImportSheet['class_from'],
): string | null {
  const parts = reading?.parts ?? [];
  const [part] = parts;
  if (!part) return null;
  const read = new Set(parts.flatMap(({ rows }) => rows.map(({ row }) => row)));
  const header = headerRowOf({ sheet, reading } as SheetOfList);
  const first = header ?? Math.min(...read);
  const titles = list.layout === 'table' ? sheet.rows.filter(({ row }) => row < first && !read.has(row)).length : 0;
  const isYear = list.entries.some((entry) => entry.sheet === sheet.name && entry.classFrom === 'year');
  const { roles, headerAt } = part.columns;
  const isPair = roles.includes('first_name') && roles.includes('last_name');
  const order = roles.indexOf('last_name') < roles.indexOf('first_name') ? 'surname' : 'first name';
  const notes = [
    titles > 0 &&
      `${titles === 1 ? 'A row' : `${titles} rows`} above the list ${titles === 1 ? 'was' : 'were'} taken as a title.`,
    read.size === 0 && 'There are no names below the headers yet.',
    classFrom === 'sheet_name' && 'The name of the sheet was taken as the class.',
    classFrom === 'heading' && 'The class was taken from what stands above the pupils.',
    classFrom === 'chosen' &&
      roles.includes('class') &&
      'The class column was left out, because a class was chosen for all.',
    classFrom === 'column' && isYear && 'The year group was taken as the class, because there is no class column.',
    headerAt < 0 &&
      list.layout === 'table' &&
      `There are no headers, so the columns were recognised from what is in them.${isPair ? ` In each row the ${order} was taken to come first.` : ''}`,
  ];
  return notes.filter((note) => note !== false).join(' ') || null;
}

const letterOf = (index: number): string =>
  (index < 26 ? '' : letterOf(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

const describeColumns = ({ columns: { roles, headers, remembered }, rows, from }: Part): ImportColumn[] =>
  roles.map((role, index) => ({
    index,
    letter: letterOf(from + index),
    header: headers[index]?.slice(0, 100) ?? null,
    role,
    is_remembered: remembered[index] === role,
    samples:
      role === 'birth_date' || role === 'upn'
        ? []
        : rows
            .map(({ cells }) => (cells[index] ?? '').trim().slice(0, 100))
            .filter(Boolean)
            .slice(0, 3),
  }));
