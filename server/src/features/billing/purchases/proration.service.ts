import { pricePerYear, priceOfDays } from '#contract/money.ts';
import { addDays } from '../../../clock.ts';
import {
  type CoveredPeriod,
  dayOf,
  lengthOf,
  type Period,
  periodsOf,
  type SubscriptionRow,
  subscriptionYear,
} from '../subscriptions/subscriptions.public.ts';

/** What decides which of two packages is the larger one. */
type Size = Pick<CoveredPeriod, 'max_readers' | 'price_per_year_pence'>;

/** True for more places or, with as many places, a higher yearly price. */
export const isLarger = (a: Size, b: Size): boolean =>
  a.max_readers > b.max_readers || (a.max_readers === b.max_readers && a.price_per_year_pence > b.price_per_year_pence);

/** Splits the days of a period by subscription year. `anniversary` is the first day of any of these years. */
function splitByYear({ from, to }: Period, anniversary: string): { days: number; daysOfYear: number }[] {
  const parts = [];
  for (let day = from; day <= to;) {
    const year = subscriptionYear(anniversary, day);
    const last = year.to < to ? year.to : to;
    parts.push({ days: lengthOf({ from: day, to: last }), daysOfYear: lengthOf(year) });
    day = addDays(last, 1);
  }
  return parts;
}

/** Converts the amount for a period to a yearly price, to the nearest penny. */
export const yearlyPrice = (pence: number, period: Period): number =>
  pricePerYear(pence, splitByYear(period, period.from));

/** The current and later periods that a larger package replaces. */
function upgradedPeriods(offer: Size, row: SubscriptionRow, today: string): CoveredPeriod[] {
  return periodsOf(row).filter((period) => period.to >= today && isLarger(offer, period));
}

/** The first and last day for which a larger package is purchased. */
export const upgradePeriod = (offer: Size, row: SubscriptionRow, today: string): Period => ({
  from: today,
  to: upgradedPeriods(offer, row, today).at(-1)?.to ?? dayOf(row.expires_at),
});

/** The price of a larger package for the remaining days of a subscription, today included. */
export const upgradePrice = (offer: Size, row: SubscriptionRow, today: string): number =>
  priceOfDays(
    upgradedPeriods(offer, row, today).flatMap((period) => {
      const from = period.from < today ? today : period.from;
      const pencePerYear = Math.max(0, offer.price_per_year_pence - period.price_per_year_pence);
      return splitByYear({ from, to: period.to }, period.from).map((part) => ({ ...part, pencePerYear }));
    }),
  );
