import { z } from 'zod';
import { type ErrorName, errorList } from './errors.ts';
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
  /** With `pupil_not_found`, from calls for several pupils: those of the request that do not exist. */
  reader_ids: z.array(z.number().int()).optional(),
});
export type ErrorReply = z.infer<typeof errorReply>;

/** What a reply adds to the listed error. `fields`: the path of a field to its messages. `text` and `code` replace those listed. */
export interface ErrorDetails {
  fields?: Record<string, string[]> | undefined;
  text?: string;
  code?: string;
  quote?: ErrorReply['quote'];
  pupils?: number;
  missingPupils?: readonly number[];
  secondFactor?: ErrorReply['second_factor'];
}

/** The messages of the first fields in one sentence, for clients that only show `error`. */
const summarise = (fields: Record<string, string[]>): string =>
  [...new Set(Object.values(fields).flat())].slice(0, 3).join(' ');

/** The body of an error as the API returns it. */
export function toErrorReply(name: ErrorName, details: ErrorDetails = {}): ErrorReply {
  const listed: { type: ErrorReply['error_type']; text: string; code?: string; field?: string } = errorList[name];
  const text = details.text ?? (details.fields && summarise(details.fields)) ?? listed.text;
  const code = details.code ?? listed.code;
  const fields = details.fields ?? (listed.field ? { [listed.field]: [text] } : undefined);
  return {
    error: text,
    error_type: listed.type,
    ...(code ? { code } : {}),
    ...(fields ? { errors: fields } : {}),
    ...(details.quote ? { quote: details.quote } : {}),
    ...(details.secondFactor ? { second_factor: details.secondFactor } : {}),
    ...(details.pupils === undefined ? {} : { pupils: details.pupils }),
    ...(details.missingPupils ? { reader_ids: [...details.missingPupils] } : {}),
  };
}
