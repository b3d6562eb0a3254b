import { z } from 'zod';

/** An amount in pence: without VAT, the VAT, and both. */
export const amounts = { net: z.number().int(), vat: z.number().int(), total: z.number().int() };

/** What a package costs a school today: its amount in pence, and the first and last day that it pays for. */
export const quote = z
  .strictObject({ ...amounts, period: z.strictObject({ from: z.iso.date(), to: z.iso.date() }) })
  .meta({ id: 'Quote' });
export type Quote = z.infer<typeof quote>;
