import { listSchoolDays } from '#contract/school-calendar.ts';
import type { DismissedPupil, PupilInNeed } from '#contract/calls/reading-needs.ts';
import { addDays, dayIn } from '../../clock.ts';
import type { SchoolDb } from '../../database/school.ts';
import type { Selection } from '../dashboard/dashboard.public.ts';
import { getCalendar } from '../school/school.public.ts';
import { needSentence } from './need-sentences.service.ts';
import {
  type BegunBook,
  getThresholds,
  type LevelTotals,
  listLastSittings,
  listLevelTotals,
  listNeverCompleted,
  listPupilHistories,
  type PupilRow,
  type SittingRow,
} from './needs.queries.ts';
import { findNeeds, hasReadTooLittle, listBegunBooks, rankPupils, RECENT_DAYS, type Sitting } from './needs.service.ts';

/** How far back school days are counted: a pupil who has not read since is said to have missed all of them. */
const COUNTED_DAYS = 2 * 366;

/** Who needs somebody, and who was taken off the list. Days in the school's time zone, both included. */
interface NeedsList {
  pupils: PupilInNeed[];
  /** How many need somebody in all. */
  total: number;
  dismissed: DismissedPupil[];
  tooLittle: number;
  from: string;
  to: string;
}

/**
 * Who of a selection needs somebody, those first who need it most.
 * @param page of those who need somebody; all of them when absent
 */
export async function listNeeds(
  db: SchoolDb,
  selection: Selection,
  timeZone: string,
  now: Date,
  page: { offset: number; length: number } = { offset: 0, length: Infinity },
): Promise<NeedsList> {
  const today = dayIn(timeZone, now);
  const from = addDays(today, 1 - RECENT_DAYS);
  const [thresholds, pupils, levels, lastSittings, calendar] = await Promise.all([
    getThresholds(db),
    listPupilHistories(db, selection, timeZone, now),
    listLevelTotals(db, selection, from),
    listLastSittings(db, selection, timeZone, from),
    getCalendar(db),
  ]);
  const sittings = await describeSittings(db, lastSittings, thresholds.book_begun);
  const schoolDays = listSchoolDays(calendar, { from: addDays(today, -COUNTED_DAYS), to: addDays(today, -1) });
  const levelsByPupil = Map.groupBy(levels, ({ pupil_id }) => pupil_id);
  const evaluated = pupils.map((pupil): EvaluatedPupil => {
    const present_level = findPresentLevel(levelsByPupil.get(pupil.id) ?? []);
    const history = { ...pupil, present_level, sittings: sittings.get(pupil.id) ?? [] };
    return { pupil, needs: findNeeds(history, thresholds, schoolDays) };
  });
  const withReasons = (row: EvaluatedPupil): PupilInNeed => ({
    id: row.pupil.id,
    name: row.pupil.name,
    group: row.pupil.class_id === null ? null : { id: row.pupil.class_id, name: row.pupil.class_name ?? '' },
    needs: row.needs.map((evidence) => ({ reason: needSentence(evidence, today), evidence })),
  });
  const ranked = rankPupils(evaluated.filter(({ pupil }) => pupil.dismissal_reason === null));
  return {
    pupils: ranked.slice(page.offset, page.offset + page.length).map(withReasons),
    total: ranked.length,
    dismissed: evaluated.flatMap((row) => {
      const { dismissal_reason: reason, dismissed_by, dismissed_at, dismissed_until } = row.pupil;
      if (reason === null || dismissed_by === null || !dismissed_at || !dismissed_until) return [];
      const times = { dismissed_at: dismissed_at.toISOString(), until: dismissed_until.toISOString() };
      return [{ ...withReasons(row), reason, dismissed_by, ...times }];
    }),
    tooLittle: pupils.filter(({ id }) => hasReadTooLittle(countWords(levelsByPupil.get(id) ?? []))).length,
    from,
    to: today,
  };
}

/**
 * Sittings by pupil, the latest first, with what their books tell.
 * @param bookBegun how often a book has to be begun for its title, and whether it was ever completed, to be asked; 0: never
 */
async function describeSittings(
  db: SchoolDb,
  rows: readonly SittingRow[],
  bookBegun: number,
): Promise<Map<number, Sitting[]>> {
  const byPupil = Map.groupBy(rows, ({ pupil_id }) => pupil_id);
  const begun = [...byPupil].flatMap(([pupil_id, sittings]) =>
    bookBegun === 0 ? [] : listBegunBooks(sittings, bookBegun).map((book_id) => ({ pupil_id, book_id })),
  );
  const keyOf = ({ pupil_id, book_id }: BegunBook) => `${pupil_id} ${book_id}`;
  const titles = new Map((await listNeverCompleted(db, begun)).map((book) => [keyOf(book), book.title]));
  const completed = new Set(begun.map(keyOf).filter((key) => !titles.has(key)));
  const described = (row: SittingRow): Sitting => ({
    ...row,
    book_title: titles.get(keyOf(row)) ?? '',
    completed_ever: completed.has(keyOf(row)),
  });
  return new Map([...byPupil].map(([pupilId, sittings]) => [pupilId, sittings.map(described)]));
}

interface EvaluatedPupil {
  pupil: PupilRow;
  needs: ReturnType<typeof findNeeds>;
}

/** The level of a pupil's latest day with reading; the highest of several on that day. */
const findPresentLevel = (levels: readonly LevelTotals[]): LevelTotals | null =>
  levels.toSorted(
    (one, other) => other.last_day.localeCompare(one.last_day) || other.reading_level - one.reading_level,
  )[0] ?? null;

const countWords = (levels: readonly LevelTotals[]): number =>
  levels.reduce((sum, { words_attempted }) => sum + words_attempted, 0);
