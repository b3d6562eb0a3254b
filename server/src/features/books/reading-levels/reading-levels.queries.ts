import type { ReadingLevel } from '#contract/reading-levels.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** The reading levels, lowest first. */
export const listReadingLevels = (db: SchoolDb | PlatformDb): Promise<ReadingLevel[]> =>
  db.tx.selectFrom('reading_levels').select(['level', 'book_band', 'from_age', 'to_age']).orderBy('level').execute();

export async function updateReadingLevel(db: PlatformDb, { level, ...change }: ReadingLevel): Promise<void> {
  await db.tx.updateTable('reading_levels').set(change).where('level', '=', level).execute();
}
