import { Button } from '../../../../ui/Button.tsx';
import { useMemo } from 'react';
import { useSearchParams } from '../../../../shared/router.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import type { ClassWithPupils } from '#contract/calls/classes.ts';
import { paths } from '../../../../paths.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { useUpdateSearchParams } from '../../../../shared/use-update-search-params.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { DataTable } from '../../../../ui/DataTable.tsx';
import { DownloadMenu } from '../../../../ui/DownloadMenu.tsx';
import { EmptyState } from '../../../../ui/EmptyState.tsx';
import { SectionHead } from '../../../../ui/SectionHead.tsx';
import { useSelection } from '../../../../ui/use-selection.ts';
import { useTableState } from '../../../../ui/use-table-state.ts';
import { lazyDialog } from '../../../../ui/lazy-dialog.tsx';
import { can, canAssignBooks, canRenewLogin, coverOf } from '../../../../shared/can.ts';
import { RecentCards } from '../../login-cards/login-cards.public.ts';
import { SelectedPupils } from '../../pupils/selected-pupils.public.ts';
import { useCanChange, useSchool, WhileOpen } from '../../school/school.public.ts';
import { AddedNotice } from '../../../records/pupil-import/pupil-import.public.ts';
import {
  ACCURACY_FILTER,
  AccuracyFilter,
  CLASS_TABLE,
  CLASS_TABLE_BY_NAME,
  ClassSummary,
  filterByAccuracy,
  orderPupils,
  readAccuracyFilter,
  readingColumns,
  useClassReading,
} from '../../../reading/reading-needs/reading-needs.public.ts';
import { classPupilColumns, classPupilRowModel } from './ClassPupilColumns.tsx';
import { useRemoval } from '../model/use-removal.ts';

const AddExistingDialog = lazyDialog(async () => (await import('./AddExistingDialog.tsx')).AddExistingDialog);

interface Props {
  classId: number;
  schoolClass: ClassWithPupils | undefined;
  /** The user may see how the pupils read. */
  canSeeReading: boolean;
  /** The user may see who needs help. */
  canSeeNeeds: boolean;
}

/** The pupils of a class, with how they read and what can be done with them. */
export function ClassPupils({ classId, schoolClass, canSeeReading, canSeeNeeds }: Props) {
  const schoolId = useSchoolId();
  const pupils = schoolClass?.readers;
  const removal = useRemoval(schoolId, classId);
  const user = useUser();
  const controls = useTableState(canSeeNeeds ? CLASS_TABLE : CLASS_TABLE_BY_NAME);
  const { page, perPage, sort, filters } = controls.tableState;
  const classReading = useClassReading(classId, canSeeReading, canSeeNeeds);
  const accuracy = classReading && readAccuracyFilter(filters[ACCURACY_FILTER]);
  const listed = pupils && classReading ? filterByAccuracy(pupils, accuracy, classReading.ofPupil) : pupils;
  const selection = useSelection(listed?.map(({ id }) => id));
  const [query] = useSearchParams();
  const update = useUpdateSearchParams();
  const isAdmin = can(user, 'delete_pupil', useSchool());
  // In the URL, so that other pages can link to it: `?add=existing`.
  const isAdding = query.get('add') === 'existing';
  const setAdding = (isOn: boolean) => update({ add: isOn ? 'existing' : null }, { replace: !isOn });

  const hasRight = schoolClass?.user_manages ?? false;
  const isOpen = useCanChange();
  const canChange = isOpen && hasRight;
  const canAssign = isOpen && canAssignBooks(user, hasRight);
  const canEditPupils = isOpen && (hasRight || coverOf(user, classId) !== undefined);
  // Without a question, because it can be undone: by those who can place pupils without a class.
  const canRemove = canEditPupils && can(user, 'manage_pupils');
  const canAdd = schoolClass ? hasRight : can(user, 'manage_pupils');
  const canSelect =
    schoolClass &&
    (canAssignBooks(user, hasRight) || canRenewLogin(user, { can_update: hasRight, group: { id: classId } }));
  const selectedPupils = pupils?.filter(({ id }) => selection.keys.has(id)) ?? [];
  const { remove, pendingId } = removal;
  const columns = useMemo(
    () => classPupilColumns(classId, classReading ? readingColumns(classId, classReading) : []),
    [classId, classReading],
  );
  const rowModel = useMemo(
    () => classPupilRowModel(classId, { canRemove, canAssign }),
    [classId, canRemove, canAssign],
  );
  const rows =
    listed && classReading
      ? orderPupils(listed, sort, classReading).slice((page - 1) * perPage, page * perPage)
      : listed;

  return (
    <section aria-labelledby="class-pupils">
      <SectionHead
        id="class-pupils"
        title="Pupils"
        actions={
          (classReading || canAdd) && (
            <>
              {classReading && (
                <DownloadMenu
                  label="Download the reading of the class"
                  path={downloadCalls.exportClassReading.path}
                  params={{ id: schoolId, groupId: classId }}
                  name="class-reading"
                />
              )}
              {canAdd && (
                <WhileOpen>
                  <Button variant="default" onClick={() => setAdding(true)}>
                    Add existing pupils
                  </Button>
                  <ButtonLink to={paths.addPupilsToClass(classId)}>Add Pupils</ButtonLink>
                </WhileOpen>
              )}
            </>
          )
        }
      />
      <AddedNotice />
      {classReading && (
        <div className="row spread below-m">
          <div>
            <ClassSummary classId={classId} classReading={classReading} sort={sort} hasNeeds={canSeeNeeds} />
          </div>
          <AccuracyFilter controls={controls} />
        </div>
      )}
      <RecentCards pupilIds={pupils?.map(({ id }) => id) ?? []} />
      {removal.error && <ErrorNotice error={removal.error.cause} lost={removal.error.lost} />}
      <DataTable
        label={`Pupils of ${schoolClass?.name ?? 'the class'}`}
        columns={columns}
        rows={rows}
        {...(classReading && { controls })}
        total={listed?.length ?? 0}
        rowModel={rowModel}
        onRowAction={remove}
        pendingKey={pendingId}
        noun={['pupil', 'pupils']}
        {...(canSelect && { selection })}
        areActionsAlwaysShown={canEditPupils}
        selectionActions={
          schoolClass && (
            <SelectedPupils
              pupils={selectedPupils.map((pupil) => ({ ...pupil, group: { id: classId, name: schoolClass.name } }))}
              isAdmin={isAdmin}
              onDone={selection.clear}
            />
          )
        }
        empty={
          accuracy && pupils && pupils.length > 0 ? (
            <EmptyState
              title="No pupil matches"
              action={
                <Button variant="default" onClick={() => controls.setFilter(ACCURACY_FILTER, '')}>
                  Show all pupils
                </Button>
              }
            >
              Accuracy is that of the last six weeks, for pupils who read at least 100 words.
            </EmptyState>
          ) : (
            <EmptyState
              title="No pupils in this class"
              action={canChange && <ButtonLink to={paths.addPupilsToClass(classId)}>Add Pupils</ButtonLink>}
            >
              {hasRight
                ? 'Type or paste the names of new pupils, or put pupils of your school into the class.'
                : 'The class’s teacher or an administrator of your school can add them.'}
            </EmptyState>
          )
        }
      />
      {schoolClass && (
        <AddExistingDialog schoolClass={schoolClass} isOpen={isAdding && hasRight} onClose={() => setAdding(false)} />
      )}
    </section>
  );
}
