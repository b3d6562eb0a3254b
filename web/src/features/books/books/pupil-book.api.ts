import { readingCalls } from '#contract/calls/reading.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { parseId } from '../../../shared/parse-id.ts';

/** A book and a pupil's reading sessions of it. */
export const pupilBookQuery = (schoolId: number, pupilId: number, bookId: number) =>
  apiQuery(readingCalls.getPupilBook, { params: { id: schoolId, readerId: pupilId, bookId } });

export const pupilBookQueries: FirstQueries = ({ schoolId, params }) => {
  const pupilId = parseId(params.id);
  const bookId = parseId(params.bookId);
  return pupilId === undefined || bookId === undefined ? [] : [pupilBookQuery(schoolId, pupilId, bookId)];
};
