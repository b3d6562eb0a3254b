import { MIN_READING_SECONDS } from '#contract/is-reading.ts';
import { sql } from 'kysely';

/** `isReading` of the contract, as a condition on rows of `reading_sessions`. */
export const isReadingRow = sql<boolean>`(words_attempted > 0 and reading_time >= ${sql.lit(MIN_READING_SECONDS)})`;
