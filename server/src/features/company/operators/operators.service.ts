import type { SchoolState } from '#contract/calls/operators.ts';
import { toSpecifiedRole } from '#contract/permissions.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { listLinkedAccounts, removeLinkedAccounts } from '../../../auth/linked-accounts.queries.ts';
import { listFactors, removeFactors, replaceRecoveryCodes } from '../../../auth/login-factors.queries.ts';
import type { UserSession } from '../../../auth/sessions.queries.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { findSubscription, toSubscription } from '../../billing/subscriptions/subscriptions.public.ts';
import { getSchoolRow, updateSchoolRow } from '../../school/school/school.public.ts';
import { establishOwner, listStaff, lockUser } from '../../accounts/access/access.public.ts';
import { findPermission } from './support-access.queries.ts';
import { addOperator, countSchool, hasSchool, listOperatorsAmong } from './operators.queries.ts';

/** A factor or linked account that was removed, and when it was added. */
interface RemovedLogin {
  name: string;
  /** ISO 8601. */
  addedAt: string;
}

/**
 * Makes an account an operator's. Everything that was issued for it ends, and its factors and linked accounts are removed:
 * they were added before anyone trusted the account with every school. Returns those. Throws an Error for an unconfirmed
 * address, which anyone may have registered.
 */
export async function appointOperator(
  db: PlatformDb,
  account: { id: number; email_confirmed_at: Date | null },
  email: string,
  now: Date,
): Promise<RemovedLogin[]> {
  if (account.email_confirmed_at === null)
    throw new Error(
      `${email} is not confirmed, so the account may belong to someone else. Log in as ${email}, open the link in the confirmation email, and run this command again.`,
    );
  await lockUser(db, account.id);
  await addOperator(db, account.id, now);
  const removed: RemovedLogin[] = [
    ...(await listFactors(db, account.id)).map(({ name, created_at }) => ({ name, addedAt: created_at })),
    ...(await listLinkedAccounts(db, account.id)).map(({ provider, createdAt }) => ({
      name: `${provider} account`,
      addedAt: createdAt.toISOString(),
    })),
  ];
  await removeLinkedAccounts(db, account.id);
  await removeFactors(db, account.id);
  await replaceRecoveryCodes(db, account.id, []);
  await establishOwner(db, account.id, now);
  return removed;
}

/** A school as an operator sees it, which its audit log records. Throws `school_not_found`. */
export async function describeSchoolState(
  db: PlatformDb,
  me: UserSession,
  schoolId: number,
  now: Date,
): Promise<SchoolState> {
  if (!(await hasSchool(db, schoolId))) throw new AppError('school_not_found');
  const { school, subscription, permission, staff, counts } = await withSchool(db, schoolId, async (own) => {
    await recordChange(own, me, now, { action: 'school_viewed', subjectKind: 'school', subjectId: schoolId });
    return {
      school: await getSchoolRow(own),
      subscription: await findSubscription(own),
      permission: await findPermission(own, now),
      staff: await listStaff(own),
      counts: await countSchool(own, now),
    };
  });
  const operators = await listOperatorsAmong(
    db,
    staff.map((person) => person.id),
  );
  return {
    id: school.id,
    name: school.name,
    urn: school.urn,
    created_at: school.created_at.toISOString(),
    terms_accepted_at: school.terms_accepted_at?.toISOString() ?? null,
    new_statistics: school.new_statistics,
    support_allowed_until: permission?.expires_at.toISOString() ?? null,
    subscription: subscription ? toSubscription(subscription, now) : null,
    staff: staff.map(({ role, ...person }) => ({
      ...person,
      enterprise_user_role: toSpecifiedRole(role),
      role,
      is_operator: operators.has(person.id),
    })),
    counts,
  };
}

/** Turns the new statistics on or off for a school. Throws `school_not_found`. */
export async function updateFeatures(
  db: PlatformDb,
  me: UserSession,
  schoolId: number,
  newStatistics: boolean,
  now: Date,
): Promise<void> {
  if (!(await hasSchool(db, schoolId))) throw new AppError('school_not_found');
  await withSchool(db, schoolId, async (own) => {
    await updateSchoolRow(own, { new_statistics: newStatistics });
    await recordChange(own, me, now, {
      action: 'features_changed',
      subjectKind: 'school',
      subjectId: schoolId,
      details: { new_statistics: newStatistics },
    });
  });
}
