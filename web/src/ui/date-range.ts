import { FIRST_DAY as EARLIEST_DAY } from '#contract/limits.ts';

/** Calendar days `YYYY-MM-DD`, both included. */
export interface DayRange {
  from: string;
  to: string;
}

export { EARLIEST_DAY };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const utc = (day: string) => new Date(`${day}T00:00:00Z`);
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

/** The day so many days later, or earlier. */
export function addDays(day: string, days: number): string {
  const date = utc(day);
  date.setUTCDate(date.getUTCDate() + days);
  return dayOf(date);
}

/** The first day of the month so many months later, or earlier. */
function monthStart(day: string, months: number): string {
  const date = utc(day);
  return dayOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)));
}

const year = (day: string, years = 0) => String(Number(day.slice(0, 4)) + years);

/** Ranges to choose with one click, by their names. `This …` ends today. */
export const PRESETS = {
  Today: (today: string) => ({ from: today, to: today }),
  Yesterday: (today: string) => ({ from: addDays(today, -1), to: addDays(today, -1) }),
  'Last 7 days': (today: string) => ({ from: addDays(today, -6), to: today }),
  'Last 30 days': (today: string) => ({ from: addDays(today, -29), to: today }),
  'This month': (today: string) => ({ from: monthStart(today, 0), to: today }),
  'Last month': (today: string) => ({ from: monthStart(today, -1), to: addDays(monthStart(today, 0), -1) }),
  'This year': (today: string) => ({ from: `${year(today)}-01-01`, to: today }),
  'Last year': (today: string) => ({ from: `${year(today, -1)}-01-01`, to: `${year(today, -1)}-12-31` }),
} satisfies Record<string, (today: string) => DayRange>;
export type PresetName = keyof typeof PRESETS;

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(utc(value).getTime()) && dayOf(utc(value)) === value;

/** Clamps a range between the earliest day and today; null if it is invalid. */
export function tidyRange(from: unknown, to: unknown, today: string): DayRange | null {
  if (!isDay(from) || !isDay(to) || from > to || from > today || to < EARLIEST_DAY) return null;
  return { from: from < EARLIEST_DAY ? EARLIEST_DAY : from, to: to > today ? today : to };
}

/** The range in the URL, or the stored one, or the current month until today. */
export function chooseRange(query: URLSearchParams, stored: unknown, today: string): DayRange {
  return (
    tidyRange(query.get('from'), query.get('to'), today) ?? storedRange(stored, today) ?? PRESETS['This month'](today)
  );
}

/** Stores a preset by name, so that `Last 7 days` stays current, and other ranges by their two days. */
function storedRange(stored: unknown, today: string): DayRange | null {
  if (typeof stored === 'string' && stored in PRESETS) return PRESETS[stored as PresetName](today);
  if (stored === null || typeof stored !== 'object') return null;
  return 'from' in stored && 'to' in stored ? tidyRange(stored.from, stored.to, today) : null;
}

/** The name of the preset that equals the range today, if any. */
export const presetOf = (range: DayRange, today: string): PresetName | null =>
  (Object.keys(PRESETS) as PresetName[]).find((name) => {
    const preset = PRESETS[name](today);
    return preset.from === range.from && preset.to === range.to;
  }) ?? null;

/** A range with a name. Its last day may be in the future. */
export interface NamedRange extends DayRange {
  name: string;
}

/** The range until today at the latest. */
export const untilToday = ({ from, to }: DayRange, today: string): DayRange => ({ from, to: to > today ? today : to });

/** The name of a range: a preset's or one of the school's ranges. */
export const nameOf = (range: DayRange, more: readonly NamedRange[], today: string): string | null =>
  presetOf(range, today) ??
  more.find((preset) => preset.from === range.from && untilToday(preset, today).to === range.to)?.name ??
  null;
