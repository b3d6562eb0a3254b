import { useState } from 'react';
import type { Class } from '#contract/calls/school.ts';
import { useNavigate } from 'react-router';
import { paths } from '../../../paths.ts';
import { CertificateButton } from '../../help/help.public.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { DisabledReasonButton } from '../../../ui/DisabledReasonButton.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useRenameClass } from '../classes.api.ts';
import css from './ClassHeader.module.css';
import { ClassNameDialog } from './ClassNameDialog.tsx';
import { ClassTeacher } from './ClassTeacher.tsx';
import { DeleteClass } from './DeleteClass.tsx';

/** The class's name and teacher, and what can be done with the class as a whole. */
export function ClassHeader({ classId, schoolClass }: { classId: number; schoolClass: Class | undefined }) {
  const navigate = useNavigate();
  const rename = useRenameClass(useSchoolId(), classId);
  const [open, setOpen] = useState<'name' | 'delete' | null>(null);
  // Kept while the page goes to the list, where the class is no longer.
  const [classToDelete, setClassToDelete] = useState<Class | null>(null);
  const close = () => setOpen(null);
  const disabledReason = schoolClass && !schoolClass.user_manages ? 'You do not manage this class.' : undefined;

  return (
    <>
      <PageHeader
        title={schoolClass?.name ?? 'Class'}
        crumbs={[{ text: 'Classes', to: paths.classes() }]}
        actions={
          schoolClass && (
            <>
              <DisabledReasonButton variant="default" disabledReason={disabledReason} onClick={() => setOpen('name')}>
                Edit name
              </DisabledReasonButton>
              <CertificateButton
                whom={{ kind: 'class', id: classId, name: schoolClass.name, pupilCount: schoolClass.readers_count }}
              />
              <ButtonLink to={paths.classBooks(classId)} variant="default">
                Manage books
              </ButtonLink>
              <DisabledReasonButton
                variant="default"
                c={disabledReason ? undefined : 'var(--danger)'}
                disabledReason={disabledReason}
                onClick={() => {
                  setClassToDelete(schoolClass);
                  setOpen('delete');
                }}
              >
                Delete class
              </DisabledReasonButton>
            </>
          )
        }
      >
        {schoolClass?.name ?? '\u00a0'}
      </PageHeader>
      <div className={css.teacher}>{schoolClass && <ClassTeacher schoolClass={schoolClass} />}</div>
      {schoolClass && (
        <ClassNameDialog
          isOpen={open === 'name'}
          onClose={close}
          title="Edit class name"
          name={schoolClass.name}
          action="Save"
          onSave={async (name) => {
            await rename.mutateAsync({ name });
            showToast('Details saved');
          }}
        />
      )}
      <DeleteClass
        schoolClass={open === 'delete' ? classToDelete : null}
        onClose={close}
        onDeleted={() => void navigate(paths.classes())}
      />
    </>
  );
}
