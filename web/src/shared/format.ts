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

/** Formats a day or a moment. Returns an empty string for an invalid date. */
const formatWith =
  (write: (date: Date) => string) =>
  (value: string): string => {
    const date = onSchoolClock(value);
    return date ? write(date) : '';
  };

/** `21 November 2026`, for a day or a moment, as in all texts and tables. */
export const formatDate = formatWith((date) => `${date.getUTCDate()} ${monthOf(date)} ${date.getUTCFullYear()}`);

/** `21/11/2026`, for a day or a moment, as spreadsheets recognise dates. */
export const formatShortDate = formatWith(
  (date) => `${twoDigits(date.getUTCDate())}/${twoDigits(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}`,
);

/** `09:30`, for a moment. */
export const formatTime = formatWith((date) => `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`);

/** `21 November 2026 at 09:30`, for a moment. */
export const formatMoment = (moment: string): string => `${formatDate(moment)} at ${formatTime(moment)}`;

/** `Saturday`, for a day or a moment. */
export const formatWeekday = formatWith((date) => WEEKDAYS[date.getUTCDay()]!);

/** `21 November`, for a day or a moment of the current year. */
export const formatDayOfYear = formatWith((date) => `${date.getUTCDate()} ${monthOf(date)}`);

/** `21 Nov`, for a day or a moment on the axis of a chart. */
export const formatDayAndMonth = formatWith((date) => `${date.getUTCDate()} ${shortMonthOf(date)}`);

/** `Nov 2026`, for a day or a moment. */
export const formatShortMonth = formatWith((date) => `${shortMonthOf(date)} ${date.getUTCFullYear()}`);

/** `November 2026`, for a day or a moment. */
export const formatMonth = formatWith((date) => `${monthOf(date)} ${date.getUTCFullYear()}`);

const grouped = once(() => new Intl.NumberFormat('en-GB'));

/** A whole number: `312`, `1,024`. Small numbers, the most common, avoid creating the browser's formatter. */
export const formatNumber = (number: number): string =>
  Math.abs(number) < 1000 ? String(number) : grouped().format(number);

/** `4 seconds`, `1 pupil`: a number with its noun. */
export const count = (number: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(number)} ${number === 1 ? singular : plural}`;

/** A duration in words: seconds below 2 minutes, then minutes below an hour, then hours and minutes. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return '–';
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return count(whole, 'second');
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return count(minutes, 'minute');
  const left = minutes % 60;
  return count(Math.floor(minutes / 60), 'hour') + (left > 0 ? ` ${count(left, 'minute')}` : '');
}

/** Whole minutes in short: `45 min`, `6 h 20 min`. */
export const formatShortMinutes = (minutes: number): string =>
  minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ''}`;

/** A duration in short, in whole minutes: `< 1 min`, `45 min`, `6 h 20 min`. */
export const formatShortDuration = (seconds: number): string =>
  seconds > 0 && seconds < 30 ? '< 1 min' : formatShortMinutes(Math.round(seconds / 60));

/** A percentage, rounded down: `< 1%` below 1, a dash where no word was attempted. */
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

/** Pence as pounds, with pence if there are any: `£1,200`, `£149.51`. For prices of part of a year. */
export const formatPrice = (pence: number): string =>
  pence % 100 === 0 ? formatMoney(pence) : formatExactMoney(pence);

/** Pence as pounds and pence: `£1,200.50`. For invoices. */
export const formatExactMoney = (pence: number): string => exactPounds().format(pence / 100);

/** An amount in hundredths of a currency such as `eur`: `€1,200.50`. */
export const formatAmount = (hundredths: number, currency: string): string =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(hundredths / 100);

/** First and last name of an adult. */
export const fullName = ({ first_name, last_name }: { first_name: string; last_name: string }): string =>
  `${first_name} ${last_name}`;

/** Ada, Ben and Cleo. */
export const listInWords = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

/** Ada has left; Ada, Ben and Cleo have left. */
export const haveLeftInWords = (names: readonly string[]): string =>
  `${listInWords(names)} ${names.length === 1 ? 'has' : 'have'} left`;
