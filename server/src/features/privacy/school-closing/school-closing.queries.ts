import { staffRows } from '../../accounts/access/access.public.ts';
import type { SchoolDb } from '../../../database/school.ts';

export async function insertClosing(
  db: SchoolDb,
  closing: { requested_by: number; requested_at: Date; takes_effect_at: Date },
): Promise<void> {
  await db.tx
    .insertInto('school_closings')
    .values({ school_id: db.schoolId, ...closing })
    .execute();
}

/** Closes the school for its pupils and for all changes. Their sessions end, and so do its pending invitations. */
export async function setClosed(
  db: SchoolDb,
  closing: { closed_at: Date; erase_at: Date; confirmed_by: number | null },
): Promise<void> {
  await db.tx.updateTable('school_closings').set(closing).where('school_id', '=', db.schoolId).execute();
  await db.tx.deleteFrom('sessions').where('school_id', '=', db.schoolId).where('pupil_id', 'is not', null).execute();
  await db.tx
    .updateTable('invites')
    .set({ expires_at: closing.closed_at })
    .where('school_id', '=', db.schoolId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', closing.closed_at)
    .execute();
}

export async function deleteClosing(db: SchoolDb): Promise<void> {
  await db.tx.deleteFrom('school_closings').where('school_id', '=', db.schoolId).execute();
}

/** Returns whether a user is an admin of the school now. */
export async function isAdmin(db: SchoolDb, userId: number | null): Promise<boolean> {
  const row = await staffRows(db)
    .where('user_id', '=', userId ?? 0)
    .where('role', '=', 'admin')
    .executeTakeFirst();
  return row !== undefined;
}
