import type { AuditAction } from '#contract/audit-details.ts';
import { type Actor, type Change, recordChange } from './audit-log.queries.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { withSchool } from '../database/school.ts';

/** Records a change of an account in the log of each of its schools. */
export async function recordAccountChange<A extends AuditAction>(
  db: PlatformDb,
  { schoolIds }: { schoolIds: readonly number[] },
  actor: Actor,
  now: Date,
  change: Change<A>,
): Promise<void> {
  for (const schoolId of schoolIds)
    await withSchool(db, schoolId, (school) => recordChange(school, actor, now, change));
}
