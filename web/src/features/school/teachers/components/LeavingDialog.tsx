import type { Class } from '#contract/calls/school.ts';
import { useState } from 'react';
import { fullName, listInWords } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { NativeSelect } from '../../../../ui/Field.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { useAnnouncement } from '../../../../ui/use-announcement.ts';
import {
  type Choices,
  describeLeaving,
  describeLeftClasses,
  listClassesOf,
  listHandovers,
  listNewTeachers,
  toLeaverBody,
} from '../model/leaving.ts';
import { useRecordLeaver } from '../teachers.api.ts';
import type { StaffMember } from './StaffTable.tsx';

interface Props {
  /** Open while there is one. */
  member: StaffMember | null;
  staff: readonly StaffMember[];
  /** All classes of the school. */
  classes: readonly Class[];
  onClose: () => void;
}

/** The dialog with which a colleague leaves the school and hands over their classes. */
export const LeavingDialog = ({ member, ...props }: Props) =>
  member && <OpenLeavingDialog key={member.id} member={member} {...props} />;

function OpenLeavingDialog({ member, staff, classes, onClose }: Props & { member: StaffMember }) {
  const leave = useRecordLeaver(useSchoolId());
  const [choices, setChoices] = useState<Choices>({});
  const { taughtAlone, shared } = listClassesOf(member.id, classes);
  const newTeachers = listNewTeachers(member.id, staff);
  const handovers = listHandovers(choices, taughtAlone, newTeachers);
  const left = describeLeftClasses(taughtAlone.length - handovers.length);
  useAnnouncement(taughtAlone.length > 0 && (left ?? 'Each of their classes will have a teacher.'));
  const teacherOf = (classId: number) => handovers.find(({ schoolClass }) => schoolClass.id === classId)?.teacher.id;
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Delete ${fullName(member)}?`}
      action="Delete teacher"
      isDangerous
      lost="The teacher has not been deleted."
      onConfirm={async () => {
        await leave.mutateAsync({ userId: member.id, body: toLeaverBody(handovers) });
        showToast(DEFAULT_SUCCESS, { detail: describeLeaving(member, handovers) });
      }}
    >
      <div className="stack-l below-m">
        <p className="flat">They can no longer log in to your school. If they cover a class, that ends too.</p>
        <p className="flat">
          Notes that they wrote keep their name. Their account stays their own, so they can still log in to other
          schools where they work.
        </p>
        {taughtAlone.map(({ id, name }, index) => (
          <NativeSelect
            key={id}
            label={`New teacher of ${name}`}
            data-autofocus={index === 0 || undefined}
            value={String(teacherOf(id) ?? '')}
            onChange={({ currentTarget }) => setChoices({ ...choices, [id]: currentTarget.value })}
            data={[
              { value: '', label: 'No teacher for now' },
              ...newTeachers.map((person) => ({ value: String(person.id), label: fullName(person) })),
            ]}
          />
        ))}
        {shared.length > 0 && (
          <ul className="plain stack-s">
            {shared.map(({ id, name, others }) => (
              <li key={id}>
                <span className="strong block">{name}</span>
                <span className="soft">Also taught by {listInWords(others)}</span>
              </li>
            ))}
          </ul>
        )}
        {left && <p className="flat">{left}</p>}
      </div>
    </Confirm>
  );
}
