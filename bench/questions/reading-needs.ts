import { mondayOf, plusDays } from '#contract/school-calendar.ts';
import type { SchoolDb } from '#server/database/school.ts';
import { getPeriodFigures, listLevelTotals } from '#server/features/reading/dashboard/charts.queries.ts';
import { listPupilReading } from '#server/features/reading/class-reading/class-reading.queries.ts';
import { listHardWords } from '#server/features/reading/hard-words/hard-words.queries.ts';
import { listRecentSessions, listNeverCompleted } from '#server/features/reading/reading-needs/needs.queries.ts';
import { listPupilWords } from '#server/features/reading/pupil-progress/pupil-progress.queries.ts';
import { type Environment, firstPupil } from '../harness/environment.ts';
import { atMost, type Bench, type Figure, ms, times, info } from '../harness/figures.ts';
import { inTurns } from '../harness/rounds.ts';
import { captureSchoolStatement, connectAs, timeStatement } from '../harness/statements.ts';

const ZONE = 'Europe/London';
/** Of a class: more than ever begin a book repeatedly. */
const BEGUN_BOOKS = 28;

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
    'words of a class over a year': (db) => listHardWords(db, classOf(db), ZONE, from, to),
    'words of a pupil over a year': (db) => listPupilWords(db, pupilOf(db), ZONE, from, to),
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

/**
 * How expensive are the statements about pupils' reading, in a school where each pupil reads every day, and do they slow
 * down over the years?
 */
export async function measureReadingNeeds({ environment, pace }: Bench): Promise<Figure[]> {
  const { url, dense, denseYear } = environment;
  const [threeYears, oneYear] = [await connectAs(url, dense), await connectAs(url, denseYear)];
  const figures: Figure[] = [];
  for (const [name, ask] of Object.entries(listQuestions(environment))) {
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
      info(`${name}, processor time`, ms(medianOf((round) => round.threeYears))),
      atMost(`${name}: after three years, of one year`, growth, 1.2, times),
    );
  }
  await Promise.all([threeYears.end(), oneYear.end()]);
  return figures;
}
