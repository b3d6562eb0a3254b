import { classReadingCalls } from '#contract/calls/class-reading.ts';
import { hardWordCalls } from '#contract/calls/hard-words.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { mondayOf } from '#contract/school-calendar.ts';
import { call } from '../../shared/api-client.ts';
import { apiQuery } from '../../shared/api-query.ts';
import type { DayRange } from '../../ui/date-range.ts';
import { momentsOf, today } from '../../shared/school-day.ts';
import { useInvalidatingMutation } from '../../shared/use-invalidating-mutation.ts';

/** Pupils of a school that are asked for first; all of them once somebody wants to see them. Of a class all at once. */
const FIRST = 10;
const MOST = 200;

const ofClass = (classId: number | undefined) => (classId === undefined ? {} : { group_id: classId });

/** Who of a class, or of all that the person sees, needs somebody. */
export const needsQuery = (schoolId: number, classId: number | undefined, isAll = false) =>
  apiQuery(readingNeedsCalls.listReadingNeeds, {
    params: { id: schoolId },
    query: { ...ofClass(classId), per_page: isAll || classId !== undefined ? MOST : FIRST },
  });

/** How the pupils of a class read of late. */
export const classReadingQuery = (schoolId: number, classId: number) =>
  apiQuery(classReadingCalls.getClassReading, { params: { id: schoolId, groupId: classId } });

/** The first pupils, by name, who have not read since Monday: of a class, or of a teacher's own. */
export function notReadThisWeekQuery(schoolId: number, classId: number | undefined) {
  const monday = mondayOf(today());
  return apiQuery(pupilCalls.listPupils, {
    params: { id: schoolId },
    query: {
      page: 1,
      per_page: FIRST,
      groups: String(classId ?? 'mine'),
      not_read_since: momentsOf({ from: monday, to: monday }).start,
      sort: { name: 'asc' },
    },
  });
}

/** What a pupil's progress, and the page on it, are asked for with. */
export const progressInput = (schoolId: number, pupilId: number, { from, to }: DayRange) => ({
  params: { id: schoolId, readerId: pupilId },
  query: { start_date: from, end_date: to },
});

/** A pupil's level, and the words that were hard for the pupil in some days. */
export const progressQuery = (schoolId: number, pupilId: number, range: DayRange) =>
  apiQuery(pupilProgressCalls.getPupilProgress, progressInput(schoolId, pupilId, range));

/** What the list to print is asked for with. */
export const printInput = (schoolId: number, classId: number | undefined) => ({
  params: { id: schoolId },
  query: { ...ofClass(classId), output: 'pdf' },
});

const NEEDS_AFFECT = {
  awaits: [readingNeedsCalls.listReadingNeeds],
  renews: [classReadingCalls.getClassReading],
};

export const useDismiss = (id: number, pupilId: number) =>
  useInvalidatingMutation(
    (body: { reason: string }) =>
      call(readingNeedsCalls.dismissReadingNeeds, { params: { id, readerId: pupilId }, body }),
    NEEDS_AFFECT,
  );

export const usePutBack = (id: number) =>
  useInvalidatingMutation(
    (pupilId: number) => call(readingNeedsCalls.restoreReadingNeeds, { params: { id, readerId: pupilId } }),
    NEEDS_AFFECT,
  );

/** What the hard words of a class are asked for with. */
export const hardWordsInput = (schoolId: number, classId: number, { from, to }: DayRange) => ({
  params: { id: schoolId, groupId: classId },
  query: { start_date: from, end_date: to },
});

/** Words that several pupils of a class struggled with in some days. */
export const hardWordsQuery = (schoolId: number, classId: number, range: DayRange) =>
  apiQuery(hardWordCalls.listHardWords, hardWordsInput(schoolId, classId, range));
