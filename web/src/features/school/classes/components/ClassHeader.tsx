import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import type { Class } from '#contract/calls/school.ts';
import { useNavigate } from '../../../../shared/router.ts';
import { hasClasses, isTeachingRole } from '#contract/permissions.ts';
import { formatYearGroups } from '#contract/year-group.ts';
import { paths } from '../../../../paths.ts';
import { can, canAssignBooks } from '../../../../shared/can.ts';
import { fullName, listInWords } from '../../../../shared/format.ts';
import { CertificateDialog } from '../../../help/certificates/certificates.public.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { ActionMenu, MenuButton } from '../../../../ui/ActionMenu.tsx';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { lazyDialog } from '../../../../ui/lazy-dialog.tsx';
import { PageHeader } from '../../../../ui/PageHeader.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { type TeacherChange, useRenameClass } from '../classes.api.ts';
import { CoverDialog } from '../../covers/covers.public.ts';
import { useCanChange, useSchool, whoCanChange } from '../../school/school.public.ts';
import css from './ClassHeader.module.css';
import { DeleteClass } from './DeleteClass.tsx';

const ClassNameDialog = lazyDialog(async () => (await import('./ClassNameDialog.tsx')).ClassNameDialog);
const TeacherDialog = lazyDialog(async () => (await import('./TeacherDialog.tsx')).TeacherDialog);

/** The class's name and teacher, and what can be done with the class as a whole. */
export function ClassHeader({ classId, schoolClass }: { classId: number; schoolClass: Class | undefined }) {
  const navigate = useNavigate();
  const rename = useRenameClass(useSchoolId(), classId);
  const [open, setOpen] = useState<'name' | TeacherChange | 'cover' | 'certificate' | 'delete' | null>(null);
  // Keeps the name while the page navigates to the list, which no longer has the class.
  const [classToDelete, setClassToDelete] = useState<Class | null>(null);
  const change = open === 'change' || open === 'add' || open === 'remove' ? open : null;
  const close = () => setOpen(null);
  const user = useUser();
  const isOpen = useCanChange();
  const canChange = isOpen && (schoolClass?.user_manages ?? false);
  const teachers = schoolClass?.teachers.length ?? 0;
  const assistants = schoolClass?.assistants.length ?? 0;
  const hasAssistants = useSchool()?.users.some(({ role }) => hasClasses(role) && !isTeachingRole(role)) ?? false;

  return (
    <>
      <PageHeader
        title={schoolClass?.name ?? 'Class'}
        crumbs={[{ text: 'Classes', to: paths.classes() }]}
        actions={
          schoolClass && (
            <>
              {isOpen && canAssignBooks(user, schoolClass.user_manages) && (
                <ButtonLink to={paths.classBooks(classId)} variant="default">
                  Manage books
                </ButtonLink>
              )}
              <ActionMenu text="More" label={`More to do with ${schoolClass.name}`}>
                {canChange && <MenuButton onClick={() => setOpen('name')}>Edit name</MenuButton>}
                {canChange && teachers === 0 && (
                  <MenuButton onClick={() => setOpen('change')}>Assign teacher</MenuButton>
                )}
                {canChange && (teachers > 0 || hasAssistants) && (
                  <MenuButton onClick={() => setOpen('add')}>
                    {hasAssistants ? 'Add teacher or assistant' : 'Add teacher'}
                  </MenuButton>
                )}
                {canChange && teachers === 1 && (
                  <MenuButton onClick={() => setOpen('change')}>Change teacher</MenuButton>
                )}
                {canChange && teachers + assistants > 0 && (
                  <MenuButton onClick={() => setOpen('remove')}>
                    {assistants > 0 ? 'Remove teacher or assistant' : 'Remove teacher'}
                  </MenuButton>
                )}
                {canChange && can(user, 'manage_classes') && (
                  <MenuButton onClick={() => setOpen('cover')}>Cover</MenuButton>
                )}
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
          <CoverDialog schoolClass={schoolClass} isOpen={open === 'cover'} onClose={close} />
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

/** The teachers and teaching assistants of the class. Names those who can change it to a user who cannot. */
function ClassTeacher({ schoolClass, onAssign }: { schoolClass: Class; onAssign: () => void }) {
  const { teachers, assistants, user_manages, year_groups } = schoolClass;
  const { id: userId } = useUser();
  const isHelping = assistants.some(({ id }) => id === userId);
  const canChange = useCanChange();
  const names = teachers.map(fullName);
  return (
    <section className={`row ${css.teachers}`} aria-label="Teacher">
      {year_groups.length > 0 && <p>{formatYearGroups(year_groups)}</p>}
      <p>
        {names.length > 1 ? 'Teachers: ' : 'Teacher: '}
        {names.length > 0 ? <strong>{listInWords(names)}</strong> : <span className="soft">none yet</span>}
      </p>
      {assistants.length > 0 && (
        <p>
          {assistants.length > 1 ? 'Teaching assistants: ' : 'Teaching assistant: '}
          <strong>{listInWords(assistants.map(fullName))}</strong>
        </p>
      )}
      {!user_manages && (
        <p className="soft">
          {isHelping && 'You help in this class. '}Only {whoCanChange(schoolClass)} can change{' '}
          {isHelping ? 'it' : 'this class'}.
        </p>
      )}
      {canChange && user_manages && names.length === 0 && <Button onClick={onAssign}>Assign Teacher</Button>}
    </section>
  );
}
