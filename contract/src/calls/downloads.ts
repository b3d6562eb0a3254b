import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { ids } from '../fields.ts';
import { pupilFilters } from './pupils.ts';
import { auditFilters } from './school.ts';
import { summaryRange } from './reading.ts';

const tableFormat = z.enum(['xlsx', 'csv'], 'The output is xlsx or csv.');
const output = { output: tableFormat.optional() } as const;

/** The format of a table file. */
export const outputOf = (query: { output?: 'xlsx' | 'csv' | undefined }) => query.output ?? 'xlsx';

const TABLE_FILES = ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'text/csv'] as const;

const TEMPLATES = ['pupils.xlsx', 'teachers.xlsx'] as const;

export const downloadCalls = defineCalls({
  exportPupils: {
    method: 'GET',
    path: '/enterprises/{id}/readers/export',
    tag: 'Adding pupils',
    summary: 'Names and classes of pupils as a file',
    description:
      'All pupils, or those that match the filters of the list. Importing the file again changes nothing. The pupils’ tags are included only with `include_tags=1`.',
    permission: 'view_pupils',
    ownerOnly: true,
    needsProof: true,
    example: { query: { output: 'csv' } },
    views: { what: 'page', screen: 'pupils' },
    params: ids('id'),
    query: z.object({
      ...pupilFilters,
      ...output,
      /** Adds a column with the pupils' tags, as far as the caller may see them. */
      include_tags: z
        .enum(['0', '1'], 'include_tags is 0 or 1.')
        .default('0')
        .transform((typed) => typed === '1'),
    }),
    files: TABLE_FILES,
  },

  exportClasses: {
    method: 'GET',
    path: '/enterprises/{id}/groups/export',
    tag: 'Classes',
    summary: 'The classes with their teachers and counts as a file',
    permission: 'view_pupils',
    ownerOnly: true,
    needsProof: true,
    example: { query: { output: 'csv' } },
    params: ids('id'),
    query: z.object(output),
    noViews: 'Classes with the numbers of their pupils.',
    files: TABLE_FILES,
  },

  exportTeachers: {
    method: 'GET',
    path: '/enterprises/{id}/users/export',
    tag: 'Teachers',
    summary: 'The staff with their classes as a file',
    permission: 'manage_classes',
    ownerOnly: true,
    needsProof: true,
    example: { query: { output: 'csv' } },
    params: ids('id'),
    query: z.object(output),
    noViews: 'It names no pupils.',
    files: TABLE_FILES,
  },

  exportClassReading: {
    method: 'GET',
    path: '/enterprises/{id}/groups/{groupId}/reading/export',
    tag: 'Who needs me',
    summary: 'How the pupils of a class read, as a file',
    description: 'The reply of `getClassReading`: this week and the last six weeks.',
    permission: 'view_pupils',
    ownerOnly: true,
    needsProof: true,
    example: { query: { output: 'csv' } },
    views: { what: 'page', screen: 'class_reading' },
    params: ids('id', 'groupId'),
    query: z.object(output),
    files: TABLE_FILES,
    errors: ['class_not_found', 'statistics_unavailable'],
  },

  exportPupilSessions: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/summary/export',
    tag: 'Reading',
    summary: "A pupil's reading sessions over a period as a file",
    description: 'The latest session for each book, as in `getPupilSummary`.',
    permission: 'view_pupils',
    ownerOnly: true,
    needsProof: true,
    example: { query: { start_time: '2026-09-01T00:00:00Z', end_time: '2026-10-31T23:59:59Z', output: 'csv' } },
    views: { what: 'page', screen: 'pupil' },
    params: ids('id', 'readerId'),
    query: summaryRange.safeExtend(output),
    files: TABLE_FILES,
    errors: ['pupil_not_found'],
  },

  exportSchoolInvoices: {
    method: 'GET',
    path: '/enterprises/{id}/invoices/export',
    tag: 'Billing',
    summary: "The school's invoices as a file",
    permission: 'manage_subscription',
    ownerOnly: true,
    needsProof: true,
    area: 'billing',
    example: { query: { output: 'csv' } },
    params: ids('id'),
    query: z.object(output),
    noViews: 'It names no pupils.',
    files: TABLE_FILES,
  },

  exportAuditLog: {
    method: 'GET',
    path: '/enterprises/{id}/audit-log/export',
    tag: 'School',
    summary: 'Who changed what as a file',
    description:
      'The latest 10,000 entries that match the filters of the list. `output=jsonl` returns one entry of the list per line, with `seal`: its number and digest in the signed chain, and what they are computed from. `docs/security.md` describes the format.',
    permission: 'view_privacy',
    ownerOnly: true,
    needsProof: true,
    area: 'records',
    example: { query: { output: 'csv' } },
    params: ids('id'),
    query: z.object({
      ...auditFilters,
      ...output,
      output: z.enum(['xlsx', 'csv', 'jsonl'], 'The output is xlsx, csv or jsonl.').optional(),
    }),
    noViews: 'What staff changed, without the reading and the notes of pupils.',
    files: [...TABLE_FILES, 'application/jsonl'],
  },

  exportSchool: {
    method: 'GET',
    path: '/enterprises/{id}/export',
    tag: 'School',
    summary: 'The whole school as a ZIP file of spreadsheets',
    description:
      'Pupils with their tags, classes, teachers, each pupil’s reading by school year, and the meaning of the columns. Importing the pupils into an empty school creates the same pupils and classes. It contains no passwords.',
    permission: 'edit_school',
    ownerOnly: true,
    needsProof: true,
    area: 'records',
    views: { what: 'page', screen: 'school_export' },
    params: ids('id'),
    files: ['application/zip'],
    rateLimits: [{ by: 'user', tries: 20, seconds: 3600, countsSuccesses: true }],
  },

  getTemplate: {
    method: 'GET',
    path: '/templates/{name}',
    tag: 'Adding pupils',
    summary: 'An empty spreadsheet to fill in: pupils.xlsx or teachers.xlsx',
    permission: 'open',
    params: z.strictObject({ name: z.enum(TEMPLATES) }),
    noProof: 'An empty form.',
    noViews: 'An empty form.',
    files: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    errors: ['not_found'],
  },
});
