import type { BodyOf } from '#contract/call.ts';
import type { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import type { School } from '#contract/calls/school.ts';
import { FACTOR_RUN_UP_DAYS } from '#contract/limits.ts';
import { addDays, dayIn } from '../../../clock.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { moveUserSessions, type UserSession } from '../../../auth/sessions.queries.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { lockUser, registerUser } from '../../accounts/access/access.public.ts';
import { saveContact } from '../../billing/invoices/invoices.public.ts';
import { insertSchool, insertStaff, setUserSchool } from './registration.queries.ts';
import { insertTermsAcceptances } from './terms.queries.ts';
import { describeSchool } from './school.service.ts';

/** Admins of a new school need a second factor once they have had time to add one. */
const firstFactorDay = (now: Date): string => addDays(dayIn('Europe/London', now), FACTOR_RUN_UP_DAYS);

/**
 * Registers a school with its primary contact and its first admin. An address with an account is a unique violation,
 * unless accounts are hidden.
 */
export async function registerNewSchool(
  db: PlatformDb,
  { school: { type: _, ...school }, contact, user }: BodyOf<typeof schoolDetailsCalls.registerSchool>,
  passwordHash: string,
  now: Date,
  config: Config,
): Promise<School> {
  const hasAccepted = user.accept_eula === true && user.accepts_ts_and_cs === true;
  const schoolId = await insertSchool(
    db,
    config,
    {
      ...school,
      terms_accepted_at: hasAccepted ? now : null,
      created_at: now,
      admins_factor_from: firstFactorDay(now),
    },
    now,
  );
  const userId = await registerUser(
    db,
    {
      firstName: user.first_name,
      lastName: user.last_name,
      email: user.email,
      userType: 'enterprise',
      passwordHash,
      schoolId,
    },
    config,
    now,
  );
  return withSchool(db, schoolId, async (own) => {
    await insertStaff(own, userId, 'admin', now);
    if (hasAccepted) await insertTermsAcceptances(own, userId, now);
    await saveContact(own, contact);
    await recordChange(own, { userId, impersonatorId: null }, now, {
      action: 'school_founded',
      subjectKind: 'school',
      subjectId: schoolId,
      details: { terms_accepted: hasAccepted },
    });
    return describeSchool(own, { userId, role: 'admin' }, now, config);
  });
}

/** Registers a school for a user without one. Throws `already_in_school` or `not_while_impersonating`. */
export async function registerOwnSchool(
  db: PlatformDb,
  me: UserSession,
  { type: _, ...school }: BodyOf<typeof schoolDetailsCalls.createSchool>,
  now: Date,
  config: Config,
): Promise<School> {
  if (me.impersonatorId !== null) throw new AppError('not_while_impersonating');
  const user = await lockUser(db, me.userId);
  if (user.school_id !== null) throw new AppError('already_in_school');
  const schoolId = await insertSchool(
    db,
    config,
    {
      ...school,
      terms_accepted_at: null,
      created_at: now,
      admins_factor_from: firstFactorDay(now),
    },
    now,
  );
  await setUserSchool(db, user.id, schoolId);
  await moveUserSessions(db, user.id, schoolId);
  return withSchool(db, schoolId, async (own) => {
    await insertStaff(own, user.id, 'admin', now);
    await recordChange(own, me, now, { action: 'school_founded', subjectKind: 'school', subjectId: schoolId });
    return describeSchool(own, { userId: user.id, role: 'admin' }, now, config);
  });
}
