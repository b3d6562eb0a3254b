import type { BodyOf } from '#contract/call.ts';
import type { operatorCalls } from '#contract/calls/operators.ts';
import {
  findOperatorName,
  findStaffName,
  findStaffUser,
  listAdmins,
  startSession,
} from '../../accounts/access/access.public.ts';
import { findNamedPeople, recordChange } from '../../../audit/audit-log.queries.ts';
import { consumeToken, createToken } from '../../../auth/one-time-tokens.queries.ts';
import type { Client } from '../../../auth/client.ts';
import { isOperatorSession, removeSession, type UserSession } from '../../../auth/sessions.queries.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { sendMail } from '../../../mail/mail.ts';
import { getSchoolRow } from '../../school/school/school.public.ts';
import { supportAccessMail } from './support-access.mail.ts';

/** How long a code is valid, and the session that it starts. */
const CODE_TTL_MS = 60_000;
const SESSION_TTL_MS = 3_600_000;

/**
 * Creates a code with which the operator logs in as a member of a school's staff. Throws `teacher_not_found`, or
 * `cannot_impersonate` for an operator.
 */
export async function prepareImpersonation(
  db: PlatformDb,
  me: UserSession,
  { user_id: userId, enterprise_id: schoolId, reason }: BodyOf<typeof operatorCalls.mintImpersonation>,
  now: Date,
): Promise<{ code: string; expires_at: string }> {
  const person = await findStaffUser(db, userId, schoolId);
  if (!person) throw new AppError('teacher_not_found');
  if (await findOperatorName(db, person.id)) throw new AppError('cannot_impersonate');
  const code = await createToken(
    db,
    {
      kind: 'impersonation',
      userId: person.id,
      schoolId: person.school_id,
      operatorId: me.userId,
      operatorSession: me.tokenHash,
      reason,
      lasts: CODE_TTL_MS,
    },
    now,
  );
  await withSchool(db, person.school_id, (school) =>
    recordChange(school, me, now, {
      action: 'impersonation_prepared',
      subjectKind: 'user',
      subjectId: person.id,
      details: { reason },
    }),
  );
  return { code, expires_at: new Date(now.getTime() + CODE_TTL_MS).toISOString() };
}

/** Tells the school's admins with confirmed addresses by email that support is logged in. */
async function announceSupportAccess(
  db: SchoolDb,
  access: { personId: number; operatorId: number; operator: string; reason: string },
  now: Date,
  productName: string,
): Promise<void> {
  const school = await getSchoolRow(db);
  const person = (await findStaffName(db, access.personId)) ?? '';
  const about = await findNamedPeople(db, access.reason);
  for (const { id, email, first_name, email_confirmed_at } of await listAdmins(db))
    if (email_confirmed_at !== null)
      await sendMail(
        db,
        supportAccessMail(productName, {
          recipient: email,
          firstName: first_name,
          school: school.name,
          person,
          operator: access.operator,
          reason: access.reason,
          startedAt: now,
          timeZone: school.time_zone,
        }),
        { users: [id, access.personId, access.operatorId, ...about.users], pupils: about.pupils },
        now,
      );
}

/**
 * Exchanges a code for a session as the user, and tells the school's admins. It replaces another session of the browser,
 * but not the operator's own, on which it depends. Throws `impersonation_code_expired`.
 */
export async function startImpersonation(
  db: PlatformDb,
  code: string,
  { session: earlier }: Client,
  now: Date,
  config: Config,
): ReturnType<typeof startSession> {
  const link = await consumeToken(db, 'impersonation', code, now);
  const person = link?.schoolId ? await findStaffUser(db, link.userId, link.schoolId) : undefined;
  // Within the minute the user may have left the school, or the operator the company or their session.
  if (!link || link.operatorId === null || link.operatorSession === null || !person)
    throw new AppError('impersonation_code_expired');
  const operator = await findOperatorName(db, link.operatorId);
  if (operator === undefined || !(await isOperatorSession(db, link.operatorSession, now)))
    throw new AppError('impersonation_code_expired');
  const session = {
    userId: person.id,
    schoolId: person.school_id,
    impersonatorId: link.operatorId,
    operatorSession: link.operatorSession,
    lasts: SESSION_TTL_MS,
  };
  const started = await startSession(db, session, now, config);
  if (earlier?.isCookie && !earlier.tokenHash.equals(link.operatorSession)) await removeSession(db, earlier.tokenHash);
  const actor = { userId: person.id, impersonatorId: link.operatorId };
  await withSchool(db, person.school_id, async (school) => {
    await recordChange(school, actor, now, {
      action: 'impersonation_started',
      subjectKind: 'user',
      subjectId: person.id,
      details: { reason: link.reason ?? '' },
    });
    await announceSupportAccess(
      school,
      { personId: person.id, operatorId: actor.impersonatorId, operator, reason: link.reason ?? '' },
      now,
      config.productName,
    );
  });
  return started;
}
