import type { PlatformDb } from '../database/platform-db.ts';
import type { SchoolDb } from '../database/school.ts';
import type { SessionDevice } from './sessions.queries.ts';

interface LoginEvent {
  schoolId: number;
  person: { userId: number } | { pupilId: number };
  /** The step that completed the login: one of the portal's own such as `password`, or the ID of a sign-in provider. */
  method: string;
  device?: Pick<SessionDevice, 'browser' | 'system'> | undefined;
}

/** Records a login of a member of staff or of a pupil, in the transaction that starts the session. */
export async function insertLoginEvent(
  { tx }: PlatformDb | SchoolDb,
  { schoolId, person, method, device }: LoginEvent,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('login_events')
    .values({
      school_id: schoolId,
      user_id: 'userId' in person ? person.userId : null,
      pupil_id: 'pupilId' in person ? person.pupilId : null,
      at: now,
      method,
      browser: device?.browser ?? null,
      system: device?.system ?? null,
    })
    .execute();
}
