import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { ids } from '../fields.ts';
import { pupilFilters } from './pupils.ts';

const TEMPLATES = ['pupils.xlsx', 'teachers.xlsx'] as const;

export const downloadCalls = defineCalls({
  exportPupils: {
    method: 'GET',
    path: '/enterprises/{id}/readers/export',
    tag: 'Adding pupils',
    summary: 'Names and classes of pupils as a file',
    description: 'All, or those whom the filters of the list leave. Importing it again changes nothing.',
    permission: 'view_school',
    example: { query: { format: 'csv' } },
    params: ids('id'),
    query: z.object({ ...pupilFilters, format: z.enum(['xlsx', 'csv'], 'The format is xlsx or csv.').default('xlsx') }),
    files: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'text/csv'],
  },

  getTemplate: {
    method: 'GET',
    path: '/templates/{name}',
    tag: 'Adding pupils',
    summary: 'An empty spreadsheet to fill in: pupils.xlsx or teachers.xlsx',
    permission: 'open',
    params: z.strictObject({ name: z.enum(TEMPLATES) }),
    files: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    errors: ['not_found'],
  },
});
