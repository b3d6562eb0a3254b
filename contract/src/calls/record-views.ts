import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, ids, pagedMeta, paging, timestamp } from '../fields.ts';
import { viewKind, viewScreen } from '../record-views.ts';

/** One person’s views of the same thing on one day of the school. */
const recordView = z
  .strictObject({
    /** A page about the pupil, a list of a class, or any other list. */
    about: z.enum(['pupil', 'class', 'list']),
    /** The class of a list; null also for a class that was deleted. */
    group: z.strictObject({ id, name: z.string() }).nullable(),
    /** How many pupils were shown, this one included. */
    pupils: z.number().int().positive(),
    day: z.iso.date(),
    /** How often. Views within a minute of each other are one. */
    count: z.number().int().positive(),
    first_at: timestamp,
    last_at: timestamp,
    /** The member of staff; null once their account was erased. With a program, the admin who answers for it. */
    viewer: z.strictObject({ id, name: z.string() }).nullable(),
    /** The program that received the data. */
    program: z.strictObject({ id, name: z.string() }).nullable(),
    /** Our support team looked, logged in as the viewer. */
    is_support: z.boolean(),
    what: viewKind,
    screen: viewScreen,
  })
  .meta({ id: 'RecordView' });
export type RecordView = z.infer<typeof recordView>;

export const recordViewCalls = defineCalls({
  listRecordViews: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/views',
    tag: 'Data and privacy',
    summary: 'Who looked at a pupil’s record, the latest first',
    description:
      'Who received data about the pupil in the last 12 months: notes, reasons, words, accuracy or reading, on a page about the pupil (`about=pupil`), or in a list or file of several (`about=list`); without `about` both. A list of names only is no view. Views are stored within a few seconds: after a crash of the server the last ones may be missing.',
    permission: 'edit_school',
    area: 'records',
    params: ids('id', 'readerId'),
    query: z.object({ ...paging, about: z.enum(['pupil', 'list'], 'about is pupil or list.').optional() }),
    reply: z.strictObject({ views: z.array(recordView), meta: pagedMeta }),
    errors: ['pupil_not_found'],
  },
});
