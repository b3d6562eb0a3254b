import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { downloadCalls } from '#contract/calls/downloads.ts';
import type { ClassWithPupils } from '#contract/calls/classes.ts';
import { paths } from '../../../paths.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchoolId } from '../../../shared/session.ts';
import { useUpdateSearchParams } from '../../../shared/use-update-search-params.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { DownloadMenu } from '../../../ui/DownloadMenu.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { SectionHead } from '../../../ui/SectionHead.tsx';
import { DisabledReasonButton } from '../../../ui/DisabledReasonButton.tsx';
import { useSelection } from '../../../ui/use-selection.ts';
import { useTableState } from '../../../ui/use-table-state.ts';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { ResetNotice, ResetPasswords, usePasswordReset } from '../../login-cards/login-cards.public.ts';
import { AddedNotice } from '../../pupil-import/pupil-import.public.ts';
import {
  CLASS_TABLE,
  ClassSummary,
  orderPupils,
  readingColumns,
  useClassReading,
} from '../../reading-needs/reading-needs.public.ts';
import { classPupilColumns, classPupilRowModel } from './ClassPupilColumns.tsx';
import { useRemoval } from '../model/use-removal.ts';

const MoveClassPupils = lazyDialog(async () => (await import('./MoveClassPupils.tsx')).MoveClassPupils);

const AddExistingDialog = lazyDialog(async () => (await import('./AddExistingDialog.tsx')).AddExistingDialog);

interface Props {
  classId: number;
  schoolClass: ClassWithPupils | undefined;
  /** The person sees how the pupils read. */
  seesReading: boolean;
}

/** The pupils of a class, with how they read: chosen ones or one at a time. */
export function ClassPupils({ classId, schoolClass, seesReading }: Props) {
  const schoolId = useSchoolId();
  const selection = useSelection();
  const reset = usePasswordReset(schoolId);
  const removal = useRemoval(schoolId, classId);
  const controls = useTableState(CLASS_TABLE);
  const its = useClassReading(classId, seesReading);
  const [query] = useSearchParams();
  const update = useUpdateSearchParams();
  const [open, setOpen] = useState<'reset' | 'move' | null>(null);
  const close = () => setOpen(null);
  // In the address, so that other pages can lead here: `?add=existing`.
  const isAdding = query.get('add') === 'existing';
  const setAdding = (isOn: boolean) => update({ add: isOn ? 'existing' : null }, { replace: !isOn });

  const pupils = schoolClass?.readers;
  const isOwn = schoolClass?.user_manages ?? false;
  // Somebody else may have moved a chosen pupil meanwhile.
  const chosen = pupils?.filter(({ id }) => selection.keys.has(id)) ?? [];
  const { remove, pendingId } = removal;
  const columns = useMemo(() => classPupilColumns(classId, its ? readingColumns(its) : []), [classId, its]);
  const rowModel = useMemo(() => classPupilRowModel(classId, isOwn), [classId, isOwn]);
  const { page, perPage, sort } = controls.tableState;
  const rows = pupils && its ? orderPupils(pupils, sort, its).slice((page - 1) * perPage, page * perPage) : pupils;

  return (
    <section aria-labelledby="class-pupils">
      <SectionHead
        id="class-pupils"
        title="Pupils"
        actions={
          (isOwn || !schoolClass) && (
            <>
              {its && (
                <DownloadMenu
                  label="Download the reading of the class"
                  path={downloadCalls.exportClassReading.path}
                  params={{ id: schoolId, groupId: classId }}
                  name="class-reading"
                />
              )}
              <Button variant="default" onClick={() => setAdding(true)}>
                Add existing pupils
              </Button>
              <ButtonLink to={paths.addPupilsToClass(classId)}>Add Pupils</ButtonLink>
            </>
          )
        }
      />
      <AddedNotice />
      {its && <ClassSummary classId={classId} its={its} sort={sort} />}
      <ResetNotice reset={reset} />
      {removal.error && <ErrorNotice error={removal.error.cause} lost={removal.error.lost} />}
      <DataTable
        label={`Pupils of ${schoolClass?.name ?? 'the class'}`}
        columns={columns}
        rows={rows}
        {...(its && { controls })}
        total={pupils?.length ?? 0}
        rowModel={rowModel}
        onRowAction={remove}
        pendingKey={pendingId}
        noun={['pupil', 'pupils']}
        {...(isOwn && { selection: { ...selection, keys: new Set(chosen.map(({ id }) => id)) } })}
        selectionActions={
          <>
            <DisabledReasonButton
              variant="default"
              side="above"
              disabledReason={reset.status === 'loading' ? 'Passwords are being reset just now.' : undefined}
              onClick={() => setOpen('reset')}
            >
              Reset Passwords
            </DisabledReasonButton>
            <Button variant="default" onClick={() => setOpen('move')}>
              Change Class
            </Button>
          </>
        }
        empty={
          <EmptyState
            title="No pupils in this class"
            action={isOwn && <ButtonLink to={paths.addPupilsToClass(classId)}>Add Pupils</ButtonLink>}
          >
            {isOwn
              ? 'Type or paste the names of new pupils, or put pupils of your school into the class.'
              : 'The class’s teacher or an administrator of your school can add them.'}
          </EmptyState>
        }
      />
      <ResetPasswords
        pupils={chosen}
        isOpen={open === 'reset'}
        onClose={close}
        reset={reset}
        onStarted={selection.clear}
      />
      {schoolClass && (
        <>
          <MoveClassPupils
            schoolClass={schoolClass}
            pupils={chosen}
            isOpen={open === 'move'}
            onClose={close}
            onMoved={selection.clear}
          />
          <AddExistingDialog schoolClass={schoolClass} isOpen={isAdding && isOwn} onClose={() => setAdding(false)} />
        </>
      )}
    </section>
  );
}
