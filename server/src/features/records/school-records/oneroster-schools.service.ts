import type { SchoolOption } from './file-content.service.ts';
import { parseStatus, type Row } from './oneroster-values.service.ts';

/** A role of a user at a school. */
export interface RoleRecord {
  userId: string;
  org: string;
  role: 'student' | 'staff' | 'other';
  /** The role cannot be read, and could be any. */
  isRoleUnknown?: boolean;
  /** Null when it cannot be read. */
  period: 'ended' | 'current' | 'early' | null;
}

/** The schools that pupils are at, with the most pupils first. Trusts and local authorities do not count as schools. */
export function findSchools(
  roles: readonly RoleRecord[],
  { orgs, users }: { orgs: readonly Row[]; users: readonly Row[] },
): SchoolOption[] {
  const gone = new Set(users.filter(isGone).map(({ cells }) => cells.sourcedId));
  const pupils = new Map<string, Set<string>>();
  for (const { userId, org, role, period } of roles)
    if (role === 'student' && period === 'current' && org !== '' && !gone.has(userId))
      pupils.set(org, (pupils.get(org) ?? new Set()).add(userId));
  const stated = new Map(orgs.map(({ cells }) => [cells.sourcedId ?? '', cells]));
  const isSchool = (org: string) => (stated.get(org)?.type ?? 'school').trim().toLowerCase() === 'school';
  const ids = [...pupils.keys()];
  return (ids.some(isSchool) ? ids.filter(isSchool) : ids)
    .map((id) => ({ source_id: id, name: stated.get(id)?.name?.trim() || id, pupils: pupils.get(id)?.size ?? 0 }))
    .sort((a, b) => b.pupils - a.pupils || (a.source_id < b.source_id ? -1 : 1));
}

function isGone(user: Row): boolean {
  const status = parseStatus(user);
  return 'value' in status && status.value === 'tobedeleted';
}

/** Who is at the chosen school, or at the only one. */
export function selectSchool(roles: readonly RoleRecord[], schools: readonly SchoolOption[], chosen: string | null) {
  const others = new Set(schools.flatMap(({ source_id: id }) => (id === chosen ? [] : [id])));
  const students = new Map<string, { isGone: boolean }>();
  const staff = new Set<string>();
  const unclearStaff = new Set<string>();
  const unreadable = new Set<string>();
  const known = new Set<string>();
  const elsewhere = new Set<string>();
  const counts = { ended: new Set<string>(), early: new Set<string>() };
  for (const { userId, org, role, isRoleUnknown = false, period } of roles) {
    known.add(userId);
    if (chosen !== null && others.has(org)) {
      if (role === 'student') elsewhere.add(userId);
      continue;
    }
    if (role === 'student') {
      if (period === null) unreadable.add(userId);
      else students.set(userId, { isGone: period !== 'current' && (students.get(userId)?.isGone ?? true) });
      if (period === 'ended' || period === 'early') counts[period].add(userId);
    } else if (role === 'staff' && period === 'current') staff.add(userId);
    const isUnclear = period === null || period === 'early';
    if (isRoleUnknown || (role === 'staff' && isUnclear)) unclearStaff.add(userId);
  }
  const hasLeft = (id: string) => students.get(id)?.isGone === true;
  return {
    students,
    staff,
    /** Whether the user may be on the staff, although no role says so for today. */
    isUnclearStaff: (id: string) => (unclearStaff.has(id) || !known.has(id)) && !students.has(id),
    /** Whether the user may be a pupil, whose role cannot be read. */
    isUnreadable: (id: string) => unreadable.has(id) && students.get(id)?.isGone !== false,
    hasRole: (id: string) => known.has(id),
    /** Whether an enrolment at a school is for the other school of a pupil who is at both. */
    isElsewhere: (id: string, org: string) => elsewhere.has(id) && (others.has(org) || !students.has(id)),
    /** The pupils whose only roles have ended, or begin later. */
    ended: [...counts.ended].filter((id) => hasLeft(id) && !counts.early.has(id)).length,
    early: [...counts.early].filter(hasLeft).length,
  };
}
