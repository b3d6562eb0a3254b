import { Button } from '../../../ui/Button.tsx';
import { keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { PupilLogin } from '#contract/calls/pupils.ts';
import { paths } from '../../../paths.ts';
import { can, canRenewLogin, type Member } from '../../../shared/can.ts';
import { count } from '../../../shared/format.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { MenuButton } from '../../../ui/ActionMenu.tsx';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { type Column, DataTable, type RowModel } from '../../../ui/DataTable.tsx';
import { DisabledReasonButton } from '../../../ui/DisabledReasonButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { TableSearch } from '../../../ui/TableSearch.tsx';
import { useSelection } from '../../../ui/use-selection.ts';
import { useTableState } from '../../../ui/use-table-state.ts';
import { ResetPasswords } from '../login-cards/login-cards.public.ts';
import { useSchool } from '../school/school.public.ts';
import { DeletePupils } from './components/DeletePupils.tsx';
import { useSelectedPupils } from './model/use-selected-pupils.ts';
import { loginsTable, pupilLoginsQuery } from './pupils.api.ts';
import css from './PupilsPage.module.css';

const columns: Column<PupilLogin>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  { id: 'username', header: 'Username', cell: ({ username }) => username },
  { id: 'class', header: 'Class', cell: (pupil) => pupil.group?.name ?? 'No class' },
];

interface LoginsAction {
  kind: 'reset passwords' | 'delete';
  pupils: readonly PupilLogin[];
}

const rowModelFor = (user: Member, isAdmin: boolean): RowModel<PupilLogin, LoginsAction> => ({
  key: ({ id }) => id,
  name: ({ name }) => name,
  menu: (pupil, act) =>
    (canRenewLogin(user, pupil) || isAdmin) && (
      <>
        {canRenewLogin(user, pupil) && (
          <MenuButton
            label={`Reset password of ${pupil.name}`}
            onClick={() => act({ kind: 'reset passwords', pupils: [pupil] })}
          >
            Reset password
          </MenuButton>
        )}
        {isAdmin && (
          <MenuButton label={`Delete ${pupil.name}`} onClick={() => act({ kind: 'delete', pupils: [pupil] })}>
            Delete
          </MenuButton>
        )}
      </>
    ),
});

const NO_PUPILS: readonly PupilLogin[] = [];

/** Pupils' usernames and classes, to reset passwords and to delete pupils while the school's subscription is not active. */
export default function PupilLoginsPage() {
  const schoolId = useSchoolId();
  const user = useUser();
  const isAdmin = can(user, 'delete_pupil', useSchool());
  const rowModel = useMemo(() => rowModelFor(user, isAdmin), [user, isAdmin]);
  const controls = useTableState(loginsTable);
  const list = usePrefetchedQuery({
    ...pupilLoginsQuery(schoolId, controls.tableState),
    placeholderData: keepPreviousData,
  });
  const selection = useSelection();
  const { selectedPupils } = useSelectedPupils(selection, list.data?.readers);
  const [action, setAction] = useState<LoginsAction | null>(null);
  const pupilsFor = (kind: LoginsAction['kind']) => (action?.kind === kind ? action.pupils : NO_PUPILS);
  const forbiddenCount = selectedPupils.filter((pupil) => !canRenewLogin(user, pupil)).length;

  return (
    <>
      <PageHeader
        title="Pupils’ logins"
        lead={
          isAdmin
            ? 'Reset passwords, or delete pupils.'
            : can(user, 'manage_pupils')
              ? 'Reset the passwords of the pupils in your classes and of pupils without a class.'
              : 'Reset the passwords of the pupils in the classes you help in.'
        }
        actions={
          isAdmin && (
            <ButtonLink to={paths.archive()} variant="default">
              Archive
            </ButtonLink>
          )
        }
      />
      <div className={`tools ${css.tools} no-print`}>
        <div className={css.search}>
          <TableSearch label="Search by name or username" />
        </div>
      </div>
      <DataTable
        label="Pupils’ logins"
        columns={columns}
        rows={list.data?.readers}
        rowModel={rowModel}
        onRowAction={setAction}
        selection={selection}
        selectionActions={
          <>
            <DisabledReasonButton
              variant="default"
              side="above"
              disabledReason={
                forbiddenCount > 0
                  ? `${count(forbiddenCount, 'pupil is', 'pupils are')} in a class that you do not manage.`
                  : undefined
              }
              onClick={() => setAction({ kind: 'reset passwords', pupils: selectedPupils })}
            >
              Reset Passwords
            </DisabledReasonButton>
            {isAdmin && (
              <Button variant="default" onClick={() => setAction({ kind: 'delete', pupils: selectedPupils })}>
                Delete
              </Button>
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
      <ResetPasswords
        pupils={pupilsFor('reset passwords')}
        isOpen={action?.kind === 'reset passwords'}
        onClose={(hasReset) => {
          setAction(null);
          if (hasReset)
            selection.set(
              pupilsFor('reset passwords').map(({ id }) => id),
              false,
            );
        }}
      />
      <DeletePupils pupils={pupilsFor('delete')} onClose={() => setAction(null)} />
    </>
  );
}
