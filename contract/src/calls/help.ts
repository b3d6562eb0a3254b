import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { CERTIFICATE_IDS } from '../certificates.ts';
import { EXAMPLE } from '../examples.ts';
import { idInPath, ids, optionalLine } from '../fields.ts';
import { FIRST_DAY } from '../limits.ts';

/** What a certificate is filled in with. */
export const certificateQuery = z.object({
  certificate: z.enum(CERTIFICATE_IDS, 'Choose a certificate.'),
  group_id: idInPath.optional(),
  reader_id: idInPath.optional(),
  for: z.enum(['readers', 'group'], 'A certificate is for readers or for a group.').default('readers'),
  reason: optionalLine('reason', 120),
  date: z.iso
    .date('Give a date that exists, such as 2026-11-21.')
    .refine((date) => date >= FIRST_DAY, 'The date lies before 1 January 2018.')
    .optional(),
});

export const helpCalls = defineCalls({
  getUserGuide: {
    method: 'GET',
    path: '/user-guide.pdf',
    tag: 'Help',
    summary: 'The user guide as a PDF',
    permission: 'open',
    files: ['application/pdf'],
  },

  getCertificate: {
    method: 'GET',
    path: '/certificates/{certificate}',
    tag: 'Help',
    summary: 'A certificate with an empty field for the name, to fill in or to print',
    description: `The names are ${CERTIFICATE_IDS.map((id) => `\`${id}.pdf\``).join(', ')}.`,
    permission: 'open',
    params: z.strictObject({ certificate: z.enum(CERTIFICATE_IDS.map((id) => `${id}.pdf`)) }),
    files: ['application/pdf'],
  },

  drawCertificates: {
    method: 'GET',
    path: '/enterprises/{id}/certificates',
    tag: 'Help',
    summary: 'Certificates with name, class, date and reason filled in',
    description:
      'For one pupil (`reader_id`), or for a class (`group_id`): a page for each of its pupils, or with `for=group` one for the class as a whole. The date is today in the school’s time zone when absent.',
    permission: 'view_school',
    example: { query: { certificate: 'reader-of-the-week', group_id: EXAMPLE.class, reason: 'For reading every day' } },
    params: ids('id'),
    query: certificateQuery
      .refine(({ group_id, reader_id }) => (group_id === undefined) !== (reader_id === undefined), {
        path: ['reader_id'],
        message: 'Ask for a class or for a pupil.',
      })
      .refine((query) => query.for === 'readers' || query.group_id !== undefined, {
        path: ['for'],
        message: 'A certificate for a class needs a class.',
      }),
    files: ['application/pdf'],
    errors: ['class_not_found', 'pupil_not_found', 'class_without_pupils'],
  },
});
