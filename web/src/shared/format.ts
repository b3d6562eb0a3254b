import { once } from './once.ts';
import { onSchoolClock } from './school-clock.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

const monthOf = (date: Date): string => MONTHS[date.getUTCMonth()]!;
const shortMonthOf = (date: Date): string => {
  const month = monthOf(date);
  return month === 'September' ? 'Sept' : month.slice(0, 3);
};
const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Writes a day or a moment; nothing for what is no date. */
const writer =
  (write: (date: Date) => string) =>
  (value: string): string => {
    const date = onSchoolClock(value);
    return date ? write(date) : '';
  };

/** `21 November 2026`, of a day or a moment: as every text and table says it. */
export const formatDate = writer((date) => `${date.getUTCDate()} ${monthOf(date)} ${date.getUTCFullYear()}`);

/** `21/11/2026`, of a day or a moment: for spreadsheets, which take it for a date. */
export const formatShortDate = writer(
  (date) => `${twoDigits(date.getUTCDate())}/${twoDigits(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}`,
);

/** `09:30`, of a moment. */
export const formatTime = writer((date) => `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`);

/** `Saturday`, of a day or a moment. */
export const formatWeekday = writer((date) => WEEKDAYS[date.getUTCDay()]!);

/** `21 November`, of a day or a moment: where the year goes without saying. */
export const formatDayOfYear = writer((date) => `${date.getUTCDate()} ${monthOf(date)}`);

/** `21 Nov`, of a day or a moment: on the axis of a chart. */
export const formatDayAndMonth = writer((date) => `${date.getUTCDate()} ${shortMonthOf(date)}`);

/** `Nov 2026`, of a day or a moment. */
export const formatShortMonth = writer((date) => `${shortMonthOf(date)} ${date.getUTCFullYear()}`);

/** `November 2026`, of a day or a moment. */
export const formatMonth = writer((date) => `${monthOf(date)} ${date.getUTCFullYear()}`);

const grouped = once(() => new Intl.NumberFormat('en-GB'));

/** A whole number: `312`, `1,024`. Small ones, which are most, do not wait for the browser's formatter. */
export const formatNumber = (number: number): string =>
  Math.abs(number) < 1000 ? String(number) : grouped().format(number);

/** `4 seconds`, `1 pupil`: the number with its noun. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${formatNumber(number)} ${number === 1 ? one : many}`;

/** Seconds in words: seconds under 2 minutes, then minutes under an hour, then hours and minutes. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return '–';
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return count(whole, 'second');
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return count(minutes, 'minute');
  const left = minutes % 60;
  return count(Math.floor(minutes / 60), 'hour') + (left > 0 ? ` ${count(left, 'minute')}` : '');
}

/** Per cent, floored; under 1 shows `< 1%`; a dash where no word was attempted. */
export function formatAccuracy(percent: number | null): string {
  if (percent === null || !Number.isFinite(percent)) return '–';
  return percent < 1 ? '< 1%' : `${Math.floor(percent)}%`;
}

const pounds = once(
  () => new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', maximumFractionDigits: 0 }),
);
const exactPounds = once(() => new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' }));

/** Pence as whole pounds: `£1,200`. For prices. */
export const formatMoney = (pence: number): string => pounds().format(pence / 100);

/** Pence as pounds and pence: `£1,200.50`. For invoices, where each penny counts. */
export const formatExactMoney = (pence: number): string => exactPounds().format(pence / 100);

/** First and last name of an adult. */
export const fullName = ({ first_name, last_name }: { first_name: string; last_name: string }): string =>
  `${first_name} ${last_name}`;

/** Ada, Ben and Cleo. */
export const listInWords = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
