import { getPupilSummary } from '#contract/calls/reading.ts';
import { queryOf } from '../../shared/api-query.ts';

/** A pupil's figures and latest sessions between two moments, both included. */
export const pupilSummaryQuery = (schoolId: number, pupilId: number, { start, end }: { start: string; end: string }) =>
  queryOf(getPupilSummary, {
    params: { id: schoolId, readerId: pupilId },
    query: { start_time: start, end_time: end },
  });
