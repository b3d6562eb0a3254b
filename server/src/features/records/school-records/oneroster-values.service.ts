import { parseDate } from '#contract/calendar-date.ts';
import { parseYearGroup, type YearGroup } from '#contract/year-group.ts';

/** The files of a OneRoster source that are read. A server has lists of the same names. */
export type FileName = 'users' | 'roles' | 'classes' | 'enrollments' | 'demographics' | 'orgs';

/** A record as text, by the names of the columns in OneRoster CSV files. */
export interface Row {
  /** Where it is: the row of a spreadsheet, or the record of a list, from 1. */
  number: number;
  cells: Partial<Record<string, string>>;
  /** It has another number of cells than its file has columns, so only its first cell can be trusted. */
  isRagged?: boolean;
}

/** A value, or the reason why it cannot be read. */
export type Parsed<T> = { value: T } | { fault: string };

/** `active` and `tobedeleted`; OneRoster 1.1 has `inactive` mean the latter. */
export function parseStatus({ cells: { status = '' } }: Row): Parsed<'active' | 'tobedeleted'> {
  const plain = normalize(status);
  if (plain === '' || plain === 'active') return { value: 'active' };
  if (plain === 'tobedeleted' || plain === 'inactive') return { value: 'tobedeleted' };
  return { fault: 'status is neither active nor tobedeleted.' };
}

type Role = 'student' | 'staff' | 'other';

/** The roles of OneRoster 1.1 and 1.2. */
const ROLES: ReadonlyMap<string, Role> = new Map([
  ['student', 'student'],
  ...['teacher', 'aide', 'principal', 'administrator', 'siteadministrator'].map((role) => [role, 'staff'] as const),
  ...'guardian parent relative proctor counselor districtadministrator systemadministrator'
    .split(' ')
    .map((role) => [role, 'other'] as const),
]);

export function parseRole(text: string): Parsed<Role> {
  const plain = normalize(text);
  // Suppliers add roles of their own as `ext:name`.
  const role = plain.startsWith('ext:') ? 'other' : ROLES.get(plain);
  if (role) return { value: role };
  return { fault: plain === '' ? 'role is empty.' : 'role is not one of OneRoster.' };
}

export type Mode = 'bulk' | 'delta' | 'absent';

/** The mode of a file in the manifest; undefined for another text. */
export const parseMode = (text: string): Mode | undefined =>
  (['bulk', 'delta', 'absent'] as const).find((mode) => mode === (normalize(text) || 'absent'));

const normalize = (text: string) => text.replace(/\s/g, '').toLowerCase();

/** The grades of OneRoster that are no year group in Britain. */
const OTHER_GRADES = new Set(['IT', 'PR', 'PS', 'TK', 'UG', 'OTHER']);

/** The first of the year groups, which a file separates by commas. */
export function parseGrades({ cells: { grades = '' } }: Row): Parsed<YearGroup | null> {
  const first = grades.split(',')[0]?.trim() ?? '';
  const value = parseYearGroup(first);
  const isFault = value === null && first !== '' && !OTHER_GRADES.has(first.toUpperCase());
  return isFault ? { fault: 'grades is not a year group.' } : { value };
}

const NUMERIC_DATE = /^\s*(\d{1,2})[-/.](\d{1,2})[-/.]\d/;
const isMonthFirst = (text: string) => {
  const [, first, second] = NUMERIC_DATE.exec(text) ?? [];
  return first !== undefined && Number(first) <= 12 && Number(second) > 12;
};
/** Whether a text has only the signs of a date, and no name. */
const canQuote = (text: string) => /^[\d/.:\-+TZ ]{1,30}$/.test(text);

/**
 * Returns a function that reads a column of dates, as YYYY-MM-DD or null for an empty cell. Days come before months. In a
 * column with a date that can only have the month first, it reads no date that can be either.
 * @param today YYYY-MM-DD
 */
export function dateColumn(rows: readonly Row[], column: string, today: string): (row: Row) => Parsed<string | null> {
  const hasMonthFirst = rows.some(({ cells }) => isMonthFirst(cells[column] ?? ''));
  return ({ cells }) => {
    const text = cells[column]?.trim() ?? '';
    if (text === '') return { value: null };
    const quoted = canQuote(text) ? `${column} “${text}”` : column;
    const [, first, second] = NUMERIC_DATE.exec(text) ?? [];
    if (hasMonthFirst && first !== undefined && first !== second && !isDayFirst(first))
      return { fault: `${quoted} may have the month first. Export dates as 2027-07-20.` };
    const value = parseDate(text, today);
    return value === undefined ? { fault: `${quoted} is not a date.` } : { value };
  };
}

const isDayFirst = (first: string) => Number(first) > 12;
