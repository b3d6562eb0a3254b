import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, ids } from '../fields.ts';

/** The most teaching assistants who help one pupil outside their classes. */
export const MAX_PUPIL_ASSISTANTS = 10;

const path = '/enterprises/{id}/readers/{readerId}/assistants' as const;
const onePath = `${path}/{userId}` as const;
const shared = { tag: 'Pupils', permission: 'manage_pupils' } as const;

export const pupilAssistantCalls = defineCalls({
  listPupilAssistants: {
    ...shared,
    method: 'GET',
    path,
    summary: 'Teaching assistants who help a pupil, besides those of the class',
    params: ids('id', 'readerId'),
    reply: z.strictObject({
      assistants: z.array(
        z.strictObject({ id, first_name: z.string(), last_name: z.string() }).meta({ id: 'PupilAssistant' }),
      ),
    }),
    errors: ['pupil_not_found', 'pupil_not_managed'],
  },

  addPupilAssistant: {
    ...shared,
    method: 'POST',
    path: onePath,
    summary: 'Let a teaching assistant see a pupil',
    description: 'As the pupils of the classes that they help in, whichever class the pupil is in.',
    params: ids('id', 'readerId', 'userId'),
    errors: ['pupil_not_found', 'pupil_not_managed', 'teacher_not_found', 'pupil_assistants_full'],
  },

  removePupilAssistant: {
    ...shared,
    method: 'DELETE',
    path: onePath,
    summary: 'Stop a teaching assistant seeing a pupil',
    params: ids('id', 'readerId', 'userId'),
    errors: ['pupil_not_found', 'pupil_not_managed'],
  },
});
