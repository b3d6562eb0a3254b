import type { Client } from '../../../auth/client.ts';
import { deviceOf } from '../../../auth/known-devices.queries.ts';
import { consumeToken, findToken, findUsedLink } from '../../../auth/one-time-tokens.queries.ts';
import { hasSessionOn } from '../../../auth/own-sessions.queries.ts';
import { NO_ACTOR, recordChange } from '../../../audit/audit-log.queries.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../../database/school.ts';
import { countEvent } from '../../../logging/event-counts.ts';
import { sendMail } from '../../../mail/mail.ts';
import { findStaffAccounts, listAdmins, startSession } from '../../accounts/access/access.public.ts';
import { listTeacherIds } from '../classes/classes.public.ts';
import { getSchoolRow } from '../school/school.public.ts';
import { codeReusedMail } from './covers.mail.ts';
import { listCoversBy, lockCoveringMember } from './covers.queries.ts';
import { aboutCover, removeCover } from './covers.service.ts';
import { readCode } from './supply-code.service.ts';

/** How long after a code was used a slow line may send the same form again, from a browser without its first cookies. */
const REPEAT_MS = 60_000;

type Used =
  | { error: 'supply_code_failed' | 'supply_code_used' }
  | { signedIn: Awaited<ReturnType<typeof startSession>> };

/**
 * Logs a supply teacher in with the code on their card. A code that was used before ends the covers, because no one can
 * know which of the two people should have it. It returns an error, so that the transaction in which they end is committed.
 */
export async function useCode(
  db: PlatformDb,
  typed: string,
  { client, now, config }: { client: Client; now: Date; config: Config },
): Promise<Used> {
  const code = readCode(typed);
  if (!code) return { error: 'supply_code_failed' };
  const found = await findToken(db, 'supply_code', code, now);
  if (found && !(await withSchool(db, found.schoolId as number, (own) => lockCovers(own, found.userId, now))))
    return { error: 'supply_code_failed' };
  const link = await consumeToken(db, 'supply_code', code, now);
  if (!link) return rejectCode(db, code, { client, now, config });
  const { userId } = link;
  const schoolId = link.schoolId as number;
  countEvent('login');
  await withSchool(db, schoolId, (own) =>
    recordChange(own, { userId, impersonatorId: null }, now, {
      action: 'logged_in',
      subjectKind: 'user',
      subjectId: userId,
      details: { factor: 'supply_code' },
    }),
  );
  const login = { client, method: 'supply_code' };
  const lasts = link.expiresAt.getTime() - now.getTime();
  return { signedIn: await startSession(db, { userId, schoolId, login, lasts }, now, config) };
}

/**
 * Returns whether a supply teacher covers a class, and locks the membership before their code and sessions, as everything
 * does that ends a cover: one that ends meanwhile also ends the session that begins here.
 */
const lockCovers = async (db: SchoolDb, userId: number, now: Date): Promise<boolean> =>
  (await lockCoveringMember(db, userId)) === 'supply_teacher' && (await listCoversBy(db, userId, now)).length > 0;

async function rejectCode(
  db: PlatformDb,
  code: string,
  { client, now, config }: { client: Client; now: Date; config: Config },
): Promise<Used> {
  countEvent('login_rejected');
  const link = await findUsedLink(db, 'supply_code', code, now);
  if (!link) return { error: 'supply_code_failed' };
  const { userId } = link;
  const isRepeated =
    now.getTime() - link.usedAt.getTime() < REPEAT_MS ||
    (await hasSessionOn(db, userId, deviceOf(config, client).hash, now));
  if (!isRepeated) await withSchool(db, link.schoolId as number, (own) => endAfterReuse(own, userId, now, config));
  return { error: 'supply_code_used' };
}

/** Ends the covers of a supply teacher whose code two people have, and tells the teachers of the classes. */
async function endAfterReuse(db: SchoolDb, userId: number, now: Date, config: Config): Promise<void> {
  const covers = await listCoversBy(db, userId, now);
  const account = (await findStaffAccounts(db, [userId])).get(userId);
  const school = await getSchoolRow(db);
  for (const cover of covers) {
    const staffIds = [...(await listTeacherIds(db, cover.class_id)), cover.given_by];
    const recipients = [...(await findStaffAccounts(db, staffIds)).values()];
    for (const { id, email, first_name: firstName } of recipients.length > 0 ? recipients : await listAdmins(db))
      await sendMail(
        db,
        codeReusedMail(config, {
          recipient: email,
          firstName,
          school: school.name,
          className: cover.class_name,
          supplyTeacher: account ? `${account.first_name} ${account.last_name}` : 'a supply teacher',
          link: `${config.publicUrl}/classes/${cover.class_id}`,
        }),
        { users: [id, userId] },
        now,
      );
    await recordChange(db, NO_ACTOR, now, { action: 'cover_code_reused', ...aboutCover(cover) });
  }
  for (const cover of covers) await removeCover(db, cover, now);
}
