import { BANK_HOLIDAY_LISTS, PUBLISHED_BANK_HOLIDAYS } from '#contract/bank-holidays.ts';

/** The document at https://www.gov.uk/bank-holidays.json, as far as it is compared. */
export type PublishedDocument = Readonly<Record<string, { events: readonly { date: string }[] }>>;

/**
 * Compares the bank holidays in the contract with those that the government publishes, from the year of a day on.
 * Returns a sentence for each difference, and for each list that does not reach the end of the next year.
 */
export function compareBankHolidays(
  published: PublishedDocument,
  today: string,
  data: Readonly<Record<string, Readonly<Record<number, string>>>> = PUBLISHED_BANK_HOLIDAYS,
): string[] {
  const year = Number(today.slice(0, 4));
  return BANK_HOLIDAY_LISTS.flatMap((list) => {
    const ours = Object.entries(data[list] ?? {}).flatMap(([key, days]) =>
      days.split(' ').map((day) => `${key}-${day}`),
    );
    const theirs = (published[list]?.events ?? []).map(({ date }) => date);
    const isCompared = (day: string) => Number(day.slice(0, 4)) >= year;
    return [
      ...theirs.filter((day) => isCompared(day) && !ours.includes(day)).map((day) => `${list}: add ${day}.`),
      ...ours.filter((day) => isCompared(day) && !theirs.includes(day)).map((day) => `${list}: remove ${day}.`),
      ...[year, year + 1]
        .filter((needed) => data[list]?.[needed] === undefined)
        .map((needed) => `${list}: ${String(needed)} is missing.`),
    ];
  });
}
