import { NativeSelect } from '@mantine/core';
import type { Role } from '#contract/permissions.ts';
import { fullName, listInWords } from '../../../shared/format.ts';
import { useSchool } from '../../school/school.public.ts';
import css from './InvitePosition.module.css';

/** What the invited will be. */
export interface Position {
  role: Role;
  /** The id of a class, as text; empty for none. */
  classId: string;
}

interface Props {
  position: Position;
  onChange: (position: Position) => void;
  /** One person is invited: a class can be given. */
  isOne: boolean;
}

/** The role of the invited, and the class that one of them gets on the first day. */
export function InvitePosition({ position, onChange, isOne }: Props) {
  const classes = useSchool()?.groups ?? [];
  return (
    <div className={css.position}>
      <NativeSelect
        label="Role"
        value={position.role}
        onChange={(event) => onChange({ ...position, role: event.currentTarget.value as Role })}
        data={[
          { value: 'teacher', label: 'Teacher' },
          { value: 'admin', label: 'Admin, with all rights' },
        ]}
      />
      {isOne && classes.length > 0 && (
        <NativeSelect
          label="Class (optional)"
          inputWrapperOrder={['label', 'input', 'description']}
          description="They are a teacher of it once they accept, beside those who are there."
          value={position.classId}
          onChange={(event) => onChange({ ...position, classId: event.currentTarget.value })}
          data={[
            { value: '', label: 'No class yet' },
            ...classes.map(({ id, name, teachers }) => ({
              value: String(id),
              label: teachers.length > 0 ? `${name} (${listInWords(teachers.map(fullName))})` : name,
            })),
          ]}
        />
      )}
    </div>
  );
}
