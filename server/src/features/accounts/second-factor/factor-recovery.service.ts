import type { AuditAction, AuditDetails } from '#contract/audit-details.ts';
import type { FactorRecovery } from '#contract/calls/factor-recovery.ts';
import { NO_ACTOR, recordChange, type Actor } from '../../../audit/audit-log.queries.ts';
import { recordAccountChange } from '../../../audit/account-changes.ts';
import { listUserSchools } from '../../../auth/user-schools.queries.ts';
import { listFactors } from '../../../auth/login-factors.queries.ts';
import type { UserSession } from '../../../auth/sessions.queries.ts';
import {
  findOperatorName,
  findStaffAccounts,
  findStaffContact,
  findStaffUser,
  getColleague,
  lockUser,
  staffRows,
} from '../access/access.public.ts';
import { DAY_MS } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { sendMail } from '../../../mail/mail.ts';
import { getFactorPolicy } from './factor-policy.queries.ts';
import { factorsResetMail, recoveryAnnouncementMail } from './factor-recovery.mail.ts';
import {
  findRecovery,
  insertRecovery,
  removeRecovery,
  setRecoveryConfirmed,
  takeDueRecovery,
} from './factor-recovery.queries.ts';
import { clearFactors, removeEveryFactor } from './second-factor.service.ts';

/** How long after the confirmation the factors of a school's only admin are removed. */
const RECOVERY_DELAY_MS = DAY_MS;

const recordFor = <A extends AuditAction>(
  db: SchoolDb,
  actor: Actor,
  now: Date,
  action: A,
  userId: number,
  details: AuditDetails<A> = {},
) => recordChange(db, actor, now, { action, subjectKind: 'user', subjectId: userId, details });

/** Records a change in each school of the user. */
const recordAbout = async (
  db: PlatformDb,
  actor: Actor,
  now: Date,
  action: 'login_recovery_cancelled' | 'login_recovery_completed',
  userId: number,
): Promise<void> =>
  recordAccountChange(db, { schoolIds: await listUserSchools(db, userId) }, actor, now, {
    action,
    subjectKind: 'user',
    subjectId: userId,
  });

/** The locked account of someone whose factors may be removed. Throws `recovery_of_operator` or `no_factor`. */
async function lockOwner(db: PlatformDb, userId: number) {
  const user = await lockUser(db, userId);
  if ((await findOperatorName(db, userId)) !== undefined) throw new AppError('recovery_of_operator');
  if ((await listFactors(db, userId)).length === 0) throw new AppError('no_factor');
  return user;
}

/** Removes the factors of a colleague who has lost them. Throws also as `getColleague` does. */
export async function resetColleague(
  db: SchoolDb,
  me: StaffSession,
  userId: number,
  identityCheck: FactorRecovery['identity_check'],
  now: Date,
  config: Config,
): Promise<void> {
  await getColleague(db, me, userId);
  // At the other school the person may see more than this admin does.
  const { schoolIds } = await withPlatform(db, (platform) => lockUser(platform, userId));
  if (schoolIds.length > 1) throw new AppError('factors_of_several_schools');
  const admin = await findStaffContact(db, me.userId);
  if (!admin) throw new AppError('forbidden');
  const adminName = `${admin.first_name} ${admin.last_name}`;
  const owner = await withPlatform(db, async (platform) => {
    const user = await lockOwner(platform, userId);
    await removeRecovery(platform, userId);
    await clearFactors(platform, user, adminName, now, config);
    return user;
  });
  const reset = {
    recipient: admin.email,
    firstName: admin.first_name,
    person: `${owner.first_name} ${owner.last_name}`,
  };
  await sendMail(db, factorsResetMail(config.productName, reset), { users: [me.userId, userId] }, now);
  await recordFor(db, me, now, 'login_factors_reset', userId, { identity_check: identityCheck });
}

/**
 * Removes the factors of an operator who has lost them and the recovery codes, at the request of someone with access to
 * the server. Throws an Error that says who helps anyone else.
 */
export async function resetOperator(
  db: PlatformDb,
  { id, email }: { id: number; email: string },
  now: Date,
): Promise<void> {
  if ((await findOperatorName(db, id)) === undefined)
    throw new Error(`${email} is not an operator. An admin of their school can reset it, or two operators at /admin.`);
  await lockUser(db, id);
  if ((await listFactors(db, id)).length === 0) throw new Error(`${email} has no second factor.`);
  await removeEveryFactor(db, id, now);
}

/**
 * Asks to remove the factors of a school's only admin, or of someone who works at several schools, whom no colleague can
 * help. Throws `teacher_not_found`, `recovery_by_admin`, `recovery_of_operator`, `no_factor` or `recovery_pending`.
 */
export async function requestRecovery(
  db: PlatformDb,
  me: UserSession,
  { userId, identityCheck }: { userId: number; identityCheck: FactorRecovery['identity_check'] },
  now: Date,
): Promise<void> {
  if (!(await findStaffUser(db, userId))) throw new AppError('teacher_not_found');
  const { schoolIds } = await lockOwner(db, userId);
  for (const schoolId of schoolIds)
    await withSchool(db, schoolId, async (school) => {
      if (schoolIds.length === 1) {
        const admins = await staffRows(school).where('role', '=', 'admin').execute();
        if (admins.some(({ user_id }) => user_id !== userId)) throw new AppError('recovery_by_admin');
      }
      await recordFor(school, me, now, 'login_recovery_requested', userId, { identity_check: identityCheck });
    });
  if (!(await insertRecovery(db, { userId, operatorId: me.userId, identityCheck }, now)))
    throw new AppError('recovery_pending');
}

/** Tells all staff of a school with confirmed addresses when the factors of their admin are removed. */
async function announce(db: SchoolDb, userId: number, dueAt: Date, now: Date, config: Config): Promise<void> {
  const { time_zone: timeZone } = await getFactorPolicy(db);
  const staff = await staffRows(db).execute();
  const accounts = await findStaffAccounts(
    db,
    staff.map(({ user_id }) => user_id),
  );
  const owner = accounts.get(userId);
  for (const account of accounts.values())
    if (account.email_confirmed_at !== null)
      await sendMail(
        db,
        recoveryAnnouncementMail(config.productName, {
          recipient: account.email,
          firstName: account.first_name,
          person: owner ? `${owner.first_name} ${owner.last_name}` : '',
          isOwner: account.id === userId,
          dueAt,
          timeZone,
          link: `${config.publicUrl}/account/security`,
        }),
        { users: [account.id, userId] },
        now,
      );
}

/** Confirms the request of another operator. Throws `recovery_not_found` or `recovery_by_another`. */
export async function confirmRecovery(
  db: PlatformDb,
  me: UserSession,
  userId: number,
  now: Date,
  config: Config,
): Promise<void> {
  const request = await findRecovery(db, userId);
  const isValid = request && (await findOperatorName(db, request.requested_by)) !== undefined;
  if (!request || !isValid || !(await findStaffUser(db, userId))) throw new AppError('recovery_not_found');
  if (request.requested_by === me.userId) throw new AppError('recovery_by_another');
  const dueAt = new Date(now.getTime() + RECOVERY_DELAY_MS);
  if (!(await setRecoveryConfirmed(db, { userId, operatorId: me.userId, dueAt }, now)))
    throw new AppError('recovery_not_found');
  for (const schoolId of await listUserSchools(db, userId))
    await withSchool(db, schoolId, async (school) => {
      await recordFor(school, me, now, 'login_recovery_confirmed', userId);
      await announce(school, userId, dueAt, now, config);
    });
}

/** Cancels a request: an operator, or the person it is about. Throws `recovery_not_found`. */
export async function cancelRecovery(db: PlatformDb, actor: Actor, userId: number, now: Date): Promise<void> {
  if (!(await removeRecovery(db, userId))) throw new AppError('recovery_not_found');
  await recordAbout(db, actor, now, 'login_recovery_cancelled', userId);
}

/** Removes the factors of an account, when the time of its request has come and it was not cancelled. */
export async function completeRecovery(db: PlatformDb, userId: number, now: Date, config: Config): Promise<void> {
  if (!(await takeDueRecovery(db, userId, now))) return;
  const user = await lockUser(db, userId);
  await clearFactors(db, user, `${config.productName} support`, now, config);
  await recordAbout(db, NO_ACTOR, now, 'login_recovery_completed', userId);
}
