import { useState } from 'react';
import type { Class } from '#contract/calls/school.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { Confirm } from '../../../ui/Confirm.tsx';
import { DisabledReasonButton } from '../../../ui/DisabledReasonButton.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useUpdateTeacher } from '../classes.api.ts';
import { AssignTeacherDialog } from './AssignTeacherDialog.tsx';
import css from './ClassTeacher.module.css';

/** Who is in charge of the class, and the way to change it. */
export function ClassTeacher({ schoolClass }: { schoolClass: Class }) {
  const user = useUser();
  const change = useUpdateTeacher(useSchoolId(), schoolClass.id);
  const [open, setOpen] = useState<'assign' | 'remove' | null>(null);
  const { manager } = schoolClass;
  const name = manager ? `${manager.first_name} ${manager.last_name}` : null;
  const disabledReason = schoolClass.user_manages ? undefined : 'You do not manage this class.';
  // A teacher who gives the class away cannot take it back.
  const losesRight = user.enterprise_user_role !== 'admin' && manager?.id === user.id;

  return (
    <section className={css.teacher} aria-label="Teacher">
      <p>Teacher: {name ? <strong>{name}</strong> : <span className={css.none}>none yet</span>}</p>
      <div className={css.buttons}>
        <DisabledReasonButton
          size="sm"
          variant={name ? 'default' : 'filled'}
          disabledReason={disabledReason}
          side="above"
          onClick={() => setOpen('assign')}
        >
          {name ? 'Change teacher' : 'Assign Teacher'}
        </DisabledReasonButton>
        {name && (
          <DisabledReasonButton
            size="sm"
            variant="default"
            disabledReason={disabledReason}
            side="above"
            onClick={() => setOpen('remove')}
          >
            Remove teacher
          </DisabledReasonButton>
        )}
      </div>
      <AssignTeacherDialog
        schoolClass={schoolClass}
        isOpen={open === 'assign'}
        onClose={() => setOpen(null)}
        losesRight={losesRight}
      />
      <Confirm
        isOpen={open === 'remove'}
        onClose={() => setOpen(null)}
        title={`Remove ${name ?? 'the teacher'} from ${schoolClass.name}?`}
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
