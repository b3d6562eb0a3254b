import type { BodyOf } from '#contract/call.ts';
import type { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import type { School } from '#contract/calls/school.ts';
import { FACTOR_RUN_UP_DAYS } from '#contract/limits.ts';
import { addDays, dayIn } from '../../../clock.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { type UserSession } from '../../../auth/sessions.queries.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { lockUser, registerUser } from '../../accounts/access/access.public.ts';
import { saveContact } from '../../billing/invoices/invoices.public.ts';
import { insertSchool, insertStaff, joinUserSchool } from './registration.queries.ts';
import { insertTermsAcceptances } from './terms.queries.ts';
import { describeSchool } from './school.service.ts';

/** Creates a school, whose admins need a second factor once they have had time to add one. Returns its ID. */
const foundSchool = (
  db: PlatformDb,
  config: Config,
  school: Pick<Parameters<typeof insertSchool>[2], 'name' | 'urn' | 'terms_accepted_at'>,
  now: Date,
): Promise<number> =>
  insertSchool(
    db,
    config,
    { ...school, created_at: now, admins_factor_from: addDays(dayIn('Europe/London', now), FACTOR_RUN_UP_DAYS) },
    now,
  );

/**
 * Registers a school with its primary contact and its first admin. An address with an account is a unique violation,
 * unless accounts are hidden.
 */
export async function registerSchool(
  db: PlatformDb,
  { school: { type: _, ...school }, contact, user }: BodyOf<typeof schoolDetailsCalls.registerSchool>,
  passwordHash: string,
  now: Date,
  config: Config,
): Promise<School> {
  const hasAccepted = user.accept_eula === true && user.accepts_ts_and_cs === true;
  const schoolId = await foundSchool(db, config, { ...school, terms_accepted_at: hasAccepted ? now : null }, now);
  const userId = await registerUser(
    db,
    {
      firstName: user.first_name,
      lastName: user.last_name,
      email: user.email,
      userType: 'enterprise',
      passwordHash,
    },
    config,
    now,
  );
  await joinUserSchool(db, { id: userId, schoolIds: [] }, schoolId, now);
  return withSchool(db, schoolId, async (schoolDb) => {
    await insertStaff(schoolDb, userId, 'admin', now);
    if (hasAccepted) await insertTermsAcceptances(schoolDb, userId, now);
    await saveContact(schoolDb, contact);
    await recordChange(schoolDb, { userId, impersonatorId: null }, now, {
      action: 'school_founded',
      subjectKind: 'school',
      subjectId: schoolId,
      details: { terms_accepted: hasAccepted },
    });
    return describeSchool(schoolDb, { userId, role: 'admin', covers: [] }, now, config);
  });
}

/** Registers a school for a user without one. Throws `already_in_school` or `not_while_impersonating`. */
export async function createSchool(
  db: PlatformDb,
  me: UserSession,
  { type: _, ...school }: BodyOf<typeof schoolDetailsCalls.createSchool>,
  now: Date,
  config: Config,
): Promise<School> {
  if (me.impersonatorId !== null) throw new AppError('not_while_impersonating');
  const user = await lockUser(db, me.userId);
  if (user.schoolIds.length > 0) throw new AppError('already_in_school');
  const schoolId = await foundSchool(db, config, { ...school, terms_accepted_at: null }, now);
  await joinUserSchool(db, user, schoolId, now);
  return withSchool(db, schoolId, async (schoolDb) => {
    await insertStaff(schoolDb, user.id, 'admin', now);
    await recordChange(schoolDb, me, now, { action: 'school_founded', subjectKind: 'school', subjectId: schoolId });
    return describeSchool(schoolDb, { userId: user.id, role: 'admin', covers: [] }, now, config);
  });
}
