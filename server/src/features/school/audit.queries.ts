import type { SchoolDb } from '../../database/school.ts';

/** Who did it: a person, behind them perhaps an operator; nobody known for a guest with a link. */
interface Actor {
  userId: number | null;
  impersonatorId: number | null;
}

interface Change {
  /** What was done, in the past tense: `pupil_renamed`. */
  action: string;
  subjectKind: 'pupil' | 'class' | 'user' | 'invite' | 'school' | 'contact' | 'subscription';
  subjectId: number | string;
  details?: object;
}

/** Writes who changed what into the school's audit log, in the transaction of the change. */
export async function recordChange(db: SchoolDb, me: Actor, now: Date, change: Change): Promise<void> {
  await db.tx
    .insertInto('audit_log')
    .values({
      school_id: db.schoolId,
      at: now,
      actor_user_id: me.userId,
      impersonator_user_id: me.impersonatorId,
      action: change.action,
      subject_kind: change.subjectKind,
      subject_id: String(change.subjectId),
      details: JSON.stringify(change.details ?? {}),
    })
    .execute();
}
