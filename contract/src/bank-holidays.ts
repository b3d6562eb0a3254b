import type { Nation } from './nations.ts';

/** The three lists of bank holidays in the United Kingdom, as gov.uk/bank-holidays names them. */
export const BANK_HOLIDAY_LISTS = ['england-and-wales', 'scotland', 'northern-ireland'] as const;
export type BankHolidayList = (typeof BANK_HOLIDAY_LISTS)[number];

/** The list of a school's nation. A school without a nation follows England and Wales. */
export function bankHolidayListOf(nation: Nation | null): BankHolidayList {
  if (nation === 'scotland') return 'scotland';
  return nation === 'northern_ireland' ? 'northern-ireland' : 'england-and-wales';
}

/**
 * The days that gov.uk/bank-holidays lists, by year, as month and day. They take precedence over the rules, because a
 * government can move or add a day. `npm run bank-holidays` compares them with the website.
 */
export const PUBLISHED_BANK_HOLIDAYS: Readonly<Record<BankHolidayList, Readonly<Record<number, string>>>> = {
  'england-and-wales': {
    2026: '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28',
    2027: '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28',
  },
  scotland: {
    // 15 June: the first match of the men's World Cup.
    2026: '01-01 01-02 04-03 05-04 05-25 06-15 08-03 11-30 12-25 12-28',
    2027: '01-01 01-04 03-26 05-03 05-31 08-02 11-30 12-27 12-28',
  },
  'northern-ireland': {
    2026: '01-01 03-17 04-03 04-06 05-04 05-25 07-13 08-31 12-25 12-28',
    2027: '01-01 03-17 03-26 03-29 05-03 05-31 07-12 08-30 12-27 12-28',
  },
};
