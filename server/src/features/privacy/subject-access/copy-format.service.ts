import { dayIn, formatLongDay } from '../../../clock.ts';
import type { CopiedRow } from './copies.queries.ts';

const count = new Intl.NumberFormat('en-GB');
const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** A number with its noun: `1 note`, `1,204 notes`. */
export const countOf = (number: number, noun: string, plural = `${noun}s`): string =>
  `${formatNumber(number)} ${number === 1 ? noun : plural}`;

export const formatNumber = (number: number): string => count.format(number);

/** `once`, `twice`, `31 times` */
export const formatTimes = (number: number): string =>
  number === 1 ? 'once' : number === 2 ? 'twice' : `${formatNumber(number)} times`;

/** A month, `YYYY-MM`, in full: `November 2026`. */
export const formatMonth = (value: string): string => month.format(new Date(`${value}-01T00:00:00Z`));

/** A calendar day for a table: `6 Nov 2026`. */
export const formatShortDay = (day: string): string => shortDay.format(new Date(`${day}T00:00:00Z`));

/** `45 minutes`, `31 hours 20 minutes` */
export function formatMinutes(minutes: number): string {
  if (minutes < 60) return countOf(minutes, 'minute');
  const minutesLeft = minutes % 60;
  return `${countOf(Math.floor(minutes / 60), 'hour')}${minutesLeft > 0 ? ` ${countOf(minutesLeft, 'minute')}` : ''}`;
}

/** The whole months between two calendar days in words, `1 year and 2 months`; days below a month. */
export function formatAge(from: string, to: string): string {
  const [start, end] = [from, to].map((day) => day.split('-').map(Number)) as [number[], number[]];
  const [fromYear = 0, fromMonth = 0, fromDay = 0] = start;
  const [toYear = 0, toMonth = 0, toDay = 0] = end;
  const months = (toYear - fromYear) * 12 + toMonth - fromMonth - (toDay < fromDay ? 1 : 0);
  if (months < 1) return countOf(Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000), 'day');
  const parts = [
    ...(months >= 12 ? [countOf(Math.floor(months / 12), 'year')] : []),
    ...(months % 12 > 0 ? [countOf(months % 12, 'month')] : []),
  ];
  return parts.join(' and ');
}

/** Columns with codes of the portal. */
const CODED: ReadonlySet<string> = new Set(
  'action document identity_check kind method need provider response role screen status type user_type what'.split(' '),
);
/** Codes whose own words do not explain them. */
const WORDS: Readonly<Record<string, string>> = {
  authenticator: 'Authenticator app',
  enterprise: 'Staff of a school',
  pupil_password: 'Password',
  send: 'SEND',
  set_up: 'Set-up',
  set_up_link: 'Set-up link',
  snoozed: 'Put off until later',
};
/** Columns whose own words do not explain them. */
const LABELS: Readonly<Record<string, string>> = {
  at: 'When',
  contact: 'Name',
};
/** Numbers of the row itself, of the person and of a login. */
const NOT_ON_PAGE =
  /^(id|pupil_id|user_id|user_name|subject_id|subject_kind|external_id|linked_account_id|has_provider_factor|proved_at)$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

export const sentenceCase = (code: string): string => {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The words for a code of the portal. @param providers names of sign-in providers by ID */
export const wordsFor = (code: string, providers: ReadonlyMap<string, string>): string =>
  WORDS[code] ?? providers.get(code) ?? sentenceCase(code);

/** A value for people: times as days in the school's time zone, lists with commas, objects as names and values. */
function formatValue(value: unknown, timeZone: string): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return formatLongDay(dayIn(timeZone, value));
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map((part) => formatValue(part, timeZone)).join(', ');
  if (typeof value === 'string') return DAY.test(value) ? formatLongDay(value) : value;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value !== 'object') return '';
  return Object.entries(value)
    .filter(([, part]) => part !== null)
    .map(([name, part]) => `${sentenceCase(name)}: ${formatValue(part, timeZone)}`)
    .join(', ');
}

/** The column with the names that the numbers of a column stand for. */
export const nameColumn = (column: string): string =>
  column.endsWith('_ids') ? column.replace(/_ids$/, '_names') : `${column.replace(/_id$/, '')}_name`;

/**
 * The columns of a row that have a value, for people: a name replaces its number, words replace a code, and the row's own
 * number is left out.
 * @param providers names of sign-in providers by ID
 */
export const toLines = (
  row: Readonly<CopiedRow>,
  columns: readonly string[],
  { timeZone, providers }: { timeZone: string; providers: ReadonlyMap<string, string> },
): [string, string][] =>
  columns
    .filter((column) => !NOT_ON_PAGE.test(column) && !columns.includes(nameColumn(column)))
    .map((column): [string, string] => {
      const value = row[column];
      const name = column.replace(/_(names?|id|at)$/, '');
      const label = LABELS[name] ?? sentenceCase(name === 'first' || name === 'last' ? column : name);
      return CODED.has(column) && typeof value === 'string'
        ? [label, wordsFor(value, providers)]
        : [label, formatValue(value, timeZone)];
    })
    .filter(([, value]) => value !== '');
