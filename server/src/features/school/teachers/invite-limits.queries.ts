import { sql } from 'kysely';
import type { SchoolDb } from '../../../database/school.ts';

export interface InviteUse {
  /** Invites that can still be accepted. */
  open: number;
  /** Invitation emails since then, including those of deleted invites. */
  sent: number;
}

/** The school's open invites, and the invitation emails that it has sent since a time. */
export async function countInviteUse(db: SchoolDb, since: Date, now: Date): Promise<InviteUse> {
  const { rows } = await sql<InviteUse>`
    select
      (select count(*) from invites
        where school_id = ${db.schoolId} and status = 'pending' and expires_at > ${now}) as open,
      (select count(*) from audit_log
        where school_id = ${db.schoolId} and at > ${since} and action in ('teacher_invited', 'invite_resent')) as sent`.execute(
    db.tx,
  );
  return rows[0] as InviteUse;
}
