import type { Invite, Invited } from '#contract/calls/invites.ts';
import type { ErrorName } from '#contract/errors.ts';
import { email as emailField } from '#contract/fields.ts';
import type { Config } from '../../config.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { sendMail } from '../../mail/mail.ts';
import { emailKey } from '../access/access.public.ts';
import { findStaffName, getSchoolRow } from '../school/school.public.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { inviteMail } from './invites.mail.ts';
import { insertInvite, listTakenEmails, statusOf } from './invites.queries.ts';

export interface InviteRow {
  email: string;
  name: string;
}

const NAME_LIMIT = 100;

/** What is wrong with a row by itself. */
function faultOf({ email, name }: InviteRow): string | undefined {
  const address = emailField.safeParse(email);
  if (!address.success) return address.error.issues[0]?.message;
  if (name.length > NAME_LIMIT) return `A name has at most ${NAME_LIMIT} characters.`;
  return /[\p{Cc}]|:\/\/|\bwww\./iu.test(name) ? 'A name cannot hold a web address or line breaks.' : undefined;
}

/** What a link in a mail begins with; never what a request says of the host. */
const linkTo = (config: Config, inviteId: string): string => `${config.publicUrl}/invite/${inviteId}`;

/** Invites the people of the rows by mail. Rows without an email are left out; rows that cannot be sent say why. */
export async function inviteTeachers(
  db: SchoolDb,
  me: StaffSession,
  rows: readonly InviteRow[],
  config: Config,
  now: Date,
): Promise<Invited> {
  const result: Invited = { sent: [], failed: [] };
  const taken = await listTakenEmails(db, now);
  const mailFrom = await makeMailer(db, me, config);
  const seen = new Set<string>();
  for (const row of rows) {
    if (row.email === '') continue;
    const key = emailKey(row.email);
    const fault =
      faultOf(row) ??
      (seen.has(key) ? 'This email is in the list twice.' : undefined) ??
      (taken.staff.has(key) ? 'This person is a member of your school already.' : undefined) ??
      (taken.pending.has(key) ? PENDING : undefined);
    seen.add(key);
    const invite = fault === undefined ? await insertInvite(db, { ...row, invitedBy: me.userId }, now) : undefined;
    if (!invite) {
      result.failed.push({ ...row, error: fault ?? PENDING });
      continue;
    }
    await mailFrom(row, invite, now);
    await recordChange(db, me, now, {
      action: 'teacher_invited',
      subjectKind: 'invite',
      subjectId: invite.id,
      details: { email: row.email },
    });
    result.sent.push(row);
  }
  return result;
}

const PENDING = 'This person has an invitation already. Resend it from the list of invitations.';

/** Sends invites' mails in the name of this person and their school. */
export async function makeMailer(db: SchoolDb, me: StaffSession, config: Config) {
  const { name: school } = await getSchoolRow(db);
  const inviter = (await findStaffName(db, me.userId)) ?? school;
  return (row: InviteRow, invite: { id: string; expiresAt: Date }, now: Date): Promise<void> =>
    sendMail(
      db,
      inviteMail(config.productName, {
        ...row,
        school,
        inviter,
        link: linkTo(config, invite.id),
        expiresAt: invite.expiresAt,
      }),
      now,
    );
}

const ERRORS: Record<Exclude<Invite['status'], 'pending'>, ErrorName> = {
  accepted: 'invite_accepted',
  declined: 'invite_declined',
  expired: 'invite_expired',
};

/** Throws what an invite is when it is none of these. */
export function expectStatus(invite: Parameters<typeof statusOf>[0], now: Date, ...allowed: Invite['status'][]): void {
  const status = statusOf(invite, now);
  if (status !== 'pending' && !allowed.includes(status)) throw new AppError(ERRORS[status]);
}
