import { mondayOf, plusDays } from '#contract/school-calendar.ts';
import type { SchoolDb } from '#server/database/school.ts';
import { getPeriodFigures, listLevelTotals } from '#server/features/reading/dashboard/charts.queries.ts';
import { listPupilReading } from '#server/features/reading/class-reading/class-reading.queries.ts';
import {
  listBookWords,
  listWordDays,
  listWordSessions,
} from '#server/features/reading/hard-words/hard-words.queries.ts';
import { listRecentSessions, listNeverCompleted } from '#server/features/reading/reading-needs/needs.queries.ts';
import { type Environment, firstPupil } from '../harness/environment.ts';
import { atMost, type Bench, type Figure, ms, times, info } from '../harness/figures.ts';
import { inTurns } from '../harness/rounds.ts';
import { captureSchoolStatement, connectAs, timeStatement } from '../harness/statements.ts';

const ZONE = 'Europe/London';
/** Of a class: more than ever begin a book repeatedly. */
const BEGUN_BOOKS = 28;

/** The processor time of each statement about words, in milliseconds. */
const MAX_WORDS_MS = 20;

/** Sends the statement of a question about a school. */
type Ask = (db: SchoolDb) => Promise<unknown>;

function listQuestions({ from, to }: Environment): Record<string, Ask> {
  const recent = plusDays(to, -41);
  const weeks = [5, 4, 3, 2, 1, 0].map((week) => plusDays(mondayOf(to), -7 * week));
  const classOf = ({ schoolId }: SchoolDb) => (schoolId - 1) * 14 + 1;
  const pupilOf = ({ schoolId }: SchoolDb) => firstPupil(schoolId);
  // Half a year, and the half before it, within the year of the other school.
  const range = { from: plusDays(to, -181), to };
  const before = { from, to: plusDays(range.from, -1) };
  const questions: Record<string, Ask> = {
    'who needs me: books never completed': (db) =>
      listNeverCompleted(
        db,
        Array.from({ length: BEGUN_BOOKS }, (_, index) => ({ pupil_id: pupilOf(db) + index, book_id: 101 })),
      ),
    'reading of a class': (db) => listPupilReading(db, classOf(db), weeks, ZONE),
    'words of a class over a year': (db) => listWordSessions(db, { classId: classOf(db) }, ZONE, from, to),
    'the period before, of a pupil': (db) => getPeriodFigures(db, { pupilId: pupilOf(db) }, { range, before }),
  };
  for (const [whose, select] of [
    ['a class', (db: SchoolDb) => ({ classId: classOf(db) })],
    ['the school', () => 'school' as const],
  ] as const) {
    questions[`who needs me, ${whose}: reading by level`] = (db) =>
      listLevelTotals(db, select(db), { from: recent, to });
    questions[`who needs me, ${whose}: reading sessions`] = (db) => listRecentSessions(db, select(db), ZONE, recent);
    questions[`the period before, of ${whose}`] = (db) => getPeriodFigures(db, select(db), { range, before });
  }
  return questions;
}

/** The statements of lists of words: the app's own counts are of one class of each school only. */
function listWordQuestions({ from, to }: Environment): Record<string, Ask> {
  const recent = plusDays(to, -41);
  const ofClass = ({ schoolId }: SchoolDb) => ({ classId: (schoolId - 1) * 14 + 1 });
  const ofPupil = ({ schoolId }: SchoolDb) => ({ pupilIds: [firstPupil(schoolId)] });
  return {
    'words of a class over six weeks': (db) => listWordSessions(db, ofClass(db), ZONE, recent, to),
    'words of a pupil over a year': (db) => listWordSessions(db, ofPupil(db), ZONE, from, to),
    'words that the app sent of a class over six weeks': (db) => listWordDays(db, ofClass(db), recent, to),
    'words on the pages of 60 books': (db) =>
      listBookWords(
        db,
        [1, 2, 3, 4, 5, 6, 7].flatMap((shelf) => Array.from({ length: 9 }, (_, index) => shelf * 100 + index + 1)),
      ),
  };
}

/**
 * How expensive are the statements about pupils' reading, in a school where each pupil reads every day, and do they slow
 * down over the years?
 */
export async function measureReadingNeeds({ environment, pace }: Bench): Promise<Figure[]> {
  const { url, dense, denseYear } = environment;
  const [threeYears, oneYear] = [await connectAs(url, dense), await connectAs(url, denseYear)];
  const figures: Figure[] = [];
  const words = listWordQuestions(environment);
  for (const [name, ask] of Object.entries({ ...listQuestions(environment), ...words })) {
    const statement = await captureSchoolStatement(dense, ask);
    const ofYear = await captureSchoolStatement(denseYear, ask);
    const medianOf = await inTurns(
      { ...pace, seconds: pace.seconds / 4 },
      {
        threeYears: (seconds) => timeStatement(threeYears, statement, seconds),
        oneYear: (seconds) => timeStatement(oneYear, ofYear, seconds),
      },
    );
    const growth = medianOf((round) => round.threeYears / round.oneYear);
    figures.push(
      name in words
        ? atMost(
            `${name}, processor time`,
            medianOf((round) => round.threeYears),
            MAX_WORDS_MS,
            ms,
          )
        : info(`${name}, processor time`, ms(medianOf((round) => round.threeYears))),
      atMost(`${name}: after three years, of one year`, growth, 1.2, times),
    );
  }
  await Promise.all([threeYears.end(), oneYear.end()]);
  return figures;
}
