import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import type { ArchivedPupil } from '#contract/calls/archive.ts';
import { paths } from '../../../../paths.ts';
import { isNotFound } from '../../../../shared/api-error.ts';
import { count, formatDate } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { MenuLink } from '../../../../ui/ActionMenu.tsx';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { type Column, DataTable, type RowModel } from '../../../../ui/DataTable.tsx';
import { EmptyState } from '../../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { SectionHead } from '../../../../ui/SectionHead.tsx';
import { callForPresent, reportMissing } from '../../../../ui/present-pupils.ts';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { useSelection } from '../../../../ui/use-selection.ts';
import { useCanChange, useIsTeachingOpen } from '../../school/school.public.ts';
import { useRestorePupils } from '../../pupils/archived-pupils.public.ts';
import { archiveQuery, useErasePupil } from '../archive.api.ts';

const columns: Column<ArchivedPupil>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  { id: 'class', header: 'Was in', cell: (pupil) => pupil.group?.name ?? 'No class' },
  { id: 'at', header: 'Deleted', cell: ({ archived_at }) => formatDate(archived_at) },
  { id: 'by', header: 'By', cell: ({ archived_by }) => archived_by?.name ?? '–' },
  { id: 'until', header: 'Erased on', cell: ({ erased_at }) => formatDate(erased_at) },
];

const ROW_MODEL: RowModel<ArchivedPupil> = {
  key: ({ id }) => id,
  name: ({ name }) => name,
  menu: ({ id, name }) => (
    <MenuLink to={paths.newSubjectRequest({ pupil: id })} label={`Data request about ${name}`}>
      Data request
    </MenuLink>
  ),
};

/** `Amara Nwachukwu` or `3 pupils`. */
const whoAre = (pupils: readonly ArchivedPupil[]): string =>
  pupils.length === 1 && pupils[0] ? pupils[0].name : count(pupils.length, 'pupil');

const haveBeen = (pupils: readonly ArchivedPupil[]): string =>
  `${whoAre(pupils)} ${pupils.length === 1 ? 'has' : 'have'} been`;

interface Props {
  /** The archive has no classes. */
  isAlone: boolean;
}

/** Pupils in the archive, who can be restored until its period ends. For administrators. */
export function ArchivedPupils({ isAlone }: Props) {
  const schoolId = useSchoolId();
  const isTeachingOpen = useIsTeachingOpen();
  const canChange = useCanChange();
  const list = usePrefetchedQuery(archiveQuery(schoolId));
  const restore = useRestorePupils(schoolId);
  const erase = useErasePupil(schoolId);
  const pupils = list.data?.readers;
  const selection = useSelection(pupils?.map(({ id }) => id));
  const [erased, setErased] = useState<readonly ArchivedPupil[]>([]);
  const selectedPupils = pupils?.filter(({ id }) => selection.keys.has(id)) ?? [];

  const restoreSelected = async () => {
    const { present } = await callForPresent(
      selectedPupils,
      (found) => restore.mutateAsync(found.map(({ id }) => id)),
      'the archive',
    );
    selection.clear();
    showToast(DEFAULT_SUCCESS, { detail: `${haveBeen(present)} restored` });
  };
  const eraseAll = async () => {
    const missing: ArchivedPupil[] = [];
    for (const pupil of erased)
      await erase.mutateAsync(pupil.id).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
        missing.push(pupil);
      });
    if (missing.length > 0) reportMissing(missing, 'the archive');
    const done = erased.filter((pupil) => !missing.includes(pupil));
    if (done.length > 0) showToast(DEFAULT_SUCCESS, { detail: `${haveBeen(done)} erased` });
  };

  return (
    <>
      {!isAlone && <SectionHead id="archived-pupils" title="Pupils" />}
      {restore.error && <ErrorNotice error={restore.error} />}
      <DataTable
        label="Pupils in the archive"
        columns={columns}
        rows={pupils}
        rowModel={ROW_MODEL}
        noun={['pupil', 'pupils']}
        {...(canChange && { selection })}
        selectionActions={
          <>
            {/* A failure is shown above the table. */}
            <Button loading={restore.isPending} onClick={() => void restoreSelected().catch(() => undefined)}>
              Restore
            </Button>
            <Button variant="default" color="brick" onClick={() => setErased(selectedPupils)}>
              Erase now
            </Button>
          </>
        }
        failure={list.error && !pupils && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={
          <EmptyState
            title={isAlone ? 'The archive is empty' : 'No deleted pupils'}
            action={
              <ButtonLink to={isTeachingOpen ? paths.pupils() : paths.pupilLogins()} variant="default">
                Go to all pupils
              </ButtonLink>
            }
          >
            Pupils and classes you delete stay here for up to 30 days, so you can restore them.
          </EmptyState>
        }
      />
      <Confirm
        isOpen={erased.length > 0}
        onClose={() => setErased([])}
        title={`Erase ${whoAre(erased)} now?`}
        action="Erase now"
        isDangerous
        lost={erased.length === 1 ? 'The pupil has not been erased.' : 'Not all of the pupils have been erased.'}
        onConfirm={eraseAll}
      >
        <p>
          We delete the name, login and reading history at once. You cannot undo this. The receipt is under School, Data
          and privacy.
        </p>
      </Confirm>
    </>
  );
}
