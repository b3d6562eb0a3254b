import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PupilLogin } from '#contract/calls/pupils.ts';
import { paths } from '../../paths.ts';
import { can } from '../../shared/can.ts';
import { count } from '../../shared/format.ts';
import { useSchoolId, useUser } from '../../shared/session.ts';
import { MenuButton } from '../../ui/ActionMenu.tsx';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DisabledReasonButton } from '../../ui/DisabledReasonButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { TableSearch } from '../../ui/TableSearch.tsx';
import { useSelection } from '../../ui/use-selection.ts';
import { useTableState } from '../../ui/use-table-state.ts';
import { MakeLoginCards } from '../login-cards/login-cards.public.ts';
import { useSchool } from '../school/school.public.ts';
import { DeletePupils } from './components/DeletePupils.tsx';
import { useChosenPupils } from './model/use-chosen-pupils.ts';
import { loginsTable, pupilLoginsQuery } from './pupils.api.ts';
import css from './PupilsPage.module.css';

const columns: Column<PupilLogin>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  { id: 'username', header: 'Username', cell: ({ username }) => username },
  { id: 'class', header: 'Class', cell: (pupil) => pupil.group?.name ?? 'No class' },
];

const NO_PUPILS: readonly PupilLogin[] = [];

/** Pupils' usernames and classes, to reset passwords and to delete pupils while the school's subscription is not active. */
export default function PupilLoginsPage() {
  const schoolId = useSchoolId();
  const isAdmin = can(useUser(), 'delete_pupil', useSchool());
  const controls = useTableState(loginsTable);
  const list = useQuery({ ...pupilLoginsQuery(schoolId, controls.tableState), placeholderData: keepPreviousData });
  const selection = useSelection();
  const { chosen } = useChosenPupils(selection, list.data?.readers);
  const [pupilsForCards, setPupilsForCards] = useState(NO_PUPILS);
  const [pupilsToDelete, setPupilsToDelete] = useState(NO_PUPILS);
  const foreignCount = chosen.filter(({ can_update }) => !can_update).length;

  return (
    <>
      <PageHeader
        title="Pupils’ logins"
        lead={
          isAdmin
            ? 'Make new login cards, or delete pupils.'
            : 'Make new login cards for the pupils in your classes and for pupils without a class.'
        }
        actions={
          isAdmin && (
            <ButtonLink to={paths.archive()} variant="default">
              Archive
            </ButtonLink>
          )
        }
      />
      <div className={css.tools}>
        <div className={css.search}>
          <TableSearch label="Search by name or username" controls={controls} />
        </div>
      </div>
      <DataTable
        label="Pupils’ logins"
        columns={columns}
        rows={list.data?.readers}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowMenu={(pupil) =>
          (pupil.can_update || isAdmin) && (
            <>
              {pupil.can_update && (
                <MenuButton label={`New login card for ${pupil.name}`} onClick={() => setPupilsForCards([pupil])}>
                  New login card
                </MenuButton>
              )}
              {isAdmin && (
                <MenuButton label={`Delete ${pupil.name}`} onClick={() => setPupilsToDelete([pupil])}>
                  Delete
                </MenuButton>
              )}
            </>
          )
        }
        selection={selection}
        selectionActions={
          <>
            <DisabledReasonButton
              variant="default"
              side="above"
              disabledReason={
                foreignCount > 0
                  ? `${count(foreignCount, 'pupil is', 'pupils are')} in a class that you do not manage.`
                  : undefined
              }
              onClick={() => setPupilsForCards(chosen)}
            >
              New login cards
            </DisabledReasonButton>
            {isAdmin && (
              <DisabledReasonButton variant="default" side="above" onClick={() => setPupilsToDelete(chosen)}>
                Delete
              </DisabledReasonButton>
            )}
          </>
        }
        isStale={list.isPlaceholderData}
        controls={controls}
        total={list.data?.meta.total_filtered ?? 0}
        noun={['pupil', 'pupils']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={
          <EmptyState
            title={
              controls.tableState.search === ''
                ? 'No pupils yet'
                : 'No pupils found. Please check you have entered their name correctly.'
            }
          />
        }
      />
      <MakeLoginCards
        pupils={pupilsForCards}
        isOpen={pupilsForCards.length > 0}
        onClose={() => {
          setPupilsForCards(NO_PUPILS);
          selection.clear();
        }}
      />
      <DeletePupils pupils={pupilsToDelete} onClose={() => setPupilsToDelete(NO_PUPILS)} onDeleted={selection.clear} />
    </>
  );
}
