import type { SchoolDb } from '../../../database/school.ts';

/** The users who help a pupil, in the order in which they were added. */
export async function listAssistantIds(db: SchoolDb, pupilId: number): Promise<number[]> {
  const rows = await db.tx
    .selectFrom('pupil_assistants')
    .select('user_id')
    .where('school_id', '=', db.schoolId)
    .where('pupil_id', '=', pupilId)
    .orderBy('added_at')
    .orderBy('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export async function insertAssistant(db: SchoolDb, pupilId: number, userId: number, now: Date): Promise<void> {
  await db.tx
    .insertInto('pupil_assistants')
    .values({ school_id: db.schoolId, pupil_id: pupilId, user_id: userId, added_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns whether the user helped the pupil. */
export async function removeAssistant(db: SchoolDb, pupilId: number, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db.tx
    .deleteFrom('pupil_assistants')
    .where('school_id', '=', db.schoolId)
    .where('pupil_id', '=', pupilId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes a user from all pupils whom they help, when they leave or get another role. */
export async function removeFromAllPupils(db: SchoolDb, userId: number): Promise<void> {
  await db.tx
    .deleteFrom('pupil_assistants')
    .where('school_id', '=', db.schoolId)
    .where('user_id', '=', userId)
    .execute();
}
