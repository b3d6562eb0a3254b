import type { OpenedInvite } from '#contract/calls/invites.ts';
import { hasClasses } from '#contract/permissions.ts';
import { recordChange, NO_ACTOR } from '../../../audit/audit-log.queries.ts';
import { findInviteLink, markOpened } from '../../../auth/one-time-tokens.queries.ts';
import { hashToken } from '../../../auth/tokens.ts';
import { dayIn, formatLongDay } from '../../../clock.ts';
import type { NamedSession, UserSession } from '../../../auth/sessions.queries.ts';
import { listConnections } from '../../accounts/sign-in-providers/sign-in-providers.public.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { claimInvites, lockUser, proveEmail } from '../../accounts/access/access.public.ts';
import { joinClasses } from '../classes/classes.public.ts';
import { getSchoolRow, insertStaff, joinUserSchool } from '../school/school.public.ts';
import { findInvite, setInviteDeclined, statusOf } from './invites.queries.ts';
import { assertStatus, getLockedInvite } from './invites.service.ts';
import { removeOwnProfiles } from './teachers.queries.ts';

/** Runs `work` in the school of an invite's link. Throws `invite_not_found` or `invite_replaced`. */
async function withInvitingSchool<T>(
  db: PlatformDb,
  token: string,
  work: (school: SchoolDb, inviteId: string, isMailed: boolean) => Promise<T>,
): Promise<T> {
  const link = await findInviteLink(db, token);
  if (!link) throw new AppError('invite_not_found');
  if (link.replacedAt)
    throw new AppError('invite_replaced', {
      text: `A newer invitation was sent on ${formatLongDay(dayIn('Europe/London', link.replacedAt))}. Use the link in that email.`,
    });
  return withSchool(db, link.schoolId, (school) => work(school, link.inviteId, link.isMailed));
}

/** An invite as the holder of its link sees it. Throws `invite_not_found` or `invite_replaced`. */
export async function openInvite(db: PlatformDb, token: string, now: Date): Promise<OpenedInvite> {
  const opened = await withInvitingSchool(db, token, async (school, inviteId) => {
    const invite = await findInvite(school, inviteId);
    if (!invite) throw new AppError('invite_not_found');
    const { name } = await getSchoolRow(school);
    const connections = await listConnections(school);
    return {
      id: token,
      status: statusOf(invite, now),
      email: invite.email,
      name: invite.name,
      created_at: invite.created_at.toISOString(),
      expires_at: invite.expires_at.toISOString(),
      enterprise: { name },
      role: invite.role,
      sign_in_providers: connections.map(({ provider }) => provider),
    };
  });
  await markOpened(db, hashToken(token), now);
  return opened;
}

/** The school, address and name of a pending invite. Throws `invite_not_found`, or the error of its state. */
export const getInvitation = (
  db: PlatformDb,
  token: string,
  now: Date,
): Promise<{ schoolId: number; email: string; name: string }> =>
  withInvitingSchool(db, token, async (school, inviteId) => {
    const invite = await getLockedInvite(school, inviteId);
    assertStatus(invite, now);
    return { schoolId: school.schoolId, email: invite.email, name: invite.name };
  });

/**
 * Adds an account to this school. A link that was sent to its address proves the address, and the accepting session goes
 * on. A standard account loses its own profiles except the demo. Throws `invite_for_another`, `already_on_staff` or
 * `too_many_schools`.
 */
async function joinSchool(
  db: PlatformDb,
  userId: number,
  { email_key: invitedKey }: { email_key: string },
  isMailed: boolean,
  schoolId: number,
  now: Date,
  session?: NamedSession | null,
): Promise<void> {
  const user = await lockUser(db, userId);
  if (user.email_key !== invitedKey) throw new AppError('invite_for_another');
  if (user.user_type === 'standard') await removeOwnProfiles(db, userId);
  if (isMailed) await proveEmail(db, user, now, session);
  await joinUserSchool(db, user, schoolId, now);
}

/**
 * Gives the user the invite's role and its classes, as a teacher or assistant after the existing ones. Returns the school.
 * Throws the error of the invite's or the account's state.
 */
export const acceptInvite = (
  db: PlatformDb,
  me: Pick<UserSession, 'userId' | 'impersonatorId'>,
  token: string,
  now: Date,
  session?: NamedSession | null,
): Promise<number> =>
  withInvitingSchool(db, token, async (school, inviteId, isMailed) => {
    const invite = await getLockedInvite(school, inviteId);
    assertStatus(invite, now);
    await claimInvites(school, me.userId, invite.email_key);
    await withPlatform(school, (platform) =>
      joinSchool(platform, me.userId, invite, isMailed, school.schoolId, now, session),
    );
    await insertStaff(school, me.userId, invite.role, now);
    const classIds = hasClasses(invite.role) ? invite.class_ids : [];
    const classes = await joinClasses(school, classIds, me.userId, now);
    await recordChange(school, me, now, {
      action: 'invite_accepted',
      subjectKind: 'invite',
      subjectId: invite.id,
      details: { user_id: me.userId, classes: classes.map(({ name }) => name) },
    });
    return school.schoolId;
  });

/** Declines an invite for the holder of its link. Throws `invite_not_found`, or the error of its state. */
export const declineInvite = (db: PlatformDb, token: string, now: Date): Promise<void> =>
  withInvitingSchool(db, token, async (school, inviteId) => {
    const invite = await getLockedInvite(school, inviteId);
    assertStatus(invite, now);
    await setInviteDeclined(school, invite.id);
    await recordChange(school, NO_ACTOR, now, {
      action: 'invite_declined',
      subjectKind: 'invite',
      subjectId: invite.id,
    });
  });
