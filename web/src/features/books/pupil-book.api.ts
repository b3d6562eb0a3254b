import { readingCalls } from '#contract/calls/reading.ts';
import { apiQuery } from '../../shared/api-query.ts';
import type { FirstQueries } from '../../shared/first-queries.ts';
import { parseId } from '../../shared/parse-id.ts';

/** A book with a pupil's sittings with it. */
export const pupilBookQuery = (schoolId: number, readerId: number, bookId: number) =>
  apiQuery(readingCalls.getPupilBook, { params: { id: schoolId, readerId, bookId } });

export const pupilBookQueries: FirstQueries = ({ schoolId, params }) => {
  const readerId = parseId(params.id);
  const bookId = parseId(params.bookId);
  return readerId === undefined || bookId === undefined ? [] : [pupilBookQuery(schoolId, readerId, bookId)];
};
