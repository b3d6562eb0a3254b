import type { BodyOf } from '#contract/call.ts';
import type { FactorPolicyReply, factorPolicyCalls } from '#contract/calls/factor-policy.ts';
import { FACTOR_RUN_UP_DAYS } from '#contract/limits.ts';
import { toSpecifiedRole } from '#contract/permissions.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { listUsersWithFactor } from '../../../auth/login-factors.queries.ts';
import { addDays, dayIn, formatLongDay } from '../../../clock.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { fieldError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { listStaff } from '../access/access.public.ts';
import { getFactorPolicy, setFactorPolicy } from './factor-policy.queries.ts';

type Choice = BodyOf<typeof factorPolicyCalls.updateFactorPolicy>;

/** Who needs a second factor in this school and from when, and which staff have none. */
export async function describeFactorPolicy(db: SchoolDb): Promise<FactorPolicyReply> {
  const staff = await listStaff(db);
  const ids = staff.map(({ id }) => id);
  const enrolled = await withPlatform(db, (platform) => listUsersWithFactor(platform, ids));
  const { admins_factor_from, teachers_factor_from } = await getFactorPolicy(db);
  return {
    policy: {
      required: teachers_factor_from !== null ? 'all' : admins_factor_from !== null ? 'admins' : 'optional',
      admins_from: admins_factor_from,
      teachers_from: teachers_factor_from,
    },
    without_factor: staff
      .filter(({ id }) => !enrolled.has(id))
      .map(({ id, first_name, last_name, role }) => ({
        id,
        first_name,
        last_name,
        enterprise_user_role: toSpecifiedRole(role),
        role,
      })),
  };
}

/** Throws a field error at `from` when staff would learn too late that they need a second factor. */
function assertRunUp(from: string | undefined, today: string): string {
  const earliest = addDays(today, FACTOR_RUN_UP_DAYS);
  const latest = addDays(today, 366);
  if (from === undefined) throw fieldError('from', 'Choose the day from which it is required.');
  if (from < earliest)
    throw fieldError('from', `Choose ${formatLongDay(earliest)} or later, so that your staff have time to prepare.`);
  if (from > latest) throw fieldError('from', 'Choose a day within the next year.');
  return from;
}

/** Changes who needs a second factor. A role that needs one already gets no later day. Throws a field error at `from`. */
export async function updateFactorPolicy(
  db: SchoolDb,
  me: StaffSession,
  { required, from }: Choice,
  now: Date,
): Promise<void> {
  await lockSchool(db);
  const before = await getFactorPolicy(db);
  const today = dayIn(before.time_zone, now);
  /** The day of a role: unchanged once it has come, or while `from` is the day that was announced. */
  const dayOf = (current: string | null) =>
    current !== null && (current <= today || current === from) ? current : assertRunUp(from, today);
  const teachers = required === 'all' ? dayOf(before.teachers_factor_from) : null;
  const announced = before.admins_factor_from;
  const keepsAdmins = required === 'all' && announced !== null && teachers !== null && announced <= teachers;
  const admins = required === 'optional' ? null : keepsAdmins ? announced : dayOf(announced);
  if (admins === before.admins_factor_from && teachers === before.teachers_factor_from) return;
  await setFactorPolicy(db, { admins, teachers });
  await recordChange(db, me, now, {
    action: 'login_factor_policy_changed',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { required, admins_from: admins, teachers_from: teachers },
  });
}
