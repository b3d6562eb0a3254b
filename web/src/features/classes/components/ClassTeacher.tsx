import { useState } from 'react';
import type { Class } from '#contract/calls/school.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchoolId, useUser } from '../../../shared/use-session.ts';
import { Confirm } from '../../../ui/Confirm.tsx';
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useUpdateTeacher } from '../classes.api.ts';
import { AssignTeacherDialog } from './AssignTeacherDialog.tsx';
import css from './ClassTeacher.module.css';

/** Who is in charge of the class, and the way to change it. */
export function ClassTeacher({ group }: { group: Class }) {
  const user = useUser();
  const change = useUpdateTeacher(useSchoolId(), group.id);
  const [open, setOpen] = useState<'assign' | 'remove' | null>(null);
  const { manager } = group;
  const name = manager ? `${manager.first_name} ${manager.last_name}` : null;
  const reason = group.user_manages ? undefined : 'You do not manage this class.';
  // A teacher who gives the class away cannot take it back.
  const losesRight = user.enterprise_user_role !== 'admin' && manager?.id === user.id;

  return (
    <section className={css.teacher} aria-label="Teacher">
      <p>Teacher: {name ? <strong>{name}</strong> : <span className={css.none}>none yet</span>}</p>
      <div className={css.buttons}>
        <ReasonedButton
          variant={name ? 'default' : 'filled'}
          reason={reason}
          place="above"
          onClick={() => setOpen('assign')}
        >
          {name ? 'Change teacher' : 'Assign Teacher'}
        </ReasonedButton>
        {name && (
          <ReasonedButton variant="default" reason={reason} place="above" onClick={() => setOpen('remove')}>
            Remove teacher
          </ReasonedButton>
        )}
      </div>
      <AssignTeacherDialog
        group={group}
        isOpen={open === 'assign'}
        onClose={() => setOpen(null)}
        losesRight={losesRight}
      />
      <Confirm
        isOpen={open === 'remove'}
        onClose={() => setOpen(null)}
        title={`Remove ${name ?? 'the teacher'} from ${group.name}?`}
        action="Remove teacher"
        explain={(error) => <ErrorNotice error={error} />}
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
    </section>
  );
}
