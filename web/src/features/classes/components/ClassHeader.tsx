import { useState } from 'react';
import type { Class } from '#contract/calls/school.ts';
import { useNavigate } from 'react-router';
import { paths } from '../../../paths.ts';
import { useSchoolId } from '../../../shared/use-session.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useRenameClass } from '../classes.api.ts';
import css from './ClassHeader.module.css';
import { ClassNameDialog } from './ClassNameDialog.tsx';
import { ClassTeacher } from './ClassTeacher.tsx';
import { DeleteClass } from './DeleteClass.tsx';

/** The class's name and teacher, and what can be done with the class as a whole. */
export function ClassHeader({ classId, group }: { classId: number; group: Class | undefined }) {
  const navigate = useNavigate();
  const rename = useRenameClass(useSchoolId(), classId);
  const [open, setOpen] = useState<'name' | 'delete' | null>(null);
  // Kept while the page goes to the list, where the class is no longer.
  const [leaving, setLeaving] = useState<Class | null>(null);
  const close = () => setOpen(null);
  const reason = group && !group.user_manages ? 'You do not manage this class.' : undefined;

  return (
    <>
      <PageHeader
        title={group?.name ?? 'Class'}
        crumbs={[{ text: 'Classes', to: paths.classes() }]}
        actions={
          group && (
            <>
              <ReasonedButton variant="default" size="md" reason={reason} onClick={() => setOpen('name')}>
                Edit name
              </ReasonedButton>
              <ButtonLink to={paths.classBooks(classId)} variant="default" size="md">
                Manage books
              </ButtonLink>
              <ReasonedButton
                variant="default"
                size="md"
                c={reason ? undefined : 'var(--danger)'}
                reason={reason}
                onClick={() => {
                  setLeaving(group);
                  setOpen('delete');
                }}
              >
                Delete class
              </ReasonedButton>
            </>
          )
        }
      >
        {group?.name ?? '\u00a0'}
      </PageHeader>
      <div className={css.teacher}>{group && <ClassTeacher group={group} />}</div>
      {group && (
        <ClassNameDialog
          isOpen={open === 'name'}
          onClose={close}
          title="Edit class name"
          name={group.name}
          action="Save"
          onSave={async (name) => {
            await rename.mutateAsync({ name });
            showToast('Details saved');
          }}
        />
      )}
      <DeleteClass
        group={open === 'delete' ? leaving : null}
        onClose={close}
        onDeleted={() => void navigate(paths.classes())}
      />
    </>
  );
}
