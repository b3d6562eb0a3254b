import { DAYS_TO_CONFIRM_PROGRAM, PROGRAM_REMINDER_DAYS, type ProgramEnd } from '#contract/programs.ts';
import { type Actor, namePeople, NO_ACTOR, recordChange } from '../../../audit/audit-log.queries.ts';
import { DAY_MS } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { sendMail } from '../../../mail/mail.ts';
import { listAdmins } from '../../accounts/access/access.public.ts';
import { getSchoolRow } from '../school/school.public.ts';
import { confirmProgramsMail, programsEndMail } from './programs.mail.ts';
import { endPrograms, lockPrograms, type ProgramRow, type ReviewTimes, updateProgram } from './programs.queries.ts';

/*
 * How programs end by themselves: a token on its day, and a program 14 days after its admin stopped being one, unless
 * another admin confirms it. The admins get an email before either.
 */

export const reviewTimes = (now: Date): ReviewTimes => ({
  now,
  remindFrom: new Date(now.getTime() + PROGRAM_REMINDER_DAYS * DAY_MS),
  reminderDays: PROGRAM_REMINDER_DAYS,
});

/** Ends these programs, and records it. */
export async function endAll(
  db: SchoolDb,
  by: Actor,
  programs: readonly ProgramRow[],
  reason: Exclude<ProgramEnd, 'revoked'>,
  now: Date,
): Promise<void> {
  await endPrograms(
    db,
    programs.map(({ id }) => id),
    reason,
    now,
  );
  for (const { name } of programs)
    await recordChange(db, by, now, {
      action: 'program_ended',
      subjectKind: 'school',
      subjectId: db.schoolId,
      details: { name, reason },
    });
}

/** Ends all programs of a school that closes. */
export const endProgramsOfClosedSchool = async (db: SchoolDb, by: Actor, now: Date): Promise<void> =>
  endAll(db, by, await lockPrograms(db), 'school_closed', now);

const isLong = ({ made_at, expires_at }: ProgramRow): boolean =>
  expires_at.getTime() > made_at.getTime() + PROGRAM_REMINDER_DAYS * DAY_MS;

/** Ends the programs of a school whose time is over, and asks its admins about those that will end. */
export async function reviewPrograms(db: SchoolDb, now: Date, config: Config): Promise<void> {
  const admins = await listAdmins(db);
  const adminIds = new Set(admins.map(({ id }) => id));
  const isAnswered = ({ responsible_id }: ProgramRow) => adminIds.has(responsible_id);
  const programs = await lockPrograms(db);
  const expired = programs.filter(({ expires_at }) => expires_at <= now);
  const left = programs.filter((program) => !expired.includes(program));
  const notConfirmed = left.filter(
    (program) => program.confirm_by !== null && program.confirm_by <= now && !isAnswered(program),
  );
  await endAll(db, NO_ACTOR, expired, 'expired', now);
  await endAll(db, NO_ACTOR, notConfirmed, 'not_confirmed', now);
  const open = left.filter((program) => !notConfirmed.includes(program));
  for (const { id } of open.filter((program) => program.confirm_by !== null && isAnswered(program)))
    await updateProgram(db, id, { confirm_by: null, confirm_sent_at: null });
  await askToConfirm(
    db,
    open.filter((program) => !isAnswered(program)),
    admins,
    now,
    config,
  );
  const { remindFrom } = reviewTimes(now);
  await remind(
    db,
    open.filter((program) => program.reminded_at === null && program.expires_at <= remindFrom && isLong(program)),
    admins,
    now,
    config,
  );
}

type Admins = Awaited<ReturnType<typeof listAdmins>>;

/** The admins who can get an email. */
const reachable = (admins: Admins) => admins.filter(({ email_confirmed_at: confirmedAt }) => confirmedAt !== null);

/** Gives programs without an admin 14 days, and asks the admins once; later, if the school has none now. */
async function askToConfirm(
  db: SchoolDb,
  programs: readonly ProgramRow[],
  admins: Admins,
  now: Date,
  config: Config,
): Promise<void> {
  const recipients = reachable(admins);
  const unconfirmed = [];
  for (const program of programs) {
    if (program.confirm_sent_at !== null) continue;
    const confirmBy = program.confirm_by ?? new Date(now.getTime() + DAYS_TO_CONFIRM_PROGRAM * DAY_MS);
    await updateProgram(db, program.id, {
      confirm_by: confirmBy,
      ...(recipients.length > 0 && { confirm_sent_at: now }),
    });
    unconfirmed.push({ ...program, confirmBy });
  }
  if (unconfirmed.length === 0 || recipients.length === 0) return;
  const { name: school, time_zone: timeZone } = await getSchoolRow(db);
  const responsible = unconfirmed.map(({ responsible_id: id }) => id);
  const names = await namePeople(db, responsible);
  for (const { id, email: recipient, first_name: firstName } of recipients)
    await sendMail(
      db,
      confirmProgramsMail(config, {
        recipient,
        firstName,
        school,
        timeZone,
        programs: unconfirmed.map(({ name, confirmBy, responsible_id }) => ({
          name,
          admin: names.get(responsible_id) ?? 'A former colleague',
          endsAt: confirmBy,
        })),
      }),
      { users: [id, ...responsible] },
      now,
    );
}

/** Tells the admins once that tokens end soon. */
async function remind(
  db: SchoolDb,
  programs: readonly ProgramRow[],
  admins: Admins,
  now: Date,
  config: Config,
): Promise<void> {
  if (programs.length === 0) return;
  for (const { id } of programs) await updateProgram(db, id, { reminded_at: now });
  const { name: school, time_zone: timeZone } = await getSchoolRow(db);
  for (const { id, email: recipient, first_name: firstName } of reachable(admins))
    await sendMail(
      db,
      programsEndMail(config, {
        recipient,
        firstName,
        school,
        timeZone,
        programs: programs.map(({ name, expires_at: endsAt }) => ({ name, endsAt })),
      }),
      { users: [id] },
      now,
    );
}
