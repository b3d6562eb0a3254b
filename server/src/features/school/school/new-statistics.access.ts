import type { Config } from '../../../config.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { getSchoolRow } from './school.queries.ts';

/** The ID of the school that has had the new statistics from the start. */
const FIRST_WITH_STATISTICS = 15;

/**
 * Returns whether a school has the new statistics: all schools, or those named after the product, the first, and those
 * for which an operator turned them on.
 */
export const hasNewStatistics = (
  school: { id: number; name: string; new_statistics: boolean },
  { newStatistics, productName }: Pick<Config, 'newStatistics' | 'productName'>,
): boolean =>
  newStatistics === 'all' ||
  school.new_statistics ||
  school.id === FIRST_WITH_STATISTICS ||
  school.name.toLowerCase().includes(productName.toLowerCase());

/** The school's row, if the school has the new statistics. Throws `statistics_unavailable`. */
export async function getSchoolWithStatistics(db: SchoolDb, config: Config) {
  const school = await getSchoolRow(db);
  if (!hasNewStatistics(school, config)) throw new AppError('statistics_unavailable');
  return school;
}
