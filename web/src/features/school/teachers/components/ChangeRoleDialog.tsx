import { staffRoleBody } from '#contract/calls/teachers.ts';
import type { Class } from '#contract/calls/school.ts';
import { ASSIGNABLE_ROLES, ROLE_TEXTS } from '#contract/permissions.ts';
import { fullName } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { RadioButtons } from '../../../../ui/Checkbox.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useAnnouncement } from '../../../../ui/use-announcement.ts';
import { describeRoleChange } from '../model/role-change.ts';
import { useSetStaffRole } from '../teachers.api.ts';
import type { StaffMember } from './StaffTable.tsx';

interface Props {
  /** Open while there is one. */
  member: StaffMember | null;
  /** All classes of the school. */
  classes: readonly Class[];
  onClose: () => void;
}

/** The dialog that gives a colleague another role. */
export const ChangeRoleDialog = ({ member, classes, onClose }: Props) => (
  <Dialog isOpen={member !== null} onClose={onClose} title={`Change the role of ${member ? fullName(member) : ''}`}>
    {member && <RoleForm member={member} classes={classes} onClose={onClose} />}
  </Dialog>
);

const ROLE_CHOICES = ASSIGNABLE_ROLES.map((value) => ({
  value,
  label: ROLE_TEXTS[value].name,
  description: ROLE_TEXTS[value].summary,
}));

function RoleForm({ member, classes, onClose }: Props & { member: StaffMember }) {
  const save = useSetStaffRole(useSchoolId());
  const form = useSchemaForm({
    schema: staffRoleBody,
    initialValues: { role: member.role },
    idPrefix: 'change-',
  });
  const { role } = form.form.values;
  const effect = role === member.role ? null : describeRoleChange(member, role, classes);
  useAnnouncement(effect, role);
  const submit = form.onSubmit(async (body) => {
    await save.mutateAsync({ userId: member.id, body });
    onClose();
    showToast('The role has been changed', { detail: `${fullName(member)}: ${ROLE_TEXTS[body.role].name}` });
  });
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      onCancel={onClose}
      action="Change role"
      disabledReason={role === member.role ? 'Choose another role.' : undefined}
    >
      <RadioButtons {...form.field('role')} label="Role" data={ROLE_CHOICES} />
      <p className="flat">{effect}</p>
    </DialogForm>
  );
}
