import { recordViewCalls } from '#contract/calls/record-views.ts';
import { apiQuery } from '../../../shared/api-query.ts';

export const VIEWS_PER_PAGE = 25;

/** A page of who looked at a pupil's record, the latest first, with or without lists of several pupils. For admins. */
export const recordViewsQuery = (id: number, pupilId: number, page: number, hasLists: boolean) =>
  apiQuery(recordViewCalls.listRecordViews, {
    params: { id, readerId: pupilId },
    query: { page, per_page: VIEWS_PER_PAGE, ...(!hasLists && { about: 'pupil' }) },
  });
