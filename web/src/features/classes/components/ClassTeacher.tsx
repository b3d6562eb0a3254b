import { Button } from '@mantine/core';
import type { Class } from '#contract/calls/school.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { Confirm } from '../../../ui/Confirm.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useUpdateTeacher } from '../classes.api.ts';
import { AssignTeacherDialog } from './AssignTeacherDialog.tsx';
import css from './ClassTeacher.module.css';

export const teacherOf = ({ manager }: Class): string | undefined =>
  manager ? `${manager.first_name} ${manager.last_name}` : undefined;

/** Who is in charge of the class; whoever may not change it is told who may. */
export function ClassTeacher({ schoolClass, onAssign }: { schoolClass: Class; onAssign: () => void }) {
  const name = teacherOf(schoolClass);
  return (
    <section className={css.teacher} aria-label="Teacher">
      <p>Teacher: {name ? <strong>{name}</strong> : <span className={css.none}>none yet</span>}</p>
      {!schoolClass.user_manages && (
        <p className={css.none}>Only {name ? `${name} or an admin` : 'an admin'} can change this class.</p>
      )}
      {schoolClass.user_manages && !name && <Button onClick={onAssign}>Assign Teacher</Button>}
    </section>
  );
}

interface DialogsProps {
  schoolClass: Class;
  open: 'assign' | 'remove' | null;
  onClose: () => void;
}

/** Give the class a teacher, and take one away. */
export function TeacherDialogs({ schoolClass, open, onClose }: DialogsProps) {
  const user = useUser();
  const change = useUpdateTeacher(useSchoolId(), schoolClass.id);
  const name = teacherOf(schoolClass);
  // A teacher who gives the class away cannot take it back.
  const losesRight = user.enterprise_user_role !== 'admin' && schoolClass.manager?.id === user.id;
  return (
    <>
      <AssignTeacherDialog
        schoolClass={schoolClass}
        isOpen={open === 'assign'}
        onClose={onClose}
        losesRight={losesRight}
      />
      <Confirm
        isOpen={open === 'remove'}
        onClose={onClose}
        title={`Remove ${name ?? 'the teacher'} from ${schoolClass.name}?`}
        action="Remove teacher"
        lost="The class still has its teacher."
        onConfirm={async () => {
          await change.mutateAsync(null);
          showToast('The teacher has been removed from the class');
        }}
      >
        <p>
          {losesRight
            ? 'You will no longer be able to change this class or its pupils.'
            : 'The class stays as it is, without a teacher.'}
        </p>
      </Confirm>
    </>
  );
}
