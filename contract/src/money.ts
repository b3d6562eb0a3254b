/** Amounts are integers in pence, rates of VAT in hundredths of a percent (2000 is 20 %). Half a penny rounds up. */

/** Three-letter codes of the countries in which VAT is charged. */
export const TAXABLE_COUNTRIES: readonly string[] = ['GBR'];

/** The VAT on an amount. */
export const vatOn = (pence: number, rate: number): number => divideHalfUp(pence * rate, 10_000);

/** Some days of one subscription year, which has 365 or 366 days. */
interface DaysOfYear {
  days: number;
  daysOfYear: number;
}

/** A year has 365 or 366 days: their product makes each day a whole number of parts. */
const PARTS_OF_YEAR = 365 * 366;
const partsOf = ({ days, daysOfYear }: DaysOfYear): number => (days * PARTS_OF_YEAR) / daysOfYear;

/** The price of days: each costs its yearly price divided by the days of its year. Rounded once, at the end. */
export const priceOfDays = (days: readonly (DaysOfYear & { pencePerYear: number })[]): number =>
  divideHalfUp(
    days.reduce((sum, part) => sum + part.pencePerYear * partsOf(part), 0),
    PARTS_OF_YEAR,
  );

/** The yearly price of an amount that pays for some days. */
export const pricePerYear = (pence: number, days: readonly DaysOfYear[]): number =>
  divideHalfUp(
    pence * PARTS_OF_YEAR,
    days.reduce((sum, part) => sum + partsOf(part), 0),
  );

/** The fields of an invoice line that determine its amount. */
interface PricedLine {
  quantity: number;
  unit_price_pence: number;
  vat_rate: number;
}

/** The amount of a line without VAT. */
export const amountOfLine = ({ quantity, unit_price_pence }: PricedLine): number => quantity * unit_price_pence;

const netOf = (lines: readonly PricedLine[]): number => lines.reduce((sum, line) => sum + amountOfLine(line), 0);

/** The VAT on lines, rounded once for each rate, in the order in which the rates occur. */
export const vatByRate = (lines: readonly PricedLine[]): { rate: number; vat: number }[] =>
  [...new Set(lines.map(({ vat_rate }) => vat_rate))].map((rate) => ({
    rate,
    vat: vatOn(netOf(lines.filter(({ vat_rate }) => vat_rate === rate)), rate),
  }));

/** The total of several lines. */
export function totalOf(lines: readonly PricedLine[]): { net: number; vat: number; total: number } {
  const net = netOf(lines);
  const vat = vatByRate(lines).reduce((sum, group) => sum + group.vat, 0);
  return { net, vat, total: net + vat };
}

/** Only for integers from 0 whose double is exact. */
function divideHalfUp(dividend: number, divisor: number): number {
  const doubled = 2 * dividend + divisor;
  return (doubled - (doubled % (2 * divisor))) / (2 * divisor);
}
