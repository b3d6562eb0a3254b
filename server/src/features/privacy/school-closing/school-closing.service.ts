import type { AuditAction } from '#contract/audit-details.ts';
import { DAYS_TO_CLOSE, DAYS_TO_ERASE } from '#contract/calls/school-closing.ts';
import { type Actor, NO_ACTOR, recordChange } from '../../../audit/audit-log.queries.ts';
import { listAdmins } from '../../accounts/access/access.public.ts';
import { DAY_MS } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { inSchool, readInSchool, type SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { Services, StaffSession } from '../../../context.ts';
import { sendMail } from '../../../mail/mail.ts';
import { NO_PEOPLE } from '../../../mail/outbox.queries.ts';
import { endProgramsOfClosedSchool } from '../../school/programs/programs.public.ts';
import { canEraseByClock } from '../retention/retention.public.ts';
import { eraseSchool, lockClosing } from '../erasure/erasure.public.ts';
import { type ClosingStep, closingMail, erasedMail } from './school-closing.mail.ts';
import { deleteClosing, insertClosing, isAdmin, setClosed } from './school-closing.queries.ts';

/*
 * Closing a school: an admin asks, and another one confirms, or seven days pass. 30 days later the school is erased:
 * `erasure/school-erasure.service.ts`. Until that begins any admin can withdraw the request or reopen the school.
 */

const after = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS);

/** Records a step of the closing and sends it to all admins. */
async function announce(
  db: SchoolDb,
  by: Actor,
  now: Date,
  config: Config,
  { action, school, step }: { action: AuditAction; school: string; step: ClosingStep },
): Promise<void> {
  await recordChange(db, by, now, { action, subjectKind: 'school', subjectId: db.schoolId });
  for (const { id, email: recipient } of await listAdmins(db))
    await sendMail(db, closingMail(config, { recipient, school, step }), { users: [id] }, now);
}

/** Locks the school and the request to close it. Throws `forbidden` if the caller has just lost the role of admin. */
async function lockAsAdmin(db: SchoolDb, me: StaffSession) {
  const { name } = await lockSchool(db);
  if (!(await isAdmin(db, me.userId))) throw new AppError('forbidden');
  return { school: name, closing: await lockClosing(db) };
}

/** Asks to close the school. Throws `closing_requested`. */
export async function requestClosing(db: SchoolDb, me: StaffSession, now: Date, config: Config): Promise<void> {
  const { school, closing } = await lockAsAdmin(db, me);
  if (closing) throw new AppError('closing_requested');
  const takesEffectAt = after(now, DAYS_TO_CLOSE);
  await insertClosing(db, { requested_by: me.userId, requested_at: now, takes_effect_at: takesEffectAt });
  const step = { kind: 'requested', takesEffectAt } as const;
  await announce(db, me, now, config, { action: 'school_closing_requested', school, step });
}

/** Closes the school, by another admin than the one who asked. Throws why it cannot. */
export async function confirmClosing(db: SchoolDb, me: StaffSession, now: Date, config: Config): Promise<void> {
  const { school, closing } = await lockAsAdmin(db, me);
  if (!closing || closing.closed_at) throw new AppError('closing_not_requested');
  if (closing.requested_by === me.userId) throw new AppError('closing_needs_another_admin');
  await close(db, me, now, config, school);
}

async function close(db: SchoolDb, by: Actor, now: Date, config: Config, school: string): Promise<void> {
  const eraseAt = after(now, DAYS_TO_ERASE);
  await setClosed(db, { closed_at: now, erase_at: eraseAt, confirmed_by: by.userId });
  await endProgramsOfClosedSchool(db, by, now);
  await announce(db, by, now, config, { action: 'school_closed', school, step: { kind: 'closed', eraseAt } });
}

/** Withdraws the request, or reopens the school. Throws `closing_not_requested`, also once the erasure has begun. */
export async function cancelClosing(db: SchoolDb, me: StaffSession, now: Date, config: Config): Promise<void> {
  const { school, closing } = await lockAsAdmin(db, me);
  if (!closing || closing.erased_counts) throw new AppError('closing_not_requested');
  await cancel(db, me, now, config, { school, isClosed: closing.closed_at !== null });
}

async function cancel(
  db: SchoolDb,
  by: Actor,
  now: Date,
  config: Config,
  { school, isClosed }: { school: string; isClosed: boolean },
): Promise<void> {
  await deleteClosing(db);
  await announce(db, by, now, config, {
    action: isClosed ? 'school_reopened' : 'school_closing_withdrawn',
    school,
    step: { kind: isClosed ? 'reopened' : 'withdrawn' },
  });
}

/**
 * Closes a school that no other admin confirmed in time. The request ends without effect if the person who asked is no
 * longer an admin: then no admin of the school wants it.
 */
export const closeOverdue = ({ database, config }: Services, schoolId: number, now: Date): Promise<void> =>
  inSchool(database, schoolId, async (db) => {
    const { name: school } = await lockSchool(db);
    const closing = await lockClosing(db);
    if (!closing || closing.closed_at || closing.takes_effect_at > now) return;
    if (await isAdmin(db, closing.requested_by)) await close(db, NO_ACTOR, now, config, school);
    else await cancel(db, NO_ACTOR, now, config, { school, isClosed: false });
  });

/**
 * Erases a closed school whose time is over, and sends the receipt to those who were its admins. Waits while the clock may
 * have been set ahead.
 */
export async function eraseOverdueSchool(
  { database, config, clock }: Services,
  schoolId: number,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!(await readInSchool(database, schoolId, (db) => canEraseByClock(db, clock)))) return;
  await eraseSchool(database, config, {
    schoolId,
    now,
    signal,
    mails: {
      productName: config.productName,
      listRecipients: async (db) => (await listAdmins(db)).map(({ email }) => email),
      send: (db, recipient, erased) =>
        // The accounts are gone.
        sendMail(db, erasedMail(config, { recipient, ...erased }), NO_PEOPLE, now),
    },
  });
}
