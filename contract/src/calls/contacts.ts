import { z } from 'zod';
import {
  countryCode,
  email,
  id,
  normalizePostcode,
  optionalLine,
  requiredLine,
  telephone,
  text,
  WRONG_POSTCODE,
} from '../fields.ts';

export const contact = z
  .strictObject({
    id,
    type: z.enum(['primary', 'billing']),
    contact_name: z.string(),
    job_role: z.string().nullable(),
    address_line_1: z.string(),
    address_line_2: z.string().nullable(),
    address_line_3: z.string().nullable(),
    address_line_4: z.string().nullable(),
    postcode: z.string(),
    country_code: z.string().length(3),
    telephone: z.string(),
    email: z.string().nullable(),
  })
  .meta({ id: 'Contact' });
export type Contact = z.infer<typeof contact>;

/** The fields of a contact form. */
export const contactFields = z.object({
  type: z.enum(['primary', 'billing'], 'A contact is primary or billing.').default('primary'),
  contact_name: requiredLine('contact name', 191),
  job_role: optionalLine('job role', 191),
  address_line_1: requiredLine('first line of the address', 191),
  address_line_2: optionalLine('second line of the address', 191),
  address_line_3: optionalLine('third line of the address', 191),
  address_line_4: optionalLine('fourth line of the address', 191),
  postcode: text('Enter a postcode.', WRONG_POSTCODE).trim().min(1, 'Enter a postcode.'),
  country_code: countryCode,
  telephone,
  email,
});

const postcodeFields = contactFields.pick({ postcode: true, country_code: true });

/**
 * A contact as a client sends it, its postcode tidied. The UK pattern applies where the Royal Mail delivers;
 * elsewhere a postcode is 2 to 12 letters, digits, spaces and hyphens.
 */
export const contactInput = contactFields
  .refine(({ postcode, country_code }) => normalizePostcode(postcode, country_code) !== undefined, {
    path: ['postcode'],
    message: WRONG_POSTCODE,
    // Reported together with the errors of other fields.
    when: ({ value }) => postcodeFields.safeParse(value).success,
  })
  .transform((given) => ({
    ...given,
    postcode: normalizePostcode(given.postcode, given.country_code) ?? given.postcode,
  }))
  .meta({ id: 'ContactInput' });
export type ContactInput = z.output<typeof contactInput>;
