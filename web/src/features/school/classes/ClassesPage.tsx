import { Button } from '../../../ui/Button.tsx';
import { useState } from 'react';
import { downloadCalls } from '#contract/calls/downloads.ts';
import type { Class } from '#contract/calls/school.ts';
import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { DownloadMenu } from '../../../ui/DownloadMenu.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { NoClassYet } from '../succession/succession.public.ts';
import { schoolQuery, useCanChange } from '../school/school.public.ts';
import { useCreateClass } from './classes.api.ts';
import { ClassTable } from './components/ClassTable.tsx';
import { DeleteClass } from './components/DeleteClass.tsx';

const ClassNameDialog = lazyDialog(async () => (await import('./components/ClassNameDialog.tsx')).ClassNameDialog);

/** All classes of the school, or those in which a teaching assistant helps. */
export default function ClassesPage() {
  const schoolId = useSchoolId();
  const user = useUser();
  const school = usePrefetchedQuery(schoolQuery(schoolId));
  const create = useCreateClass(schoolId);
  const isAdmin = can(user, 'delete_pupil', school.data?.enterprise);
  const [isAdding, setAdding] = useState(false);
  const [classToDelete, setClassToDelete] = useState<Class | null>(null);
  const hasRight = can(user, 'manage_classes', school.data?.enterprise);
  const canChange = useCanChange() && hasRight;
  const add = canChange && <Button onClick={() => setAdding(true)}>Add Class</Button>;

  return (
    <>
      <PageHeader
        title="Classes"
        actions={
          <>
            <DownloadMenu
              label="Download the classes"
              path={downloadCalls.exportClasses.path}
              params={{ id: schoolId }}
              name="classes"
            />
            {hasRight && (
              <ButtonLink to={paths.archive()} variant="default">
                Archive
              </ButtonLink>
            )}
            {isAdmin && canChange && (
              <ButtonLink to={paths.yearEnd()} variant="default">
                Year end
              </ButtonLink>
            )}
            {add}
          </>
        }
      />
      <ClassTable
        classes={school.data?.enterprise.groups}
        onDelete={setClassToDelete}
        failure={
          school.error && !school.data && <ErrorNotice error={school.error} onRetry={() => void school.refetch()} />
        }
        empty={
          hasRight ? (
            <EmptyState title="No classes yet" action={add}>
              The classes of your school will be listed here, each with its teacher, its pupils and its books.
            </EmptyState>
          ) : (
            school.data && (
              <NoClassYet leadsToPupils school={school.data.enterprise}>
                Your classes will be listed here.
              </NoClassYet>
            )
          )
        }
      />
      <ClassNameDialog
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        title="Add Class"
        action="Add class"
        offersSelf={isAdmin}
        onSave={async (name, assignSelf) => {
          await create.mutateAsync({ name, ...(assignSelf && { assign_self: true }) });
          showToast('The class has been successfully created');
        }}
      />
      <DeleteClass schoolClass={classToDelete} onClose={() => setClassToDelete(null)} />
    </>
  );
}
