import type { BodyInputOf } from '#contract/call.ts';
import { classReadingCalls } from '#contract/calls/class-reading.ts';
import { hardWordCalls } from '#contract/calls/hard-words.ts';
import { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { DayRange } from '../../../ui/date-range.ts';
import { callForPresent } from '../../../ui/present-pupils.ts';
import type { AccuracyScope } from './model/accuracy-scope.ts';
import { INITIAL_PUPILS_OF_SCHOOL } from './model/worst-first.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** The pupils of a school fetched after "Show all". Those of a class are fetched together. */
const MAX_PUPILS = 200;

const ofClass = (classId: number | undefined) => (classId === undefined ? {} : { group_id: classId });

/** The pupils of a class, or of all classes the user may see, who need help. */
export const needsQuery = (schoolId: number, classId: number | undefined, isAll = false) =>
  apiQuery(readingNeedsCalls.listReadingNeeds, {
    params: { id: schoolId },
    query: { ...ofClass(classId), per_page: isAll || classId !== undefined ? MAX_PUPILS : INITIAL_PUPILS_OF_SCHOOL },
  });

/** How the pupils of a class have read recently. */
export const classReadingQuery = (schoolId: number, classId: number) =>
  apiQuery(classReadingCalls.getClassReading, { params: { id: schoolId, groupId: classId } });

/** The parameters of a pupil's progress, and of its printed report. */
export const progressInput = (schoolId: number, pupilId: number, { from, to }: DayRange) => ({
  params: { id: schoolId, readerId: pupilId },
  query: { start_date: from, end_date: to },
});

/** A pupil's level, and the words that were hard for the pupil in some days. */
export const progressQuery = (schoolId: number, pupilId: number, range: DayRange) =>
  apiQuery(pupilProgressCalls.getPupilProgress, progressInput(schoolId, pupilId, range));

/** The parameters of the printed list. */
export const printInput = (schoolId: number, classId: number | undefined) => ({
  params: { id: schoolId },
  query: { ...ofClass(classId), output: 'pdf' },
});

const NEEDS_AFFECT = {
  awaits: [readingNeedsCalls.listReadingNeeds, readingNeedsCalls.listPupilNeeds],
  renews: [classReadingCalls.getClassReading],
};

/** Why a pupil needs help, and what staff did about it. */
export const pupilNeedsQuery = (id: number, pupilId: number) =>
  apiQuery(readingNeedsCalls.listPupilNeeds, { params: { id, readerId: pupilId } });

export const useRespondToNeed = (id: number, pupilId: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof readingNeedsCalls.respondToNeed>) =>
      call(readingNeedsCalls.respondToNeed, { params: { id, readerId: pupilId }, body }),
    NEEDS_AFFECT,
  );

export const useUndoResponse = (id: number, pupilId: number) =>
  useInvalidatingMutation(
    (responseId: number) => call(readingNeedsCalls.undoNeedResponse, { params: { id, readerId: pupilId, responseId } }),
    NEEDS_AFFECT,
  );

/** The parameters of a class's hard words. */
export const hardWordsInput = (schoolId: number, classId: number, { from, to }: DayRange) => ({
  params: { id: schoolId, groupId: classId },
  query: { start_date: from, end_date: to },
});

/** Words that several pupils of a class struggled with in some days. */
export const hardWordsQuery = (schoolId: number, classId: number, range: DayRange) =>
  apiQuery(hardWordCalls.listHardWords, hardWordsInput(schoolId, classId, range));

/** The parameters of the words of pupils in some days. */
export const pupilWordsInput = (schoolId: number, pupilIds: readonly number[], { from, to }: DayRange) => ({
  params: { id: schoolId },
  query: { reader_ids: pupilIds.join(','), start_date: from, end_date: to },
});

/** The words of those pupils who still exist. */
export const pupilWordsQuery = (
  schoolId: number,
  pupils: readonly { id: number; name: string }[],
  range: DayRange,
) => ({
  ...apiQuery(
    hardWordCalls.listPupilWords,
    pupilWordsInput(
      schoolId,
      pupils.map(({ id }) => id),
      range,
    ),
  ),
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { reply } = await callForPresent(pupils, (present) => {
      const ids = present.map(({ id }) => id);
      return call(hardWordCalls.listPupilWords, { ...pupilWordsInput(schoolId, ids, range), signal });
    });
    return reply;
  },
});

/** A pupil's accuracy in some days, with its sessions. */
export const accuracyQuery = (schoolId: number, pupilId: number, { from, to }: DayRange, scope: AccuracyScope) =>
  apiQuery(pupilProgressCalls.getPupilAccuracy, {
    params: { id: schoolId, readerId: pupilId },
    query: { start_date: from, end_date: to, ...(scope === 'all' ? {} : { level: String(scope) }) },
  });
