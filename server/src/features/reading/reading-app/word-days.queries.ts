import { sql } from 'kysely';
import type { SchoolDb } from '../../../database/school.ts';
import { sumCounts, type WordCounts } from './word-days.service.ts';

/** A day's words with their counts. */
interface WordDayRow {
  day: string;
  words: string[];
  met: number[];
  hard: number[];
  heard: number[];
  milliseconds: number[];
}

/** Adds the words that the app sent of new sessions to the counts of their days. The pupil's row is locked. */
export async function addToWordDays(
  db: SchoolDb,
  pupilId: number,
  added: readonly { day: string; words: WordCounts | undefined }[],
): Promise<void> {
  const byDay = Map.groupBy(
    added.flatMap(({ day, words }) => (words && words.size > 0 ? { day, words } : [])),
    ({ day }) => day,
  );
  if (byDay.size === 0) return;
  const stored = await db.tx
    .selectFrom('word_days')
    .select(['day', 'words', 'met', 'hard', 'heard', 'milliseconds'])
    .where('school_id', '=', db.schoolId)
    .where('pupil_id', '=', pupilId)
    .where(sql<boolean>`day = any(${[...byDay.keys()]}::date[])`)
    .execute();
  const before = new Map(stored.map((row) => [row.day, toCounts(row)]));
  const rows = [...byDay].map(([day, sessions]) =>
    toRow(day, sumCounts([before.get(day) ?? new Map(), ...sessions.map(({ words }) => words)])),
  );
  await db.tx
    .insertInto('word_days')
    .values(rows.map((row) => ({ school_id: db.schoolId, pupil_id: pupilId, ...row })))
    .onConflict((conflict) =>
      conflict.columns(['school_id', 'pupil_id', 'day']).doUpdateSet(({ ref }) => ({
        words: ref('excluded.words'),
        met: ref('excluded.met'),
        hard: ref('excluded.hard'),
        heard: ref('excluded.heard'),
        milliseconds: ref('excluded.milliseconds'),
      })),
    )
    .execute();
}

const toCounts = ({ words, met, hard, heard, milliseconds }: WordDayRow): WordCounts =>
  new Map(
    words.map((form, index) => [
      form,
      {
        met: met[index] ?? 0,
        hard: hard[index] ?? 0,
        heard: heard[index] ?? 0,
        milliseconds: milliseconds[index] ?? 0,
      },
    ]),
  );

function toRow(day: string, counts: WordCounts): WordDayRow {
  const values = [...counts.values()];
  return {
    day,
    words: [...counts.keys()],
    met: values.map(({ met }) => met),
    hard: values.map(({ hard }) => hard),
    heard: values.map(({ heard }) => heard),
    milliseconds: values.map(({ milliseconds }) => milliseconds),
  };
}
