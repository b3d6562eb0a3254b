import { NativeSelect } from '../../../../ui/Field.tsx';
import type { Role } from '#contract/permissions.ts';
import { fullName, listInWords } from '../../../../shared/format.ts';
import { FieldPair } from '../../../../ui/Form.tsx';
import { useSchool } from '../../school/school.public.ts';

/** The role of the invited teachers. */
export interface Position {
  role: Role;
  /** ID of the class, as text; empty for none. */
  classId: string;
}

interface Props {
  position: Position;
  onChange: (position: Position) => void;
  /** A class can be chosen for a single invitation only. */
  isOne: boolean;
}

/** The role of the invited teachers, and the class of a single one. */
export function InvitePosition({ position, onChange, isOne }: Props) {
  const classes = useSchool()?.groups ?? [];
  return (
    <FieldPair>
      <NativeSelect
        label="Role"
        value={position.role}
        onChange={(event) => onChange({ ...position, role: event.currentTarget.value as Role })}
        data={[
          { value: 'teacher', label: 'Teacher' },
          { value: 'admin', label: 'Admin, with all permissions' },
        ]}
      />
      {isOne && classes.length > 0 && (
        <NativeSelect
          label="Class (optional)"
          isDescriptionBelow
          description="They join the class’s other teachers when they accept."
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
    </FieldPair>
  );
}
