import type { Config } from '../../../config.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { getSchoolRow } from './school.queries.ts';
import { hasNewStatistics } from './school.service.ts';

/** The school's row, if the school has the new statistics. Throws `statistics_unavailable`. */
export async function getSchoolWithStatistics(db: SchoolDb, config: Config) {
  const school = await getSchoolRow(db);
  if (!hasNewStatistics(school, config)) throw new AppError('statistics_unavailable');
  return school;
}
