import { type Days, mondayOf, plusDays } from '#contract/school-calendar.ts';
import { getPeriodFigures } from '#server/features/reading/dashboard/charts.queries.ts';
import { listPupilReading } from '#server/features/reading/class-reading/class-reading.queries.ts';
import { listHardWords } from '#server/features/reading/hard-words/hard-words.queries.ts';
import { listLevelTotals } from '#server/features/reading/dashboard/accuracy.queries.ts';
import { listRecentSessions, listNeverCompleted } from '#server/features/reading/reading-needs/needs.queries.ts';
import { listPupilWords } from '#server/features/reading/pupil-progress/pupil-progress.queries.ts';
import { firstPupil } from '../harness/environment.ts';
import { atMost, type Bench, type Figure, ms, times, info } from '../harness/figures.ts';
import { inTurns, median } from '../harness/rounds.ts';
import { connectAs, type Statement, captureSchoolStatement, timeStatement } from '../harness/statements.ts';

const ZONE = 'Europe/London';

/** The pupils whose reading is queried. */
type Selection = 'school' | { classId: number } | { pupilId: number };

/** The minimal SQL that finds the same as the portal's statements, without row-level security and other guards. */

const inClass = (column: string, schoolId: number, classId: number | undefined): string =>
  classId === undefined
    ? 'true'
    : `${column} in (select id from pupils where school_id = ${schoolId} and class_id = ${classId})`;

const minimalLevels = (schoolId: number, classId: number | undefined, from: string): Statement => ({
  text: `select pupil_id, reading_level, max(day) as day, sum(words_attempted) as attempted, sum(words_correct) as correct
    from reading_days where school_id = $1 and day >= $2::date and ${inClass('pupil_id', schoolId, classId)}
    group by pupil_id, reading_level`,
  values: [schoolId, from],
});

const minimalSessions = (schoolId: number, classId: number | undefined, since: Date): Statement => ({
  text: `select p.id as pupil_id, s.* from pupils p cross join lateral (
      select book_id, reading_level, last_page, words_attempted, words_correct, has_completed_book, played_words, skipped_words
      from reading_sessions where school_id = $1 and pupil_id = p.id and started_at >= $2
      order by started_at desc limit 10
    ) s where p.school_id = $1 and ${inClass('p.id', schoolId, classId)}`,
  values: [schoolId, since],
});

const minimalNeverCompleted = (schoolId: number, firstId: number, pupils: number): Statement => ({
  text: `select p.id, b.id, b.title from pupils p join books b on b.id = 101
    where p.school_id = $1 and p.id between $2 and $3 and not exists (
      select from book_completions where school_id = $1 and pupil_id = p.id and book_id = b.id)`,
  values: [schoolId, firstId, firstId + pupils - 1],
});

const minimalClassReading = (schoolId: number, classId: number, from: string): Statement => ({
  text: `select pupil_id, (day - $2::date) / 7 as week, reading_level, sum(reading_time) as reading_time,
      sum(words_attempted) as attempted, sum(words_correct) as correct, max(day) as day
    from reading_days where school_id = $1 and day >= $2::date and ${inClass('pupil_id', schoolId, classId)}
    group by 1, 2, 3`,
  values: [schoolId, from],
});

const minimalWords = (schoolId: number, classId: number, from: string, to: string): Statement => ({
  text: `select lower(word) as word, count(distinct pupil_id) as pupils, count(*) as times, array_agg(distinct book_id) as books
    from reading_sessions cross join lateral unnest(played_words || skipped_words) as hard (word)
    where school_id = $1 and ${inClass('pupil_id', schoolId, classId)}
      and started_at >= $2::date::timestamp at time zone 'Europe/London'
      and started_at < ($3::date + 1)::timestamp at time zone 'Europe/London'
    group by 1 having count(distinct pupil_id) >= 3 order by 2 desc, 3 desc, 1 limit 60`,
  values: [schoolId, from, to],
});

const minimalPupilWords = (schoolId: number, pupilId: number, from: string, to: string): Statement => ({
  text: `select lower(word) as word, count(*) as times, max(started_at) as latest, array_agg(distinct book_id) as books
    from reading_sessions cross join lateral unnest(played_words || skipped_words) as hard (word)
    where school_id = $1 and pupil_id = $2
      and started_at >= $3::date::timestamp at time zone 'Europe/London'
      and started_at < ($4::date + 1)::timestamp at time zone 'Europe/London'
    group by 1 order by 2 desc, 3 desc, 1 limit 60`,
  values: [schoolId, pupilId, from, to],
});

/** @param to the last day of the period that follows `before` */
function minimalComparison(schoolId: number, selection: Selection, before: Days, to: string): Statement {
  const whose =
    selection === 'school'
      ? 'true'
      : 'pupilId' in selection
        ? `pupil_id = ${selection.pupilId}`
        : `pupil_id in (select id from pupils where school_id = ${schoolId} and class_id = ${selection.classId})`;
  const days = selection === 'school' ? 'school_reading_days' : 'reading_days';
  return {
    text: `select read.*, books.*,
        exists (select from ${days} where school_id = $1 and day <= $2::date and ${whose}) as has_begun
      from (
        select day > $3::date as is_now, sum(reading_time) as reading_time, sum(words_attempted) as attempted, sum(words_correct) as correct
        from ${days} where school_id = $1 and day between $2::date and $4::date and ${whose} group by 1
      ) read cross join (
        select count(*) filter (where last > $3::date) as books_now, count(*) filter (where first <= $3::date) as books_then
        from (
          select min(day) as first, max(day) as last from book_completions
          where school_id = $1 and day between $2::date and $4::date and ${whose} group by pupil_id, book_id
        ) completed
      ) books`,
    values: [schoolId, before.from, before.to, to],
  };
}

/** The portal's statement in the school's role, the minimal SQL, and the portal's statement in a school with one year instead of three. */
interface Comparison {
  portal: Statement;
  least: Statement;
  oneYear: Statement;
}

async function buildComparisons({
  dense,
  denseYear,
  from,
  to,
}: Bench['environment']): Promise<Record<string, Comparison>> {
  const recent = plusDays(to, -41);
  const since = new Date(`${recent}T00:00:00Z`);
  const monday = mondayOf(to);
  const weeks = [5, 4, 3, 2, 1, 0].map((week) => plusDays(monday, -7 * week));
  const firstClass = (schoolId: number) => (schoolId - 1) * 14 + 1;
  const comparisons: Record<string, Comparison> = {};
  const add = async (name: string, portal: (schoolId: number) => Promise<Statement>, minimal: Statement) => {
    comparisons[name] = { portal: await portal(dense), least: minimal, oneYear: await portal(denseYear) };
  };
  for (const [who, selectionOf, classOf] of [
    ['a class', (id: number) => ({ classId: firstClass(id) }) as const, firstClass(dense)],
    ['the school', () => 'school' as const, undefined],
  ] as const) {
    await add(
      `who needs me, ${who}: reading by level`,
      (id) => captureSchoolStatement(id, (db) => listLevelTotals(db, selectionOf(id), { from: recent, to })),
      minimalLevels(dense, classOf, recent),
    );
    await add(
      `who needs me, ${who}: reading sessions`,
      (id) => captureSchoolStatement(id, (db) => listRecentSessions(db, selectionOf(id), ZONE, recent)),
      minimalSessions(dense, classOf, since),
    );
  }
  // One book for each pupil of a class, which is more than are ever begun repeatedly.
  const begunBooks = (id: number) =>
    Array.from({ length: 28 }, (_, index) => ({ pupil_id: firstPupil(id) + index, book_id: 101 }));
  await add(
    'who needs me: books never completed',
    (id) => captureSchoolStatement(id, (db) => listNeverCompleted(db, begunBooks(id))),
    minimalNeverCompleted(dense, firstPupil(dense), 28),
  );
  await add(
    'reading of a class',
    (id) => captureSchoolStatement(id, (db) => listPupilReading(db, firstClass(id), weeks, ZONE)),
    minimalClassReading(dense, firstClass(dense), weeks[0] ?? monday),
  );
  await add(
    'words of a class over a year',
    (id) => captureSchoolStatement(id, (db) => listHardWords(db, firstClass(id), ZONE, from, to)),
    minimalWords(dense, firstClass(dense), from, to),
  );
  await add(
    'words of a pupil over a year',
    (id) => captureSchoolStatement(id, (db) => listPupilWords(db, firstPupil(id), ZONE, from, to)),
    minimalPupilWords(dense, firstPupil(dense), from, to),
  );
  // Half a year, and the half before it, within the year of the other school.
  const range = { from: plusDays(to, -181), to };
  const before = { from, to: plusDays(range.from, -1) };
  for (const [whose, selectionOf] of [
    ['the school', () => 'school'],
    ['a class', (id) => ({ classId: firstClass(id) })],
    ['a pupil', (id) => ({ pupilId: firstPupil(id) })],
  ] as [string, (schoolId: number) => Selection][]) {
    await add(
      `the period before, of ${whose}`,
      (id) => captureSchoolStatement(id, (db) => getPeriodFigures(db, selectionOf(id), { range, before })),
      minimalComparison(dense, selectionOf(dense), before, to),
    );
  }
  return comparisons;
}

/** How expensive are the statements about pupils' reading, in a school where each pupil reads every day? */
export async function measureReadingNeeds(bench: Bench): Promise<Figure[]> {
  const { environment, pace } = bench;
  const inRole = await connectAs(environment.url, environment.dense);
  const inYear = await connectAs(environment.url, environment.denseYear);
  const plain = await connectAs(environment.url);
  const figures: Figure[] = [];
  for (const [name, { portal, least, oneYear }] of Object.entries(await buildComparisons(environment))) {
    const rounds = await inTurns(
      { ...pace, seconds: pace.seconds / 4 },
      {
        portal: (seconds) => timeStatement(inRole, portal, seconds),
        least: (seconds) => timeStatement(plain, least, seconds),
        oneYear: (seconds) => timeStatement(inYear, oneYear, seconds),
      },
    );
    figures.push(
      info(`${name}, processor time`, ms(median(rounds.map((round) => round.portal)))),
      atMost(`${name}: of the minimal SQL`, median(rounds.map((round) => round.portal / round.least)), 1.5, times),
      atMost(
        `${name}: after three years, of one year`,
        median(rounds.map((round) => round.portal / round.oneYear)),
        1.2,
        times,
      ),
    );
  }
  await Promise.all([inRole.end(), inYear.end(), plain.end()]);
  return figures;
}
