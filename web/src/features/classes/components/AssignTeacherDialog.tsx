import { NativeSelect } from '@mantine/core';
import { z } from 'zod';
import type { Class } from '#contract/calls/school.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useSchool } from '../../school/school.public.ts';
import { useUpdateTeacher } from '../classes.api.ts';

interface Props {
  schoolClass: Class;
  isOpen: boolean;
  onClose: () => void;
  /** The person gives the class away by this. */
  losesRight: boolean;
}

/** Puts a member of staff in charge of the class. */
export function AssignTeacherDialog({ schoolClass, isOpen, onClose, losesRight }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Teacher of ${schoolClass.name}`}>
      <AssignForm schoolClass={schoolClass} onClose={onClose} losesRight={losesRight} />
    </Dialog>
  );
}

const teacherForm = z.object({ teacher: z.string().min(1, 'Choose a teacher.') });

function AssignForm({ schoolClass, onClose, losesRight }: Omit<Props, 'isOpen'>) {
  const me = useUser().id;
  const staff = useSchool()?.users ?? [];
  const assign = useUpdateTeacher(useSchoolId(), schoolClass.id);
  const form = useSchemaForm({
    schema: teacherForm,
    initialValues: { teacher: schoolClass.manager ? String(schoolClass.manager.id) : '' },
  });
  const { teacher } = form.form.values;
  const save = form.onSubmit(async () => {
    if (Number(teacher) !== schoolClass.manager_id) {
      await assign.mutateAsync(Number(teacher));
      const chosen = staff.find(({ id }) => String(id) === teacher);
      showToast('The teacher has been assigned to the class', {
        ...(chosen && { detail: `${chosen.first_name} ${chosen.last_name}` }),
      });
    }
    onClose();
  });

  return (
    <DialogForm form={form} onSubmit={save} onCancel={onClose} action="Assign teacher">
      <NativeSelect
        {...form.field('teacher')}
        label="Teacher"
        data-autofocus
        data={[
          { value: '', label: 'Choose a teacher', disabled: true },
          ...staff.map(({ id, first_name, last_name }) => ({
            value: String(id),
            label: `${first_name} ${last_name}${id === me ? ' (you)' : ''}`,
          })),
        ]}
      />
      {losesRight && teacher !== String(me) && <p>You will no longer be able to change this class or its pupils.</p>}
    </DialogForm>
  );
}
