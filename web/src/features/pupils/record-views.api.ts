import { recordViewCalls } from '#contract/calls/record-views.ts';
import { apiQuery } from '../../shared/api-query.ts';

export const VIEWS_PER_PAGE = 25;

/** A page of who looked at a pupil's record, the latest first. For admins. */
export const recordViewsQuery = (id: number, pupilId: number, page: number) =>
  apiQuery(recordViewCalls.listRecordViews, {
    params: { id, readerId: pupilId },
    query: { page, per_page: VIEWS_PER_PAGE },
  });
