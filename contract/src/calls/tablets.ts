import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, ids, timestamp } from '../fields.ts';

/** A tablet whose clock is wrong. */
const wrongTablet = z
  .strictObject({
    /** Made by the reading app. */
    id: z.uuid(),
    last_seen_at: timestamp,
    /** Seconds by which its clock was ahead at the last contact; negative if it was behind. */
    clock_difference: z.number().int(),
    wrong_since: timestamp,
    /** The class of the pupil whose reading it sent last. */
    group: z.strictObject({ id, name: z.string() }).nullable(),
  })
  .meta({ id: 'WrongTablet' });

export const tabletCalls = defineCalls({
  listTablets: {
    method: 'GET',
    path: '/enterprises/{id}/tablets',
    tag: 'Classes',
    summary: 'Tablets with a wrong clock',
    description:
      'The tablets that sent reading in the last 90 days and whose clock was wrong by more than 2 minutes the last time, those seen last first. Someone who sees only their own classes gets the tablets last used in them. `tablets_count` counts those with a right clock too.',
    permission: 'view_pupils',
    params: ids('id'),
    reply: z.strictObject({
      tablets: z.array(wrongTablet),
      meta: z.strictObject({ tablets_count: z.number().int() }),
    }),
  },
});
