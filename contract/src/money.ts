/** Amounts are integers in pence, rates of VAT in hundredths of a percent (2000 is 20 %). Half a penny rounds up. */

/** Countries in which VAT is charged, by their three letters. */
export const TAXABLE_COUNTRIES: readonly string[] = ['GBR'];

/** The VAT on an amount. */
export const vatOn = (pence: number, rate: number): number => divideHalfUp(pence * rate, 10_000);

/** What an upgrade costs: the difference of two yearly prices for the days that are left of a period; never below 0. */
export const proratedPrice = (oldPence: number, newPence: number, daysLeft: number, daysOfPeriod: number): number =>
  divideHalfUp(Math.max(0, newPence - oldPence) * Math.max(0, daysLeft), daysOfPeriod);

/** Whole numbers from 0, whose product with 2 is exact. */
function divideHalfUp(dividend: number, divisor: number): number {
  const doubled = 2 * dividend + divisor;
  return (doubled - (doubled % (2 * divisor))) / (2 * divisor);
}
