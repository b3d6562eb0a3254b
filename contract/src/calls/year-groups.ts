import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { id, ids } from '../fields.ts';
import { pupilIds } from './login-cards.ts';
import { yearGroup } from './pupils.ts';

export const yearGroupCalls = defineCalls({
  setYearGroups: {
    method: 'POST',
    path: '/enterprises/{id}/readers/year-group',
    tag: 'Pupils',
    summary: 'Set the year group of several pupils',
    description:
      'All or nothing; null removes it. `changed` has the pupils who had another year group, with that former one, so that the change can be undone. In August the year group is that of the coming school year.',
    permission: 'edit_pupils',
    example: { body: { reader_ids: [EXAMPLE.otherPupil], year_group: '3' } },
    program: { scope: 'write_pupils' },
    params: ids('id'),
    body: z.object({ reader_ids: pupilIds, year_group: yearGroup.nullable() }),
    reply: z.strictObject({
      changed: z.array(z.strictObject({ reader_id: id, year_group: yearGroup.nullable() })),
    }),
    errors: ['pupil_not_found', 'pupil_not_managed'],
  },
});
