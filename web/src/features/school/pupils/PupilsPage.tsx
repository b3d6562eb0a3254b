import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from '../../../ui/Link.tsx';
import type { PupilTag } from '#contract/calls/pupil-tags.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import type { Class } from '#contract/calls/school.ts';
import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { count } from '../../../shared/format.ts';
import { allClassesParams, ownClasses } from '../../../shared/own-classes.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { TableSearch } from '../../../ui/TableSearch.tsx';
import { useSelection } from '../../../ui/use-selection.ts';
import { useTableState } from '../../../ui/use-table-state.ts';
import { RecentCards, ResetPasswords } from '../login-cards/login-cards.public.ts';
import { AddedNotice } from '../../records/pupil-import/pupil-import.public.ts';
import { NoClassYet } from '../succession/succession.public.ts';
import { pupilTagsQuery, useCanChange, useSchool } from '../school/school.public.ts';
import { AddedByRun } from './components/AddedByRun.tsx';
import { ClassFilter } from './components/ClassFilter.tsx';
import { DownloadPupils } from './components/DownloadPupils.tsx';
import { PupilFilters } from './components/PupilFilters.tsx';
import { DeletePupils } from './components/DeletePupils.tsx';
import { type PupilAction, pupilColumns, pupilRowModel, readOnlyRowModel } from './components/PupilColumns.tsx';
import { SelectedPupils } from './components/SelectedPupils.tsx';
import { isOwnByDefault, pupilTable, runInUrl, startsWithOwn, toCallState, withTags } from './model/pupils-table.ts';
import { useSelectedPupils } from './model/use-selected-pupils.ts';
import { loadAllPupils, pupilsQuery } from './pupils.api.ts';
import css from './PupilsPage.module.css';

const NO_PUPILS: readonly Pupil[] = [];
const NO_TAGS: readonly PupilTag[] = [];
const NO_CLASSES: readonly Class[] = [];

/**
 * The school's pupils, a page at a time. A teacher sees their own classes first, an administrator all, and a teaching
 * assistant no others than those of their classes.
 */
export default function PupilsPage() {
  const user = useUser();
  const schoolId = useSchoolId();
  const school = useSchool();
  const controls = useTableState(pupilTable);
  const { tableState } = controls;
  const userClasses = startsWithOwn(user) ? ownClasses(user, school) : NO_CLASSES;
  const areOwn = isOwnByDefault(tableState.filters.groups, user) && userClasses.length > 0;
  const callState = toCallState(tableState, user);
  const list = usePrefetchedQuery({
    ...pupilsQuery(schoolId, callState),
    placeholderData: keepPreviousData,
  });
  const canSeeTags = can(user, 'view_details');
  const tags = useQuery({ ...pupilTagsQuery(schoolId), enabled: canSeeTags }).data?.tags ?? NO_TAGS;
  const pupils = list.data?.readers;
  const rows = useMemo(() => pupils && withTags(pupils, tags), [pupils, tags]);
  const isAdmin = can(user, 'delete_pupil', school);
  const canChange = useCanChange();
  const canAdd = canChange && can(user, 'manage_pupils', school);
  const rowModel = useMemo(
    () => (canChange ? pupilRowModel(user, isAdmin) : readOnlyRowModel),
    [canChange, user, isAdmin],
  );
  const add = canAdd && <ButtonLink to={paths.addPupilsToSchool()}>Add Pupils</ButtonLink>;
  const [action, setAction] = useState<PupilAction | null>(null);
  const closeDialog = () => setAction(null);

  const selection = useSelection();
  const { selectedPupils, remember } = useSelectedPupils(selection, list.data?.readers);
  const loadAllKeys = async () => {
    const matching = await loadAllPupils(schoolId, callState);
    remember(matching);
    return matching.map(({ id }) => id);
  };

  const meta = list.data?.meta;
  const isNarrowed = tableState.search !== '' || Object.values(callState.filters).some((value) => value !== 'mine');
  const everywhere = allClassesParams(userClasses);
  const runId = runInUrl(tableState, user);
  const all = <Link to={paths.pupils(everywhere)}>Show all pupils</Link>;

  return (
    <>
      <PageHeader
        title="Pupils"
        lead={
          runId !== undefined ? (
            <>
              <AddedByRun runId={runId} />
              {meta && `: ${count(meta.total_filtered, 'pupil')}`}. {all}
            </>
          ) : (
            areOwn && (
              <>
                {userClasses.length === 1
                  ? `The pupils of your class ${userClasses[0]?.name}.`
                  : `The pupils of your ${userClasses.length} classes.`}{' '}
                {all}
              </>
            )
          )
        }
        actions={
          <>
            <DownloadPupils callState={callState} hasTags={tags.length > 0} />
            {isAdmin && (
              <ButtonLink to={paths.archive()} variant="default">
                Archive
              </ButtonLink>
            )}
            {add}
          </>
        }
      />
      <AddedNotice />
      <RecentCards />
      <div className={`tools ${css.tools} no-print`}>
        <div className={css.search}>
          <TableSearch label="Search by name or username" />
        </div>
        <ClassFilter classes={school?.groups ?? NO_CLASSES} ownClassIds={userClasses.map(({ id }) => id)} />
        <PupilFilters controls={controls} tags={canSeeTags ? tags : undefined} />
      </div>
      <DataTable
        label="Pupils"
        columns={pupilColumns}
        rows={rows}
        rowModel={rowModel}
        onRowAction={setAction}
        selection={selection}
        loadAllKeys={loadAllKeys}
        selectionActions={<SelectedPupils pupils={selectedPupils} isAdmin={isAdmin} onDone={selection.clear} />}
        isStale={list.isPlaceholderData}
        controls={controls}
        total={meta?.total_filtered ?? 0}
        noun={['pupil', 'pupils']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={
          isNarrowed ? (
            <EmptyState
              title={
                tableState.search === ''
                  ? 'No pupils found with these filters.'
                  : 'No pupils found. Please check you have entered their name correctly.'
              }
              action={
                areOwn && tableState.search !== '' ? (
                  <ButtonLink to={paths.pupils({ ...everywhere, search: tableState.search })} variant="default">
                    Search all pupils
                  </ButtonLink>
                ) : (
                  <ButtonLink to={paths.pupils(everywhere)} variant="default">
                    Show all pupils
                  </ButtonLink>
                )
              }
            />
          ) : school?.groups.length === 0 && !can(user, 'manage_classes') ? (
            <NoClassYet school={school}>Its pupils will be listed here.</NoClassYet>
          ) : (
            <EmptyState
              title={areOwn || !can(user, 'manage_pupils') ? 'No pupils in your classes yet' : 'No pupils yet'}
              action={add}
            >
              The pupils of your {areOwn || !can(user, 'manage_pupils') ? 'classes' : 'school'} will be listed here,
              with their classes and when they last read.
            </EmptyState>
          )
        }
      />
      <ResetPasswords
        pupils={action?.kind === 'reset password' ? [action.pupil] : NO_PUPILS}
        isOpen={action?.kind === 'reset password'}
        onClose={closeDialog}
      />
      <DeletePupils pupils={action?.kind === 'delete' ? [action.pupil] : NO_PUPILS} onClose={closeDialog} />
    </>
  );
}
