import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ClassReading, PupilReading } from '#contract/calls/class-reading.ts';
import { compareText } from '../../../../shared/compare-text.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import type { TableDefaults, TableSort } from '../../../../ui/table-url-state.ts';
import { ACCURACY_FILTER } from './accuracy-filter.ts';
import { classReadingQuery, needsQuery } from '../reading-needs.api.ts';

/** How the pupils of a class read, and which of them need help most. */
export interface ReadingOfClass {
  reading: ClassReading;
  ofPupil: ReadonlyMap<number, PupilReading>;
  /** The index of last week in `weeks`, on the days that show it; -1 otherwise. */
  lastWeek: number;
  /** Each pupil's position on the list of pupils who need help; empty for a user who may not see it. */
  rankOf: ReadonlyMap<number, number>;
}

/**
 * The reading of a class; undefined until it has loaded, and for a user who may not see it.
 * @param hasNeeds whether the user may see who needs help
 */
export function useClassReading(classId: number, isSeen: boolean, hasNeeds: boolean): ReadingOfClass | undefined {
  const schoolId = useSchoolId();
  const reading = useQuery({ ...classReadingQuery(schoolId, classId), enabled: isSeen }).data?.reading;
  const needs = useQuery({ ...needsQuery(schoolId, classId), enabled: isSeen && hasNeeds }).data;
  return useMemo(
    () =>
      isSeen && reading && (needs || !hasNeeds)
        ? {
            reading,
            lastWeek: needs?.week.is_last_week ? reading.weeks.indexOf(needs.week.from) : -1,
            ofPupil: new Map(reading.readers.map((pupil) => [pupil.id, pupil])),
            rankOf: new Map(needs?.readers.map(({ id }, index) => [id, index])),
          }
        : undefined,
    [isSeen, hasNeeds, reading, needs],
  );
}

type Value = string | number | null;
const VALUES: Record<string, (pupil: ListedPupil, classReading: ReadingOfClass) => Value> = {
  need: ({ id }, { rankOf }) => rankOf.get(id) ?? null,
  name: ({ name }) => name,
  last_read: ({ id }, { ofPupil }) => ofPupil.get(id)?.last_read_on ?? '',
  week: ({ id }, { ofPupil }) => ofPupil.get(id)?.reading_time_this_week ?? 0,
  accuracy: ({ id }, { ofPupil }) => ofPupil.get(id)?.accuracy ?? null,
  level: ({ id }, { ofPupil }) => ofPupil.get(id)?.reading_level ?? null,
};

/** Sorted by need by default. */
export const CLASS_TABLE: TableDefaults = {
  sort: { field: 'need', direction: 'asc' },
  sortName: 'Who needs me first',
  sorts: Object.keys(VALUES),
  filters: [ACCURACY_FILTER],
};

/** For users who may not see who needs help: sorted by name. */
export const CLASS_TABLE_BY_NAME: TableDefaults = {
  sort: { field: 'name', direction: 'asc' },
  sorts: Object.keys(VALUES).filter((field) => field !== 'need'),
  filters: [ACCURACY_FILTER],
};

interface ListedPupil {
  id: number;
  name: string;
}

/** Sorts pupils, who are in order of name. Pupils without a value are last in both directions; a pupil who has never read has the earliest date. */
export function orderPupils<Pupil extends ListedPupil>(
  pupils: readonly Pupil[],
  sort: TableSort | null,
  classReading: ReadingOfClass,
): Pupil[] {
  const valueOf = VALUES[sort?.field ?? 'need'] ?? VALUES.need!;
  const sign = sort?.direction === 'desc' ? -1 : 1;
  return [...pupils].sort((a, b) => {
    const [first, second] = [valueOf(a, classReading), valueOf(b, classReading)];
    if (first === second) return 0;
    if (first === null) return 1;
    if (second === null) return -1;
    return sign * (typeof first === 'string' ? compareText(first, String(second)) : first - Number(second));
  });
}
