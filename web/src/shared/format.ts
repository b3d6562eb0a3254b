/** Moments are shown as the clock in the schools' country shows them, wherever the person who reads them is. */
const ZONE = 'Europe/London';

/** The browser's formatters take milliseconds to make: each is made at its first use, not while the portal starts. */
const once = <Made>(make: () => Made): (() => Made) => {
  let made: Made | undefined;
  return () => (made ??= make());
};

const formatter = (options: Intl.DateTimeFormatOptions) => {
  const inZone = (timeZone: string) => once(() => new Intl.DateTimeFormat('en-GB', { ...options, timeZone }));
  const [ofMoment, ofDay] = [inZone(ZONE), inZone('UTC')];
  return (value: string): string => {
    // A calendar day has no time zone: `2026-11-21` is the 21st everywhere.
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
    const date = new Date(isDay ? `${value}T00:00:00Z` : value);
    return Number.isNaN(date.getTime()) ? '' : (isDay ? ofDay() : ofMoment()).format(date);
  };
};

/** `21 November 2026`, of a day or a moment. Nothing for what is no date. */
export const formatDate = formatter({ day: 'numeric', month: 'long', year: 'numeric' });

/** `21/11/2026`, of a day or a moment. */
export const formatShortDate = formatter({ day: '2-digit', month: '2-digit', year: 'numeric' });

/** `09:30`, of a moment. */
export const formatTime = formatter({ hour: '2-digit', minute: '2-digit', hour12: false });

const SUFFIXES: Record<Intl.LDMLPluralRule, string> = {
  one: 'st',
  two: 'nd',
  few: 'rd',
  other: 'th',
  zero: 'th',
  many: 'th',
};
const ordinal = once(() => new Intl.PluralRules('en-GB', { type: 'ordinal' }));

/** `21st November 2026`, of a day or a moment. */
export function formatOrdinalDate(value: string): string {
  const [day = '', ...rest] = formatDate(value).split(' ');
  return day && `${day}${SUFFIXES[ordinal().select(Number(day))]} ${rest.join(' ')}`;
}

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
