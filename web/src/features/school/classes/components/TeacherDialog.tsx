import { NativeSelect } from '../../../../ui/Field.tsx';
import { z } from 'zod';
import type { Class, School } from '#contract/calls/school.ts';
import { hasClasses, isTeachingRole, roleScopes } from '#contract/permissions.ts';
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

interface Candidate {
  id: number;
  first_name: string;
  last_name: string;
  isAssistant: boolean;
}

const TITLES = {
  change: (name: string) => `Teacher of ${name}`,
  add: (name: string, who: string) => `Add a ${who} to ${name}`,
  remove: (name: string, who: string) => `Remove a ${who} from ${name}`,
};
const ACTIONS = { change: 'Assign', add: 'Add', remove: 'Remove' };
const DONE = {
  assigned: {
    teacher: 'The teacher has been assigned to the class',
    assistant: 'The teaching assistant has been assigned to the class',
  },
  removed: {
    teacher: 'The teacher has been removed from the class',
    assistant: 'The teaching assistant has been removed from the class',
  },
};

/** Adds, replaces or removes a teacher of the class, or adds or removes a teaching assistant. */
export function TeacherDialog({ isOpen, ...form }: Props) {
  const { schoolClass, change, onClose } = form;
  const candidates = listCandidates(useSchool()?.users ?? [], schoolClass, change);
  const who = candidates.some(({ isAssistant }) => isAssistant) ? 'teacher or assistant' : 'teacher';
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={TITLES[change](schoolClass.name, who)}>
      <TeacherForm {...form} candidates={candidates} />
    </Dialog>
  );
}

/** The staff with whom a change can be made. Only teachers can replace the first teacher. */
function listCandidates(
  staff: School['users'],
  { teachers, assistants }: Class,
  change: TeacherChange,
): readonly Candidate[] {
  if (change === 'remove')
    return [
      ...teachers.map((person) => ({ ...person, isAssistant: false })),
      ...assistants.map((person) => ({ ...person, isAssistant: true })),
    ];
  const current = new Set([...teachers, ...assistants].map(({ id }) => id));
  return staff
    .filter(({ id, role }) => (change === 'change' ? isTeachingRole(role) : hasClasses(role) && !current.has(id)))
    .map((person) => ({ ...person, isAssistant: !isTeachingRole(person.role) }));
}

const teacherForm = z.object({ teacher: z.string().min(1, 'Choose a teacher.') });

interface FormProps extends Omit<Props, 'isOpen'> {
  candidates: readonly Candidate[];
}

function TeacherForm({ schoolClass, change, candidates, onClose }: FormProps) {
  const { teachers, assistants } = schoolClass;
  const user = useUser();
  const update = useUpdateTeacher(useSchoolId(), schoolClass.id, change);
  const isOne = teachers.length === 1;
  const only = change === 'remove' && candidates.length === 1 ? candidates[0] : undefined;
  const initial = only ?? (isOne && change === 'change' ? teachers[0] : undefined);
  const form = useSchemaForm({
    schema: teacherForm,
    initialValues: { teacher: initial ? String(initial.id) : '' },
  });
  const { teacher } = form.form.values;
  const chosen = candidates.find(({ id }) => String(id) === teacher);
  const role = chosen?.isAssistant ? 'teaching assistant' : 'teacher';
  const save = form.onSubmit(async () => {
    if (change !== 'change' || Number(teacher) !== schoolClass.manager_id) {
      await update.mutateAsync(Number(teacher));
      const texts = DONE[change === 'remove' ? 'removed' : 'assigned'];
      showToast(chosen?.isAssistant ? texts.assistant : texts.teacher, chosen && { detail: fullName(chosen) });
    }
    onClose();
  });
  // A teacher who hands over the class loses access to it.
  const isMine =
    user.role !== null && roleScopes[user.role].changes === 'own' && teachers.some(({ id }) => id === user.id);
  const losesRight =
    isMine &&
    teacher !== '' &&
    (change === 'remove' ? teacher === String(user.id) : change === 'change' && teacher !== String(user.id));
  const hasAssistants = candidates.some(({ isAssistant }) => isAssistant);

  return (
    <DialogForm form={form} onSubmit={save} onCancel={onClose} action={`${ACTIONS[change]} ${role}`}>
      {only ? (
        <p>
          {only.isAssistant
            ? `${fullName(only)} is its only teaching assistant, and will no longer see the class.`
            : `${fullName(only)} is its only teacher. The class stays as it is, without a teacher.`}
        </p>
      ) : (
        <NativeSelect
          {...form.field('teacher')}
          label={hasAssistants ? 'Teacher or assistant' : 'Teacher'}
          {...(change === 'add' && {
            description: chosen?.isAssistant
              ? 'A teaching assistant sees the pupils of the class and how they read, and prints their logins. They change nothing else, and see no notes or tags.'
              : 'With the same rights as the current teachers.',
          })}
          data-autofocus
          data={[
            { value: '', label: hasAssistants ? 'Choose a person' : 'Choose a teacher', disabled: true },
            ...candidates.map((person) => ({
              value: String(person.id),
              label: `${fullName(person)}${person.isAssistant ? ' (teaching assistant)' : person.id === user.id ? ' (you)' : ''}`,
            })),
          ]}
        />
      )}
      {change === 'remove' && isOne && assistants.length > 0 && chosen && !chosen.isAssistant && (
        <p>{`${fullName(chosen)} is its only teacher. The class stays as it is, without a teacher.`}</p>
      )}
      {losesRight && <p>You will no longer be able to change this class or its pupils.</p>}
    </DialogForm>
  );
}
