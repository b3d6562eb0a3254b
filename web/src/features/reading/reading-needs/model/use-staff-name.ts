import { fullName } from '../../../../shared/format.ts';
import { useSchool } from '../../../school/school/school.public.ts';
import type { StaffName } from './response-words.ts';

/** Names a member of staff by ID. */
export function useStaffName(): StaffName {
  const staff = useSchool()?.users ?? [];
  return (userId) => {
    const person = staff.find(({ id }) => id === userId);
    return person ? fullName(person) : 'a former member of staff';
  };
}
