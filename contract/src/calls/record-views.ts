import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, ids, pagedMeta, paging, timestamp } from '../fields.ts';
import { viewed, viewScreen } from '../record-views.ts';

const recordView = z
  .strictObject({
    /** To the minute: views by the same person on the same screen within a minute are one. */
    at: timestamp,
    /** The member of staff; null once their account was erased. */
    viewer: z.strictObject({ id, name: z.string() }).nullable(),
    /** Our support team looked, logged in as the viewer. */
    is_support: z.boolean(),
    what: viewed,
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
      'Views of the pupil’s page, notes and files in the last 12 months. They are stored within a few seconds: after a crash of the server the last five seconds may be missing.',
    permission: 'edit_school',
    area: 'records',
    params: ids('id', 'readerId'),
    query: z.object(paging),
    reply: z.strictObject({ views: z.array(recordView), meta: pagedMeta }),
    errors: ['pupil_not_found'],
  },
});
