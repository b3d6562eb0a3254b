import type { User } from '#contract/calls/access.ts';

/** Whether the user is a supply teacher, who has no account: no address, no password and no settings. */
export const isSupplyTeacher = ({ role }: Pick<User, 'role'>): boolean => role === 'supply_teacher';
