import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Pupil } from '#contract/calls/pupils.ts';
import type { Class } from '#contract/calls/school.ts';
import { paths } from '../../paths.ts';
import { can } from '../../shared/can.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useSchoolId, useUser } from '../../shared/session.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { TableSearch } from '../../ui/TableSearch.tsx';
import { useSelection } from '../../ui/use-selection.ts';
import { useTableState } from '../../ui/use-table-state.ts';
import { MakeLoginCards, RecentCards } from '../login-cards/login-cards.public.ts';
import { AddedNotice } from '../pupil-import/pupil-import.public.ts';
import { useSchool } from '../school/school.public.ts';
import { ClassFilter } from './components/ClassFilter.tsx';
import { DownloadPupils } from './components/DownloadPupils.tsx';
import { ReadingFilter } from './components/ReadingFilter.tsx';
import { DeletePupils } from './components/DeletePupils.tsx';
import { pupilColumns, pupilMenu } from './components/PupilColumns.tsx';
import { SelectedPupils } from './components/SelectedPupils.tsx';
import { classesInAddress, filtersInAddress, pupilTable } from './model/pupils-table.ts';
import { useChosenPupils } from './model/use-chosen-pupils.ts';
import { loadAllPupils, pupilsQuery } from './pupils.api.ts';
import css from './PupilsPage.module.css';

const NOBODY: readonly Pupil[] = [];
const NO_CLASSES: readonly Class[] = [];

/** All pupils of the school, a page at a time. */
export default function PupilsPage() {
  const user = useUser();
  const schoolId = useSchoolId();
  const school = useSchool();
  const controls = useTableState(pupilTable);
  const { tableState, setFilter } = controls;
  const classIds = classesInAddress(tableState.filters.groups);
  const list = useQuery({
    ...pupilsQuery(schoolId, tableState),
    placeholderData: keepPreviousData,
  });
  const isAdmin = can(user, 'delete_pupil', school);
  const [pupilToDelete, setPupilToDelete] = useState<Pupil | null>(null);
  const [pupilForCard, setPupilForCard] = useState<Pupil | null>(null);

  const selection = useSelection();
  const { chosen, remember } = useChosenPupils(selection, list.data?.readers);
  const loadAllKeys = async () => {
    const all = await loadAllPupils(schoolId, tableState);
    remember(all);
    return all.map(({ id }) => id);
  };

  const meta = list.data?.meta;
  const isNarrowed = tableState.search !== '' || Object.keys(filtersInAddress(tableState.filters)).length > 0;

  return (
    <>
      <PageHeader
        title="Pupils"
        actions={
          <>
            {isAdmin && (
              <ButtonLink to={paths.archive()} variant="default">
                Archive
              </ButtonLink>
            )}
            <ButtonLink to={paths.addPupilsToSchool()}>Add Pupils</ButtonLink>
          </>
        }
      />
      <AddedNotice />
      <RecentCards isHidden={pupilForCard !== null} />
      <div className={css.tools}>
        <div className={css.search}>
          <TableSearch label="Search by name or username" controls={controls} />
        </div>
        <ClassFilter
          classes={school?.groups ?? NO_CLASSES}
          chosen={classIds}
          onChange={(next) => setFilter('groups', next.join(','))}
        />
        <ReadingFilter controls={controls} />
        <DownloadPupils tableState={tableState} />
      </div>
      <DataTable
        label="Pupils"
        columns={pupilColumns}
        rows={list.data?.readers}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowMenu={(pupil) => pupilMenu({ pupil, isAdmin, onNewCard: setPupilForCard, onDelete: setPupilToDelete })}
        selection={selection}
        loadAllKeys={loadAllKeys}
        selectionActions={<SelectedPupils pupils={chosen} isAdmin={isAdmin} onDone={selection.clear} />}
        isStale={list.isPlaceholderData}
        controls={controls}
        total={meta?.total_filtered ?? 0}
        noun={['pupil', 'pupils']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={
          isNarrowed ? (
            <EmptyState
              title="No pupils found. Please check you have entered their name correctly."
              action={
                <ButtonLink to={paths.pupils()} variant="default">
                  Show all pupils
                </ButtonLink>
              }
            />
          ) : (
            <EmptyState
              title="No pupils yet"
              action={<ButtonLink to={paths.addPupilsToSchool()}>Add Pupils</ButtonLink>}
            >
              The pupils of your school will be listed here, with their classes and when they last read.
            </EmptyState>
          )
        }
      />
      <MakeLoginCards
        pupils={pupilForCard ? [pupilForCard] : NOBODY}
        isOpen={pupilForCard !== null}
        onClose={() => setPupilForCard(null)}
      />
      <DeletePupils pupils={pupilToDelete ? [pupilToDelete] : NOBODY} onClose={() => setPupilToDelete(null)} />
    </>
  );
}
