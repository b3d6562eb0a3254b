import { z } from 'zod';

/** An amount in pence: without VAT, the VAT, and both. */
export const amounts = { net: z.number().int(), vat: z.number().int(), total: z.number().int() };

/** The price of a year of the package at today's prices, from the day after the period in the quote. */
export const dueYearly = z.strictObject({ ...amounts, from: z.iso.date() }).meta({ id: 'DueYearly' });
export type DueYearly = z.infer<typeof dueYearly>;

/** The price of a package for a school today: the amount in pence, the days it covers, and the yearly price after that. */
export const quote = z
  .strictObject({
    ...amounts,
    period: z.strictObject({ from: z.iso.date(), to: z.iso.date() }),
    due_yearly: dueYearly,
  })
  .meta({ id: 'Quote' });
export type Quote = z.infer<typeof quote>;
