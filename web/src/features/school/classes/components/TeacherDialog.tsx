import { NativeSelect } from '../../../../ui/Field.tsx';
import { z } from 'zod';
import type { Class } from '#contract/calls/school.ts';
import { can } from '../../../../shared/can.ts';
import { fullName } from '../../../../shared/format.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useSchool } from '../../school/school.public.ts';
import { type TeacherChange, useUpdateTeacher } from '../classes.api.ts';

interface Props {
  schoolClass: Class;
  change: TeacherChange;
  isOpen: boolean;
  onClose: () => void;
}

const TITLES = {
  change: (name: string) => `Teacher of ${name}`,
  add: (name: string) => `Add a teacher to ${name}`,
  remove: (name: string) => `Remove a teacher from ${name}`,
};
const ACTIONS = { change: 'Assign teacher', add: 'Add teacher', remove: 'Remove teacher' };

/** Adds, replaces or removes a teacher of the class. */
export const TeacherDialog = ({ isOpen, ...form }: Props) => (
  <Dialog isOpen={isOpen} onClose={form.onClose} title={TITLES[form.change](form.schoolClass.name)}>
    <TeacherForm {...form} />
  </Dialog>
);

const teacherForm = z.object({ teacher: z.string().min(1, 'Choose a teacher.') });

function TeacherForm({ schoolClass, change, onClose }: Omit<Props, 'isOpen'>) {
  const { teachers } = schoolClass;
  const user = useUser();
  const staff = useSchool()?.users ?? [];
  const update = useUpdateTeacher(useSchoolId(), schoolClass.id, change);
  const isOne = teachers.length === 1;
  const form = useSchemaForm({
    schema: teacherForm,
    initialValues: { teacher: isOne && change !== 'add' ? String(teachers[0]?.id) : '' },
  });
  const { teacher } = form.form.values;
  const offered =
    change === 'remove'
      ? teachers
      : staff.filter(({ id }) => change === 'change' || !teachers.some((current) => current.id === id));
  const save = form.onSubmit(async () => {
    const chosenTeacher = offered.find(({ id }) => String(id) === teacher);
    if (change !== 'change' || Number(teacher) !== schoolClass.manager_id) {
      await update.mutateAsync(Number(teacher));
      showToast(
        change === 'remove'
          ? 'The teacher has been removed from the class'
          : 'The teacher has been assigned to the class',
        { ...(chosenTeacher && { detail: fullName(chosenTeacher) }) },
      );
    }
    onClose();
  });
  // A teacher who hands over the class loses access to it.
  const isMine = !can(user, 'see_all_classes') && teachers.some(({ id }) => id === user.id);
  const losesRight =
    isMine &&
    teacher !== '' &&
    (change === 'remove' ? teacher === String(user.id) : change === 'change' && teacher !== String(user.id));

  return (
    <DialogForm form={form} onSubmit={save} onCancel={onClose} action={ACTIONS[change]}>
      {change === 'remove' && isOne ? (
        <p>{`${fullName(teachers[0]!)} is its only teacher. The class stays as it is, without a teacher.`}</p>
      ) : (
        <NativeSelect
          {...form.field('teacher')}
          label="Teacher"
          {...(change === 'add' && { description: 'With the same rights as the current teachers.' })}
          data-autofocus
          data={[
            { value: '', label: 'Choose a teacher', disabled: true },
            ...offered.map((person) => ({
              value: String(person.id),
              label: `${fullName(person)}${person.id === user.id ? ' (you)' : ''}`,
            })),
          ]}
        />
      )}
      {losesRight && <p>You will no longer be able to change this class or its pupils.</p>}
    </DialogForm>
  );
}
