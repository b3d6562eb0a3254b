import { z } from 'zod';
import { quote } from './quote.ts';

/** The body of every error reply. `errors` maps the path of a field to its error messages. */
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
  /** With `price_changed`: the current price of the package. */
  quote: quote.optional(),
  /**
   * With `second_factor_required`: the token of `POST auth/factor`, valid for five minutes, and what the account has. With
   * `enrolment_required`: the token of `POST auth/enrolment/…`, valid for 15 minutes, and no methods.
   */
  second_factor: z
    .strictObject({ token: z.string(), methods: z.array(z.enum(['authenticator', 'passkey', 'recovery_code'])) })
    .optional(),
  /** With `too_many_pupils`: how many active pupils the school has. */
  pupils: z.number().int().optional(),
});
export type ErrorReply = z.infer<typeof errorReply>;
