import { roleScopes } from '#contract/permissions.ts';
import type { StaffMember } from '../../../context.ts';

/** Whether a right of the caller applies to every pupil whom they can see, and not to those alone whom they can change. */
export const isEveryVisiblePupil = ({ role }: StaffMember, right: 'logins' | 'books'): boolean =>
  roleScopes[role][right] === roleScopes[role].pupils;
