import { z } from 'zod';
import { quote } from './quote.ts';

/** The one shape of an error in a reply. `errors` maps a field's path to what is wrong with it. */
export const errorReply = z.strictObject({
  error: z.string(),
  error_type: z.enum([
    'bad_request',
    'authentication',
    'permission',
    'not_found',
    'conflict',
    'validation',
    'capacity',
    'payment',
    'rate_limit',
    'server',
  ]),
  code: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  /** With `price_changed`: what the package costs now. */
  quote: quote.optional(),
  /** With `too_many_pupils`: how many active pupils the school has. */
  pupils: z.number().int().optional(),
});
export type ErrorReply = z.infer<typeof errorReply>;
