import type { BodyInputOf } from '#contract/call.ts';
import { classReadingCalls } from '#contract/calls/class-reading.ts';
import { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { termDateCalls } from '#contract/calls/term-dates.ts';
import { calendarOf } from '#contract/school-calendar.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { today } from '../../../shared/school-day.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { type NamedDays, schoolRanges } from './model/school-ranges.ts';
import { useSchool } from './school.api.ts';

/** The half-terms of the academic years around this one. */
export const termDatesQuery = (id: number) => apiQuery(termDateCalls.listTermDates, { params: { id } });

/** The ranges that the user's school uses. None until its term dates have loaded, and without the new statistics. */
export function useSchoolRanges(): NamedDays[] {
  const school = useSchool();
  const hasStatistics = school?.features.includes('new_statistics') ?? false;
  const nation = school?.nation ?? null;
  const years = useQuery({ ...termDatesQuery(useSchoolId()), enabled: hasStatistics }).data?.years;
  return useMemo(() => {
    if (!hasStatistics || !years) return [];
    const given = years.map(({ academic_year, half_terms }) => [
      academic_year,
      half_terms.map(({ first_day, last_day }) => ({ from: first_day, to: last_day })),
    ]);
    return schoolRanges(
      calendarOf(
        Object.fromEntries(given),
        nation,
        years.flatMap(({ days_off }) => days_off),
      ),
      today(),
    );
  }, [hasStatistics, nation, years]);
}

/** The hours of a school day. */
export const schoolHoursQuery = (id: number) => apiQuery(termDateCalls.getSchoolHours, { params: { id } });

export const useSaveSchoolHours = (id: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof termDateCalls.updateSchoolHours>) =>
      call(termDateCalls.updateSchoolHours, { params: { id }, body }),
    {
      awaits: [termDateCalls.getSchoolHours],
      renews: [classReadingCalls.getClassReading, pupilProgressCalls.getPupilProgress, schoolCalls.listAuditLog],
    },
  );

// Comparisons and reading needs count school days.
const TERM_DATES_AFFECT = { awaits: [termDateCalls.listTermDates] };

export const useSaveTermDates = (id: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof termDateCalls.updateTermDates>) =>
      call(termDateCalls.updateTermDates, { params: { id }, body }),
    TERM_DATES_AFFECT,
  );

export const useRemoveTermDates = (id: number) =>
  useInvalidatingMutation(
    (academicYear: number) => call(termDateCalls.removeTermDates, { params: { id, academicYear } }),
    TERM_DATES_AFFECT,
  );

export const useSaveDaysOff = (id: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof termDateCalls.updateDaysOff>) =>
      call(termDateCalls.updateDaysOff, { params: { id }, body }),
    TERM_DATES_AFFECT,
  );
