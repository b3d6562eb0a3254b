import type { QueryClient } from '@tanstack/react-query';
import { archiveCalls } from '#contract/calls/archive.ts';
import { chartCalls } from '#contract/calls/charts.ts';
import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { type Pupil, pupilCalls } from '#contract/calls/pupils.ts';
import type { BodyInputOf, ReplyOf } from '#contract/call.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { yearGroupCalls } from '#contract/calls/year-groups.ts';
import type { YearGroup } from '#contract/year-group.ts';
import { call } from '../../../shared/api-client.ts';
import { queryKeyOf, apiQuery } from '../../../shared/api-query.ts';
import { can } from '../../../shared/can.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { groupBy } from '../../../shared/group-by.ts';
import { parseId } from '../../../shared/parse-id.ts';
import { momentsOf } from '../../../shared/school-day.ts';
import { setOptimisticField, useOptimisticMutation } from '../../../shared/use-optimistic-mutation.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { callForPresent } from '../../../ui/present-pupils.ts';
import { visitRange } from '../../../ui/use-date-range.ts';
import { type TableDefaults, tableQuery, type TableState, visitTableState } from '../../../ui/table-url-state.ts';
import { readingLevelsQuery } from '../../books/reading-levels/level-queries.public.ts';
import { chartQuery, comparisonQuery, PUPIL_CHARTS } from '../../reading/dashboard/chart-queries.public.ts';
import {
  accuracyQuery,
  parseAccuracyScope,
  progressQuery,
  pupilNeedsQuery,
} from '../../reading/reading-needs/need-queries.public.ts';
import { pupilSummaryQuery } from '../../reading/pupil-progress/summary.public.ts';
import { runQuery } from '../../records/runs/run-queries.public.ts';
import { pupilTagsQuery, termDatesQuery } from '../school/school.public.ts';
import { pupilTable, runInUrl, toCallState } from './model/pupils-table.ts';
import { pupilNotesQuery } from './pupil-notes.api.ts';

/** A page of pupils. `callState` comes from `toCallState`. */
export const pupilsQuery = (schoolId: number, callState: TableState) =>
  apiQuery(pupilCalls.listPupils, { params: { id: schoolId }, query: tableQuery(callState) });

export const pupilsPageQueries: FirstQueries = ({ user, schoolId, query }) => {
  const tableState = visitTableState(query, pupilTable);
  const runId = runInUrl(tableState, user);
  return [
    pupilsQuery(schoolId, toCallState(tableState, user)),
    ...(can(user, 'view_details') ? [pupilTagsQuery(schoolId)] : []),
    ...(runId === undefined ? [] : [runQuery(schoolId, runId)]),
  ];
};

/** A page of pupils' usernames and classes, for resetting passwords. */
export const pupilLoginsQuery = (schoolId: number, { page, perPage, search }: TableState) =>
  apiQuery(pupilCalls.listPupilLogins, {
    params: { id: schoolId },
    query: { page, per_page: perPage, ...(search.trim() && { search: search.trim() }) },
  });

/** The list has one order. */
export const loginsTable: TableDefaults = { sorts: [] };

export const pupilLoginsPageQueries: FirstQueries = ({ schoolId, query }) => [
  pupilLoginsQuery(schoolId, visitTableState(query, loginsTable)),
];

/** One pupil. */
export const pupilQuery = (schoolId: number, pupilId: number) =>
  apiQuery(pupilCalls.getPupil, { params: { id: schoolId, readerId: pupilId } });

export const pupilPageQueries: FirstQueries = ({ user, schoolId, params, query }) => {
  const pupilId = parseId(params.id);
  if (pupilId === undefined) return [];
  const range = visitRange(query);
  const accuracyScope = parseAccuracyScope(query);
  return [
    ...(accuracyScope === undefined ? [] : [accuracyQuery(schoolId, pupilId, range, accuracyScope)]),
    pupilQuery(schoolId, pupilId),
    pupilSummaryQuery(schoolId, pupilId, momentsOf(range)),
    termDatesQuery(schoolId),
    readingLevelsQuery(schoolId),
    comparisonQuery({ pupilId, range }),
    progressQuery(schoolId, pupilId, range),
    // Rejected if the user may not read the details of this pupil. The page then shows no notes and reasons.
    ...(can(user, 'view_details')
      ? [pupilNotesQuery(schoolId, pupilId), pupilNeedsQuery(schoolId, pupilId), pupilTagsQuery(schoolId, pupilId)]
      : []),
    ...PUPIL_CHARTS.map(({ name }) => chartQuery(name, { pupilId, range })),
  ];
};

/** The pupil from a cached list, shown until the server replies. */
export function pupilFromLists(client: QueryClient, pupilId: number): ReplyOf<typeof pupilCalls.getPupil> | undefined {
  for (const [, page] of client.getQueriesData<ReplyOf<typeof pupilCalls.listPupils>>({
    queryKey: queryKeyOf(pupilCalls.listPupils),
  })) {
    const pupil = page?.readers.find(({ id }) => id === pupilId);
    if (pupil) return { reader: pupil };
  }
  return undefined;
}

const PUPIL_NAME = {
  get: ({ reader: pupil }: ReplyOf<typeof pupilCalls.getPupil>) => pupil.name,
  set: ({ reader: pupil }: ReplyOf<typeof pupilCalls.getPupil>, name: string) => ({ reader: { ...pupil, name } }),
};

/** Renames a pupil and sets the year group. The new name is shown at once, and rolled back if the server rejects it. */
export const useRenamePupil = (schoolId: number, pupilId: number) =>
  useOptimisticMutation({
    mutationKey: ['rename pupil', pupilId],
    mutationFn: (body: BodyInputOf<typeof pupilCalls.renamePupil>) =>
      call(pupilCalls.renamePupil, { params: { id: schoolId, readerId: pupilId }, body }),
    queryKey: pupilQuery(schoolId, pupilId).queryKey,
    apply: (client, { name }) => setOptimisticField(client, pupilQuery(schoolId, pupilId).queryKey, PUPIL_NAME, name),
    affected: { renews: [pupilCalls.listPupils, pupilCalls.getPupil, chartCalls.getChart] },
  });

/** The year group of a pupil is on their page, in lists, and among those of a class. */
const SHOWS_YEAR_GROUPS = { awaits: [pupilCalls.listPupils, classCalls.getClass, schoolCalls.getSchool] };

/** Sets the year group of several pupils; null removes it. */
export const useSetYearGroups = (id: number) =>
  useInvalidatingMutation(
    ({ pupils, yearGroup }: { pupils: readonly Pick<Pupil, 'id'>[]; yearGroup: YearGroup | null }) =>
      call(yearGroupCalls.setYearGroups, {
        params: { id },
        body: { reader_ids: pupils.map((pupil) => pupil.id), year_group: yearGroup },
      }),
    SHOWS_YEAR_GROUPS,
  );

/**
 * Gives pupils back their former year groups. Pupils who have left are skipped; if one year group fails, the others still
 * get theirs, and then it throws.
 */
export function useRestoreYearGroups(id: number) {
  const { mutateAsync: setYearGroups } = useSetYearGroups(id);
  return async (pupils: readonly Pupil[], former: ReadonlyMap<number, YearGroup | null>): Promise<void> => {
    const restored = [...groupBy(pupils, (pupil) => former.get(pupil.id) ?? null)].map(([yearGroup, members]) =>
      callForPresent(members, (present) => setYearGroups({ pupils: present, yearGroup })),
    );
    const failed = (await Promise.allSettled(restored)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  };
}

/** A pupil's class and name are shown on the list of pupils and on the page of a class. */
const SHOWN_IN_LISTS = { awaits: [pupilCalls.listPupils, classCalls.getClass] };

/** Moves pupils into a class, whichever classes they are in. For users who manage all of these. */
export const usePlacePupils = (id: number) =>
  useInvalidatingMutation(
    ({ pupils, classId }: { pupils: readonly number[]; classId: number }) =>
      call(pupilImportCalls.addPupilsToClass, {
        params: { id, groupId: classId },
        body: { readers: { existing: [...pupils], new: [] } },
      }),
    SHOWN_IN_LISTS,
  );

/** Moves pupils into a class from another, or from none. */
export const useMovePupils = (id: number) =>
  useInvalidatingMutation(
    ({ pupils, from, to }: { pupils: readonly number[]; from: number | null; to: number }) =>
      call(classMembershipCalls.movePupils, {
        params: { id, groupId: to },
        body: { reader_ids: [...pupils], source: from },
      }),
    SHOWN_IN_LISTS,
  );

/** Removes pupils from their classes. */
export const useUnplacePupils = (id: number) =>
  useInvalidatingMutation(
    (pupils: readonly number[]) =>
      call(classMembershipCalls.removePupilsFromClasses, { params: { id }, body: { reader_ids: [...pupils] } }),
    SHOWN_IN_LISTS,
  );

/** The pupils’ IDs by class; null for those without one. */
export const idsByClass = (pupils: readonly Pick<Pupil, 'id' | 'group'>[]): [number | null, number[]][] =>
  [...groupBy(pupils, (pupil) => pupil.group?.id ?? null)].map(([classId, members]) => [
    classId,
    members.map((pupil) => pupil.id),
  ]);

/**
 * Returns pupils from the class that they are in now, or from none, to those they were in. If one class fails, the others
 * still get theirs; then it throws.
 */
export function useReturnToClasses(id: number) {
  const { mutateAsync: movePupils } = useMovePupils(id);
  const { mutateAsync: unplace } = useUnplacePupils(id);
  return async (pupils: readonly Pupil[], from: number | null): Promise<void> => {
    const returns = idsByClass(pupils).map(([to, ids]) =>
      to === null ? unplace(ids) : movePupils({ pupils: ids, from, to }),
    );
    const failed = (await Promise.allSettled(returns)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  };
}

/** Moves pupils to the archive. For administrators. */
export const useArchivePupils = (id: number) =>
  useInvalidatingMutation(
    (pupils: readonly number[]) =>
      call(archiveCalls.archivePupils, { params: { id }, body: { reader_ids: [...pupils] } }),
    SHOWN_IN_LISTS,
  );

export const useRestorePupils = (id: number) =>
  useInvalidatingMutation(
    (pupils: readonly number[]) =>
      call(archiveCalls.restorePupils, { params: { id }, body: { reader_ids: [...pupils] } }),
    { awaits: [archiveCalls.listArchive, pupilCalls.listPupils] },
  );

const MAX_PER_PAGE = 200;

/** All pupils that match the search and the filters, fetched page by page. */
export async function loadAllPupils(schoolId: number, callState: TableState): Promise<Pupil[]> {
  const all: Pupil[] = [];
  for (let page = 1; ; page += 1) {
    const { queryFn: _, queryKey } = pupilsQuery(schoolId, { ...callState, page, perPage: MAX_PER_PAGE });
    const reply = await call(pupilCalls.listPupils, queryKey[1]);
    all.push(...reply.readers);
    if (reply.readers.length < MAX_PER_PAGE) return all;
  }
}
