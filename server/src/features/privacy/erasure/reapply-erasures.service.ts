import { NO_ACTOR } from '../../../audit/audit-log.queries.ts';
import type { Database } from '../../../database/database.ts';
import { inSchool } from '../../../database/school.ts';
import { clearDetailsAbout, iteratePupils, iterateUsers, listSchoolsToErase, type Subject } from './erasure.queries.ts';
import { eraseAccount, type ErasureConfig, erasePupil } from './erasure.service.ts';
import { digestsOf, type ListedErasure } from './erasure-list.service.ts';
import { eraseSchool } from './school-erasure.service.ts';
import { leaveSchool } from '../../school/teachers/teachers.public.ts';
import { setArchived } from '../../school/archive/archive.public.ts';

/**
 * Erases again, in a database that was restored from a backup, every person and school that the list beside the backups
 * names.
 * Returns how many there were.
 */
export async function reapplyErasures(
  database: Database,
  config: ErasureConfig,
  listed: readonly ListedErasure[],
  now: Date,
): Promise<number> {
  const byDigest = Map.groupBy(listed, ({ kind, digest }) => `${kind} ${digest}`);
  /** The schools that erased someone. */
  const listSchools = (kind: ListedErasure['kind'], person: Subject): number[] => {
    const lines = digestsOf(config, kind, person).flatMap(
      (digest) => byDigest.get(`${kind} ${digest.toString('hex')}`) ?? [],
    );
    return [...new Set(lines.map(({ schoolId }) => schoolId))];
  };
  let erased = 0;
  const listedSchools = listed.filter(({ kind }) => kind === 'school').map(({ schoolId }) => schoolId);
  for (const school of await listSchoolsToErase(database, listedSchools)) {
    if (listSchools('school', school).length === 0) continue;
    await eraseSchool(database, config, { schoolId: school.id, now, isAgain: true });
    erased += 1;
  }
  for await (const pupil of iteratePupils(database)) {
    const { id, schoolId } = pupil;
    if (listSchools('pupil', pupil).length === 0) continue;
    const [receipt] = digestsOf(config, 'pupil', pupil);
    await clearDetailsAbout(database, schoolId, { kind: 'pupils', id }, { config, receipt });
    await inSchool(database, schoolId, async (db) => {
      await setArchived(db, [id], null, now);
      await erasePupil(db, config, NO_ACTOR, id, now);
    });
    erased += 1;
  }
  for await (const user of iterateUsers(database)) {
    const schoolIds = listSchools('staff', user);
    const [receipt] = digestsOf(config, 'staff', user);
    for (const schoolId of schoolIds) {
      if (user.schoolIds.includes(schoolId)) await inSchool(database, schoolId, (db) => leaveSchool(db, user.id, now));
      await clearDetailsAbout(database, schoolId, { kind: 'users', id: user.id }, { config, receipt });
      await eraseAccount(database, config, { schoolId, by: NO_ACTOR, subject: user, now, isAgain: true });
    }
    if (schoolIds.length > 0) erased += 1;
  }
  return erased;
}
