import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import type { Class } from '#contract/calls/school.ts';
import { useNavigate } from '../../../../shared/router.ts';
import { paths } from '../../../../paths.ts';
import { fullName, listInWords } from '../../../../shared/format.ts';
import { CertificateDialog } from '../../../help/certificates/certificates.public.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { ActionMenu, MenuButton } from '../../../../ui/ActionMenu.tsx';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { lazyDialog } from '../../../../ui/lazy-dialog.tsx';
import { PageHeader } from '../../../../ui/PageHeader.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { type TeacherChange, useRenameClass } from '../classes.api.ts';
import { useCanChange, whoCanChange } from '../../school/school.public.ts';
import css from './ClassHeader.module.css';
import { DeleteClass } from './DeleteClass.tsx';

const ClassNameDialog = lazyDialog(async () => (await import('./ClassNameDialog.tsx')).ClassNameDialog);
const TeacherDialog = lazyDialog(async () => (await import('./TeacherDialog.tsx')).TeacherDialog);

/** The class's name and teacher, and what can be done with the class as a whole. */
export function ClassHeader({ classId, schoolClass }: { classId: number; schoolClass: Class | undefined }) {
  const navigate = useNavigate();
  const rename = useRenameClass(useSchoolId(), classId);
  const [open, setOpen] = useState<'name' | TeacherChange | 'certificate' | 'delete' | null>(null);
  // Keeps the name while the page navigates to the list, which no longer has the class.
  const [classToDelete, setClassToDelete] = useState<Class | null>(null);
  const change = open === 'change' || open === 'add' || open === 'remove' ? open : null;
  const close = () => setOpen(null);
  const canChange = useCanChange() && (schoolClass?.user_manages ?? false);
  const teachers = schoolClass?.teachers.length ?? 0;

  return (
    <>
      <PageHeader
        title={schoolClass?.name ?? 'Class'}
        crumbs={[{ text: 'Classes', to: paths.classes() }]}
        actions={
          schoolClass && (
            <>
              {canChange && (
                <ButtonLink to={paths.classBooks(classId)} variant="default">
                  Manage books
                </ButtonLink>
              )}
              <ActionMenu text="More" label={`More to do with ${schoolClass.name}`}>
                {canChange && <MenuButton onClick={() => setOpen('name')}>Edit name</MenuButton>}
                {canChange && teachers === 0 && (
                  <MenuButton onClick={() => setOpen('change')}>Assign teacher</MenuButton>
                )}
                {canChange && teachers > 0 && <MenuButton onClick={() => setOpen('add')}>Add teacher</MenuButton>}
                {canChange && teachers === 1 && (
                  <MenuButton onClick={() => setOpen('change')}>Change teacher</MenuButton>
                )}
                {canChange && teachers > 0 && <MenuButton onClick={() => setOpen('remove')}>Remove teacher</MenuButton>}
                <MenuButton onClick={() => setOpen('certificate')}>Certificate</MenuButton>
                {canChange && (
                  <MenuButton
                    onClick={() => {
                      setClassToDelete(schoolClass);
                      setOpen('delete');
                    }}
                  >
                    Delete class
                  </MenuButton>
                )}
              </ActionMenu>
            </>
          )
        }
      >
        {schoolClass?.name ?? '\u00a0'}
      </PageHeader>
      <div className={css.teacher}>
        {schoolClass && <ClassTeacher schoolClass={schoolClass} onAssign={() => setOpen('change')} />}
      </div>
      {schoolClass && (
        <>
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
          <TeacherDialog
            schoolClass={schoolClass}
            change={change ?? 'change'}
            isOpen={change !== null}
            onClose={close}
          />
          <CertificateDialog
            recipient={{ kind: 'class', id: classId, name: schoolClass.name, pupilCount: schoolClass.readers_count }}
            isOpen={open === 'certificate'}
            onClose={close}
          />
        </>
      )}
      <DeleteClass
        schoolClass={open === 'delete' ? classToDelete : null}
        onClose={close}
        onDeleted={() => void navigate(paths.classes())}
      />
    </>
  );
}

/** The teachers of the class. Tells a user who cannot change the class who can. */
function ClassTeacher({ schoolClass, onAssign }: { schoolClass: Class; onAssign: () => void }) {
  const { teachers, user_manages } = schoolClass;
  const canChange = useCanChange();
  const names = teachers.map(fullName);
  return (
    <section className={`row ${css.teachers}`} aria-label="Teacher">
      <p>
        {names.length > 1 ? 'Teachers: ' : 'Teacher: '}
        {names.length > 0 ? <strong>{listInWords(names)}</strong> : <span className="soft">none yet</span>}
      </p>
      {!user_manages && <p className="soft">Only {whoCanChange(schoolClass)} can change this class.</p>}
      {canChange && user_manages && names.length === 0 && <Button onClick={onAssign}>Assign Teacher</Button>}
    </section>
  );
}
