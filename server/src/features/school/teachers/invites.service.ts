import { randomUUID } from 'node:crypto';
import type { ReplyOf } from '#contract/call.ts';
import type { Invite, inviteCalls, Invited } from '#contract/calls/invites.ts';
import type { ErrorName } from '#contract/errors.ts';
import { email as emailField, hasNoAddress } from '#contract/fields.ts';
import { exceedsTeacher, hasClasses, type AssignableRole } from '#contract/permissions.ts';
import { hashToken } from '../../../auth/tokens.ts';
import type { Config } from '../../../config.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { assertProved } from '../../../http/authenticate.ts';
import { AppError, fieldError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { holdMail, sendMail } from '../../../mail/mail.ts';
import { LINK_TOKEN, type Mail } from '../../../mail/outbox.queries.ts';
import { emailKey, findStaffName, hasConfirmedEmail } from '../../accounts/access/access.public.ts';
import { listClasses } from '../classes/classes.public.ts';
import { getSchoolRow } from '../school/school.public.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { lockInviteAllowance } from './invite-limits.service.ts';
import { inviteMail } from './invites.mail.ts';
import {
  aboutInvite,
  getInvite,
  insertInvite,
  listEmailsElsewhere,
  listTakenEmails,
  lockInvite,
  lockInvites,
  removeInvites,
  renewInvite,
  type SentInvite,
  statusOf,
} from './invites.queries.ts';

export interface InviteRow {
  email: string;
  name: string;
  /** Instead of the role of all. */
  role?: AssignableRole | undefined;
  /** The classes that the person will teach. */
  classIds?: readonly number[];
  /** Why a list speaks against inviting the person. */
  doubt?: string | null;
}

/** The role and classes of the people in one request. */
interface Position {
  role: AssignableRole;
  classIds: readonly number[];
  /** Whether the inviter gets a second link for each invite. */
  withLinks: boolean;
}

const NAME_LIMIT = 100;

/** Why this row is invalid on its own; undefined for a valid one. */
function validateRow({ email, name }: InviteRow): string | undefined {
  const address = emailField.safeParse(email);
  if (!address.success) return address.error.issues[0]?.message;
  if (name.length > NAME_LIMIT) return `A name has at most ${NAME_LIMIT} characters.`;
  if (/\p{Cc}/u.test(name)) return 'A name is one line.';
  return hasNoAddress(name)
    ? undefined
    : 'A name cannot contain a web or email address. Put a space after each full stop.';
}

/** Invites the people in the rows by mail. Rows without an email are left out; invalid rows are returned with the reason. */
export async function inviteTeachers(
  db: SchoolDb,
  me: StaffSession,
  rows: readonly InviteRow[],
  { role, classIds, withLinks }: Position,
  config: Config,
  now: Date,
): Promise<Invited> {
  if (classIds.length > 0 && rows.filter(({ email }) => email !== '').length > 1)
    throw fieldError('group_ids', 'To assign classes, invite one person at a time.');
  await assertClassesExist(db, me, [...classIds, ...rows.flatMap((row) => row.classIds ?? [])]);
  const result: Invited = { sent: [], failed: [] };
  const allowance = await lockInviteAllowance(db, now);
  const takenEmails = await listTakenEmails(db, now);
  const elsewhere = config.hideAccounts ? new Set() : await listEmailsElsewhere(db, rows);
  const isConfirmed = await hasConfirmedEmail(db, me);
  const mailInvite = await makeMailer(db, me, isConfirmed, config);
  const seen = new Set<string>();
  const links: NonNullable<Invited['links']> = [];
  for (const { doubt, role: ownRole = role, classIds: ownClassIds = [], ...person } of rows) {
    const row = { email: person.email, name: person.name };
    if (row.email === '') continue;
    const key = emailKey(row.email);
    const error =
      validateRow(row) ??
      doubt ??
      (seen.has(key) ? 'This email is in the list twice.' : undefined) ??
      (takenEmails.staff.has(key) ? 'This person is a member of your school already.' : undefined) ??
      (takenEmails.pending.has(key) ? PENDING : undefined) ??
      allowance.take()?.text;
    seen.add(key);
    // Only its hash is stored; this reply is the only place that contains it.
    const copied = withLinks ? randomUUID() : undefined;
    const newInvite = {
      ...row,
      invitedBy: me.userId,
      role: ownRole,
      classIds: hasClasses(ownRole) ? [...new Set([...classIds, ...ownClassIds])] : [],
      ...(copied && { copiedHash: hashToken(copied) }),
    };
    const invite = error === undefined ? await insertInvite(db, newInvite, now) : undefined;
    if (!invite) {
      result.failed.push({ ...row, error: error ?? PENDING });
      continue;
    }
    await mailInvite({ ...row, role: ownRole }, invite, now);
    await recordChange(db, me, now, {
      action: 'teacher_invited',
      subjectKind: 'invite',
      subjectId: invite.id,
    });
    result.sent.push({ id: invite.id, ...row, is_held: !isConfirmed, works_elsewhere: elsewhere.has(key) });
    if (copied) links.push({ email: row.email, link: `${config.publicUrl}/invite/${copied}` });
  }
  return withLinks ? { ...result, links } : result;
}

/** Throws `class_not_found` unless the school has each class. */
async function assertClassesExist(db: SchoolDb, me: StaffSession, classIds: readonly number[]): Promise<void> {
  if (classIds.length === 0) return;
  const known = new Set((await listClasses(db, me)).map(({ id }) => id));
  if (classIds.some((id) => !known.has(id))) throw new AppError('class_not_found');
}

const PENDING = 'This person has an invitation already. Resend it from the list of invitations.';

/**
 * Sends invites' mails in the name of this user and their school, and holds them until the user's own address is
 * confirmed.
 */
async function makeMailer(db: SchoolDb, me: StaffSession, isConfirmed: boolean, config: Config) {
  const { name: school } = await getSchoolRow(db);
  const inviter = (await findStaffName(db, me.userId)) ?? school;
  return (
    row: Pick<Invite, 'email' | 'name' | 'role'>,
    { id, expiresAt, issue }: SentInvite,
    now: Date,
  ): Promise<void> => {
    // Links never start with a host name from the request.
    const link = `${config.publicUrl}/invite/${LINK_TOKEN}`;
    const mail: Mail = {
      ...inviteMail(config.productName, { ...row, school, inviter, link, expiresAt }),
      link: { kind: 'invite', inviteId: id, issue },
      about: aboutInvite(id),
    };
    const people = { users: [me.userId] };
    return isConfirmed ? sendMail(db, mail, people, now) : holdMail(db, mail, people, me.userId, now);
  };
}

const ERRORS: Record<Exclude<Invite['status'], 'pending'>, ErrorName> = {
  accepted: 'invite_accepted',
  declined: 'invite_declined',
  expired: 'invite_expired',
};

/** Throws unless the invite is pending or in one of the `allowed` states. */
export function assertStatus(invite: Parameters<typeof statusOf>[0], now: Date, ...allowed: Invite['status'][]): void {
  const status = statusOf(invite, now);
  if (status !== 'pending' && !allowed.includes(status)) throw new AppError(ERRORS[status]);
}

/** Locks an invite of the school until the transaction ends. Throws `invite_not_found`. */
export async function getLockedInvite(db: SchoolDb, inviteId: string) {
  const invite = await lockInvite(db, inviteId);
  if (!invite) throw new AppError('invite_not_found');
  return invite;
}

/** Deletes a pending invite. Throws `invite_not_found`, or the error of its state. */
export async function cancelInvite(db: SchoolDb, me: StaffSession, inviteId: string, now: Date): Promise<void> {
  assertStatus(await getLockedInvite(db, inviteId), now);
  await cancelInvites(db, me, [inviteId], now);
}

/** Deletes those invites that are pending. The others that exist are returned with their state. */
export async function cancelInvites(
  db: SchoolDb,
  me: StaffSession,
  inviteIds: readonly string[],
  now: Date,
): Promise<ReplyOf<typeof inviteCalls.removeInvites>> {
  const invites = await lockInvites(db, inviteIds);
  const pending = invites.filter((invite) => statusOf(invite, now) === 'pending').map(({ id }) => id);
  await removeInvites(db, pending);
  for (const id of pending)
    await recordChange(db, me, now, { action: 'invite_deleted', subjectKind: 'invite', subjectId: id });
  const kept = invites.filter(({ id }) => !pending.includes(id));
  return { removed: pending, kept: kept.map((invite) => ({ id: invite.id, status: statusOf(invite, now) })) };
}

/** Sends a pending or expired invite again, with another link. Throws `too_many_requests` or the error of its state. */
export async function resendInvite(
  db: SchoolDb,
  me: StaffSession,
  inviteId: string,
  config: Config,
  now: Date,
): Promise<Invite> {
  // Lock order: school, then invite, as in `inviteTeachers`.
  const allowance = await lockInviteAllowance(db, now);
  const invite = await getLockedInvite(db, inviteId);
  if (exceedsTeacher(invite.role)) assertProved(me, now);
  if (invite.status === 'declined')
    throw new AppError('invite_declined', {
      text: 'This person declined the invitation. Invite them again if they want to join.',
    });
  assertStatus(invite, now, 'expired');
  const limit = allowance.take(statusOf(invite, now) === 'pending');
  if (limit) throw new AppError('too_many_requests', limit);
  const renewed = await renewInvite(db, invite, me.userId, now);
  const mailInvite = await makeMailer(db, me, await hasConfirmedEmail(db, me), config);
  await mailInvite(invite, renewed, now);
  await recordChange(db, me, now, {
    action: 'invite_resent',
    subjectKind: 'invite',
    subjectId: renewed.id,
  });
  return getInvite(db, renewed.id, now);
}
