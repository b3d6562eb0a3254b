import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { CERTIFICATE_IDS } from '../certificates.ts';
import { EXAMPLE } from '../examples.ts';
import { idInPath, ids, optionalLine, text } from '../fields.ts';
import { FIRST_DAY } from '../limits.ts';

/** The most pupils who get certificates in one file. */
export const MAX_CERTIFICATES = 100;
const TOO_MANY = `Choose at most ${MAX_CERTIFICATES} pupils.`;

/** What to print on a certificate. */
export const certificateQuery = z.object({
  certificate: z.enum(CERTIFICATE_IDS, 'Choose a certificate.'),
  group_id: idInPath.optional(),
  reader_id: idInPath.optional(),
  reader_ids: text('Send the ids of pupils separated by commas.', TOO_MANY, 4_000)
    .transform((list) => list.split(',').filter(Boolean))
    .pipe(z.array(idInPath).min(1, 'Choose a pupil.').max(MAX_CERTIFICATES, TOO_MANY))
    .optional(),
  for: z.enum(['readers', 'group'], 'A certificate is for readers or for a group.').default('readers'),
  reason: optionalLine('reason', 120),
  date: z.iso
    .date('Enter a real date, such as 2026-11-21.')
    .refine((date) => date >= FIRST_DAY, 'The date must not be before 1 January 2018.')
    .optional(),
});

export const certificateCalls = defineCalls({
  getCertificate: {
    method: 'GET',
    path: '/certificates/{certificate}',
    tag: 'Help',
    summary: 'A certificate with an empty name, to fill in or print',
    description: `The names are ${CERTIFICATE_IDS.map((id) => `\`${id}.pdf\``).join(', ')}.`,
    permission: 'open',
    params: z.strictObject({ certificate: z.enum(CERTIFICATE_IDS.map((id) => `${id}.pdf`)) }),
    noProof: 'Public.',
    noViews: 'Public.',
    files: ['application/pdf'],
  },

  renderCertificates: {
    method: 'GET',
    path: '/enterprises/{id}/certificates',
    tag: 'Help',
    summary: 'Certificates with name, class, date and reason filled in',
    description:
      'For one pupil (`reader_id`), several pupils (`reader_ids`) or a class (`group_id`): one page per pupil, or with `for=group` one page for the whole class. The default date is today in the school’s time zone.',
    permission: 'view_pupils',
    example: { query: { certificate: 'reader-of-the-week', group_id: EXAMPLE.class, reason: 'For reading every day' } },
    views: { what: 'page', screen: 'certificates' },
    params: ids('id'),
    query: certificateQuery
      .refine(
        ({ group_id, reader_id, reader_ids }) =>
          [group_id, reader_id, reader_ids].filter((id) => id !== undefined).length === 1,
        { path: ['reader_id'], message: 'Ask for a class or a pupil.' },
      )
      .refine((query) => query.for === 'readers' || query.group_id !== undefined, {
        path: ['for'],
        message: 'A certificate for a class needs a class.',
      }),
    noProof: 'Printed in a lesson, to hang on the wall.',
    files: ['application/pdf'],
    errors: ['class_not_found', 'pupil_not_found', 'class_without_pupils'],
  },
});
