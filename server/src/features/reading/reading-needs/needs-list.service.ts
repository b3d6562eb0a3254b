import { listSchoolDays } from '#contract/school-calendar.ts';
import type {
  ImprovedPupil,
  Need,
  NeedResponse,
  NotRead,
  PupilWithHiddenNeeds,
  PupilWithNeeds,
  ReadingWeek,
} from '#contract/calls/reading-needs.ts';
import { wordKey } from '#contract/words.ts';
import { recentDays } from '#contract/accuracy.ts';
import { addDays, dayIn } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { findCurrentLevel, type LevelTotals, listLevelTotals, type Selection } from '../dashboard/dashboard.public.ts';
import {
  countWords as countWordMeetings,
  hasRepeatedWord,
  listBookWords,
  settleCapitals,
  type WordCount,
} from '../hard-words/hard-words.public.ts';
import { getCalendar } from '../../school/school/school.public.ts';
import { listResponses } from './need-responses.queries.ts';
import { type ResponseRow, sortNeeds, TRIED_MS } from './need-responses.service.ts';
import { needSentence } from './need-sentences.service.ts';
import {
  type BegunBook,
  getThresholds,
  listRecentSessions,
  listWeekTotals,
  listNeverCompleted,
  listPupilHistories,
  type PupilRow,
  type RecentSessionRow,
} from './needs.queries.ts';
import {
  findNeeds,
  hasReadTooLittle,
  isRuleOn,
  listBegunBooks,
  type PupilHistory,
  rankPupils,
  type RecentSession,
} from './need-rules.service.ts';
import { chooseReadingWeeks, type ReadingWeeks } from './reading-week.service.ts';

/** Names of pupils who have not read that the list has at most. */
const MAX_NOT_READ = 12;

/** School days are counted this far back: a pupil who last read before then has missed them all. */
const COUNTED_DAYS = 2 * 366;

/** Pupils in need, and what staff did about needs. Days are in the school's time zone, both included. */
interface NeedsList {
  pupils: PupilWithNeeds[];
  /** How many pupils are in need, on all pages. */
  total: number;
  hidden: PupilWithHiddenNeeds[];
  improved: ImprovedPupil[];
  tooLittle: number;
  notRead: NotRead;
  week: ReadingWeek;
  from: string;
  to: string;
}

/** Evaluates the reasons of each pupil of a selection, by name. */
async function evaluatePupils(db: SchoolDb, selection: Selection, timeZone: string, now: Date) {
  const today = dayIn(timeZone, now);
  const { from, to } = recentDays(today);
  const [thresholds, pupils, levels, recentSessions, calendar, responses] = await Promise.all([
    getThresholds(db),
    listPupilHistories(db, selection, timeZone),
    listLevelTotals(db, selection, { from, to }),
    listRecentSessions(db, selection, timeZone, from),
    getCalendar(db),
    listResponses(db, selection, new Date(now.getTime() - TRIED_MS)),
  ]);
  const [sessions, words] = await Promise.all([
    describeSessions(db, recentSessions, thresholds.book_begun),
    countRepeatedWords(db, recentSessions, thresholds.same_word_in),
  ]);
  const schoolDays = listSchoolDays(calendar, { from: addDays(today, -COUNTED_DAYS), to: addDays(today, -1) });
  const levelsByPupil = Map.groupBy(levels, ({ pupil_id }) => pupil_id);
  const responsesByPupil = Map.groupBy(responses, ({ pupil_id }) => pupil_id);
  const found = pupils.map((pupil) => {
    const totals = levelsByPupil.get(pupil.id) ?? [];
    const history: PupilHistory & PupilRow = {
      ...pupil,
      current_level: findCurrentLevel(totals),
      sessions: sessions.get(pupil.id) ?? [],
      words: words.get(pupil.id) ?? new Map<string, WordCount>(),
    };
    return { pupil, totals, history, needs: findNeeds(history, thresholds, schoolDays) };
  });
  await spellNamedWords(db, found);
  const evaluated = found.map(({ pupil, totals, history, needs }) => {
    const { open, hidden, improved } = sortNeeds(needs, responsesByPupil.get(pupil.id) ?? [], now, (kind) =>
      isRuleOn(kind, thresholds),
    );
    return {
      pupil,
      level: history.current_level?.reading_level ?? null,
      wordCount: countWords(totals),
      hasReason: needs.length > 0,
      needs: open.map(({ need }) => need),
      open: open.map(({ need, tried }) => ({
        reason: needSentence(need, today),
        evidence: need,
        tried: tried && toNeedResponse(tried),
      })),
      hidden: hidden.map(({ need, response }) => ({
        reason: needSentence(need, today),
        evidence: need,
        response: toNeedResponse(response),
      })),
      improved: improved.map(toNeedResponse),
    };
  });
  return { evaluated, calendar, today, from, to };
}

/** The words of the pupils who have found one hard in so many of their sessions, by the pupil's ID. */
async function countRepeatedWords(
  db: SchoolDb,
  sessions: readonly RecentSessionRow[],
  times: number,
): Promise<Map<number, ReadonlyMap<string, WordCount>>> {
  if (times === 0) return new Map();
  const byPupil = [...Map.groupBy(sessions, ({ pupil_id }) => pupil_id)].filter(([, ofPupil]) =>
    hasRepeatedWord(ofPupil, times),
  );
  const bookIds = byPupil.flatMap(([, ofPupil]) => ofPupil.map(({ book_id }) => book_id));
  const books = await listBookWords(db, [...new Set(bookIds)]);
  return new Map(byPupil.map(([pupilId, ofPupil]) => [pupilId, countWordMeetings(ofPupil, [], books)]));
}

/** Gives the words that needs name their spelling in lists of words. */
async function spellNamedWords(
  db: SchoolDb,
  found: readonly { needs: readonly Need[]; history: Pick<PupilHistory, 'words'> }[],
): Promise<void> {
  const named = found.flatMap(({ needs, history: { words } }) =>
    needs.flatMap((need) =>
      need.kind === 'same_words'
        ? need.words.map((entry) => ({
            entry,
            word: entry.word,
            bookIds: [...(words.get(wordKey(entry.word))?.books.keys() ?? [])],
          }))
        : [],
    ),
  );
  for (const { entry, word } of await settleCapitals(db, named)) entry.word = word;
}

/** What a pupil's page shows of the pupil's needs. Null for a pupil who is not in the school. */
export async function findPupilNeeds(db: SchoolDb, pupilId: number, timeZone: string, now: Date) {
  const { evaluated, from, to } = await evaluatePupils(db, { pupilId }, timeZone, now);
  const [found] = evaluated;
  if (!found) return null;
  const { open, hidden, improved, level } = found;
  return { needs: open, hidden, improved, level, from, to };
}

/**
 * Lists the pupils in need of a selection, the most urgent first.
 * @param page of the pupils in need; all of them when absent
 */
export async function listNeeds(
  db: SchoolDb,
  selection: Selection,
  timeZone: string,
  now: Date,
  page: { offset: number; length: number } = { offset: 0, length: Infinity },
): Promise<NeedsList> {
  const { evaluated, calendar, today, from, to } = await evaluatePupils(db, selection, timeZone, now);
  const weeks = chooseReadingWeeks(calendar, today);
  const weekTotals = await listWeekTotals(db, selection, weeks);
  const nameOf = ({ id, name, class_id, class_name }: PupilRow) => ({
    id,
    name,
    group: class_id === null ? null : { id: class_id, name: class_name ?? '' },
  });
  const ranked = rankPupils(evaluated);
  // A pupil with a reason, shown or hidden, is not repeated here.
  const notRead = evaluated.filter(
    ({ pupil: { last_read_on }, hasReason }) =>
      !hasReason && (last_read_on === null || last_read_on < weeks.shown.from),
  );
  return {
    notRead: {
      since: weeks.shown.from,
      total: notRead.length,
      readers: notRead.slice(0, MAX_NOT_READ).map(({ pupil }) => nameOf(pupil)),
    },
    week: summariseWeek(
      weeks,
      weekTotals,
      evaluated.map(({ pupil }) => pupil),
    ),
    pupils: ranked
      .slice(page.offset, page.offset + page.length)
      .map(({ pupil, open }) => ({ ...nameOf(pupil), needs: open })),
    total: ranked.length,
    hidden: evaluated.flatMap(({ pupil, hidden }) => (hidden.length > 0 ? { ...nameOf(pupil), hidden } : [])),
    improved: evaluated.flatMap(({ pupil, improved }) => (improved.length > 0 ? { ...nameOf(pupil), improved } : [])),
    tooLittle: evaluated.filter(({ wordCount }) => hasReadTooLittle(wordCount)).length,
    from,
    to,
  };
}

/** A response as the API returns it. */
export const toNeedResponse = ({ pupil_id: _, sessions_since: __, ...row }: ResponseRow): NeedResponse => ({
  ...row,
  responded_at: row.responded_at.toISOString(),
  until: row.until.toISOString(),
});

function summariseWeek(
  { shown, isLastWeek, monday }: ReadingWeeks,
  totals: Awaited<ReturnType<typeof listWeekTotals>>,
  pupils: readonly PupilRow[],
): ReadingWeek {
  const current = new Set(pupils.map(({ id }) => id));
  const currentTotals = totals.filter(({ pupil_id }) => current.has(pupil_id));
  return {
    ...shown,
    is_last_week: isLastWeek,
    pupils: pupils.length,
    readers: currentTotals.filter(({ has_read }) => has_read).length,
    reading_time: currentTotals.reduce((sum, { reading_time }) => sum + reading_time, 0),
    before: {
      readers: currentTotals.filter(({ had_read }) => had_read).length,
      reading_time: currentTotals.reduce((sum, { reading_time_before }) => sum + reading_time_before, 0),
    },
    read_this_week: pupils.filter(({ last_read_on }) => last_read_on !== null && last_read_on >= monday).length,
  };
}

/**
 * Recent sessions by pupil, the latest first, with their books' titles and whether each book was ever completed.
 * @param bookBegun how often a book must be begun before its title is looked up; 0: never
 */
async function describeSessions(
  db: SchoolDb,
  rows: readonly RecentSessionRow[],
  bookBegun: number,
): Promise<Map<number, RecentSession[]>> {
  const byPupil = Map.groupBy(rows, ({ pupil_id }) => pupil_id);
  const begun = [...byPupil].flatMap(([pupil_id, sessions]) =>
    bookBegun === 0 ? [] : listBegunBooks(sessions, bookBegun).map((book_id) => ({ pupil_id, book_id })),
  );
  const keyOf = ({ pupil_id, book_id }: BegunBook) => `${pupil_id} ${book_id}`;
  const titles = new Map((await listNeverCompleted(db, begun)).map((book) => [keyOf(book), book.title]));
  const completed = new Set(begun.map(keyOf).filter((key) => !titles.has(key)));
  const describe = (row: RecentSessionRow): RecentSession => ({
    ...row,
    book_title: titles.get(keyOf(row)) ?? '',
    completed_ever: completed.has(keyOf(row)),
  });
  return new Map([...byPupil].map(([pupilId, sessions]) => [pupilId, sessions.map(describe)]));
}

const countWords = (levels: readonly LevelTotals[]): number =>
  levels.reduce((sum, { words_attempted }) => sum + words_attempted, 0);
