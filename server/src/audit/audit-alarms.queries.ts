import type { AuditAlarm } from '#contract/calls/background-work.ts';
import { sql } from 'kysely';
import { dayIn } from '../clock.ts';
import { inIds } from '../database/in-ids.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { sendMail } from '../mail/mail.ts';
import { auditAlarmMail } from './audit-alarm.mail.ts';

/** More schools than one mail or page can list. */
const MAX_ALARMS = 100;
const MAX_OPERATORS = 50;

/** Records that a school's audit log was changed outside the portal. */
export async function raiseAlarm({ tx }: PlatformDb, schoolId: number, breach: string, now: Date): Promise<void> {
  await tx
    .insertInto('audit_alarms')
    .values({ school_id: schoolId, breach, raised_at: now, mailed_on: null })
    .onConflict((conflict) => conflict.column('school_id').doUpdateSet({ breach }))
    .execute();
}

/** Ends the alarm of a school whose chain is right again. */
export async function endAlarm({ tx }: PlatformDb, schoolId: number): Promise<void> {
  await tx.deleteFrom('audit_alarms').where('school_id', '=', schoolId).execute();
}

export async function countAlarms({ tx }: PlatformDb): Promise<number> {
  const { count } = await tx
    .selectFrom('audit_alarms')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The schools with an alarm, at most 100. */
export async function listAlarms({ tx }: PlatformDb): Promise<AuditAlarm[]> {
  const alarms = await tx
    .selectFrom('audit_alarms')
    .select(['school_id', 'breach', 'raised_at'])
    .orderBy('raised_at')
    .orderBy('school_id')
    .limit(MAX_ALARMS)
    .execute();
  return alarms.map(({ school_id, breach, raised_at }) => ({
    enterprise_id: school_id,
    breach,
    raised_at: raised_at.toISOString(),
  }));
}

/** Sends every operator one mail about the alarms of which none was sent today. Returns the number of schools. */
export async function mailAlarms(db: PlatformDb, product: string, publicUrl: string, now: Date): Promise<number> {
  const today = dayIn('Europe/London', now);
  const { rows: alarms } = await sql<{ school_id: number; breach: string }>`
    select school_id, breach from audit_alarms where mailed_on is distinct from ${today}::date
    order by school_id limit ${MAX_ALARMS} for update skip locked`.execute(db.tx);
  if (alarms.length === 0) return 0;
  const operators = await db.tx
    .selectFrom('operators as o')
    .innerJoin('users as u', 'u.id', 'o.user_id')
    .select(['u.id', 'u.email', 'u.first_name'])
    .orderBy('u.id')
    .limit(MAX_OPERATORS)
    .execute();
  for (const { id, email, first_name: firstName } of operators)
    await sendMail(
      db,
      auditAlarmMail(product, { recipient: email, firstName, publicUrl, alarms }),
      { users: [id] },
      now,
    );
  await db.tx
    .updateTable('audit_alarms')
    .set({ mailed_on: today })
    .where(
      inIds(
        'school_id',
        alarms.map(({ school_id }) => school_id),
      ),
    )
    .execute();
  return alarms.length;
}
