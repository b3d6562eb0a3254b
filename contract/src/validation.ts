import { z } from 'zod';

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  date: 'a date',
};

/** Default messages for schemas without their own. */
z.config({
  customError: (issue) => {
    if (issue.code === 'invalid_type')
      return issue.input === undefined
        ? 'This is missing.'
        : `This must be ${KINDS[String(issue.expected)] ?? String(issue.expected)}.`;
    if (issue.code === 'too_big' && issue.origin === 'string') return `This has at most ${issue.maximum} characters.`;
    if (issue.code === 'too_small' && issue.origin === 'string')
      return `This has at least ${issue.minimum} characters.`;
    if (issue.code === 'unrecognized_keys') return `Unknown fields: ${issue.keys.join(', ')}.`;
    return undefined;
  },
});

/** The `errors` of a reply: `{"contact.postcode": ["The Postcode is invalid"]}`. Errors of the whole body have the key ''. */
export function fieldErrors(error: z.ZodError): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const issue of error.issues) (errors[issue.path.join('.')] ??= []).push(issue.message);
  return errors;
}
