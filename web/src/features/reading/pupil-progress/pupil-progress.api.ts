import { readingCalls } from '#contract/calls/reading.ts';
import { apiQuery } from '../../../shared/api-query.ts';

/** A pupil's figures and latest sessions between two moments, both included. */
export const pupilSummaryQuery = (schoolId: number, pupilId: number, { start, end }: { start: string; end: string }) =>
  apiQuery(readingCalls.getPupilSummary, {
    params: { id: schoolId, readerId: pupilId },
    query: { start_time: start, end_time: end },
  });
