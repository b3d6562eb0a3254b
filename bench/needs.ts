import { type Days, mondayOf, plusDays } from '#contract/school-calendar.ts';
import { getPeriodFigures } from '#server/features/dashboard/charts.queries.ts';
import { listPupilReading } from '#server/features/class-reading/class-reading.queries.ts';
import { listHardWords } from '#server/features/hard-words/hard-words.queries.ts';
import { listLastSittings, listNeverCompleted, listLevelTotals } from '#server/features/reading-needs/needs.queries.ts';
import { listPupilWords } from '#server/features/pupil-progress/pupil-progress.queries.ts';
import { firstPupil } from './database.ts';
import { atMost, type Bench, type Figure, ms, times, told } from './measure.ts';
import { inTurns, median } from './rounds.ts';
import { connectFor, type Statement, statementOf, timeStatement } from './statements.ts';

const ZONE = 'Europe/London';

/** Whose reading is asked for. */
type Selection = 'school' | { classId: number } | { pupilId: number };

/** The least SQL that finds what the portal's statements on pupils' reading find, written by hand without its guards. */

const inClass = (column: string, schoolId: number, classId: number | undefined): string =>
  classId === undefined
    ? 'true'
    : `${column} in (select id from pupils where school_id = ${schoolId} and class_id = ${classId})`;

const leastLevels = (schoolId: number, classId: number | undefined, from: string): Statement => ({
  text: `select pupil_id, reading_level, max(day) as day, sum(words_attempted) as attempted, sum(words_correct) as correct
    from reading_days where school_id = $1 and day >= $2::date and ${inClass('pupil_id', schoolId, classId)}
    group by pupil_id, reading_level`,
  values: [schoolId, from],
});

const leastSittings = (schoolId: number, classId: number | undefined, since: Date): Statement => ({
  text: `select p.id as pupil_id, s.* from pupils p cross join lateral (
      select book_id, reading_level, last_page, words_attempted, words_correct, has_completed_book, played_words, skipped_words
      from reading_sessions where school_id = $1 and pupil_id = p.id and started_at >= $2
      order by started_at desc limit 10
    ) s where p.school_id = $1 and ${inClass('p.id', schoolId, classId)}`,
  values: [schoolId, since],
});

const leastNeverCompleted = (schoolId: number, firstId: number, pupils: number): Statement => ({
  text: `select p.id, b.id, b.title from pupils p join books b on b.id = 101
    where p.school_id = $1 and p.id between $2 and $3 and not exists (
      select from book_completions where school_id = $1 and pupil_id = p.id and book_id = b.id)`,
  values: [schoolId, firstId, firstId + pupils - 1],
});

const leastClassReading = (schoolId: number, classId: number, from: string): Statement => ({
  text: `select pupil_id, (day - $2::date) / 7 as week, reading_level, sum(reading_time) as reading_time,
      sum(words_attempted) as attempted, sum(words_correct) as correct, max(day) as day
    from reading_days where school_id = $1 and day >= $2::date and ${inClass('pupil_id', schoolId, classId)}
    group by 1, 2, 3`,
  values: [schoolId, from],
});

const leastWords = (schoolId: number, classId: number, from: string, to: string): Statement => ({
  text: `select lower(word) as word, count(distinct pupil_id) as pupils, count(*) as times, array_agg(distinct book_id) as books
    from reading_sessions cross join lateral unnest(played_words || skipped_words) as hard (word)
    where school_id = $1 and ${inClass('pupil_id', schoolId, classId)}
      and started_at >= $2::date::timestamp at time zone 'Europe/London'
      and started_at < ($3::date + 1)::timestamp at time zone 'Europe/London'
    group by 1 having count(distinct pupil_id) >= 3 order by 2 desc, 3 desc, 1 limit 60`,
  values: [schoolId, from, to],
});

const leastPupilWords = (schoolId: number, pupilId: number, from: string, to: string): Statement => ({
  text: `select lower(word) as word, count(*) as times, max(started_at) as latest, array_agg(distinct book_id) as books
    from reading_sessions cross join lateral unnest(played_words || skipped_words) as hard (word)
    where school_id = $1 and pupil_id = $2
      and started_at >= $3::date::timestamp at time zone 'Europe/London'
      and started_at < ($4::date + 1)::timestamp at time zone 'Europe/London'
    group by 1 order by 2 desc, 3 desc, 1 limit 60`,
  values: [schoolId, pupilId, from, to],
});

/** @param to the last day of the period that follows right after the one before */
function leastComparison(schoolId: number, selection: Selection, before: Days, to: string): Statement {
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

/** What the portal sends, in the school's role, against the least SQL that finds the same; and in a school with one year instead of three. */
interface Contest {
  portal: Statement;
  least: Statement;
  oneYear: Statement;
}

async function contests({ dense, denseYear, from, to }: Bench['world']): Promise<Record<string, Contest>> {
  const recent = plusDays(to, -41);
  const since = new Date(`${recent}T00:00:00Z`);
  const monday = mondayOf(to);
  const weeks = [5, 4, 3, 2, 1, 0].map((week) => plusDays(monday, -7 * week));
  const firstClass = (schoolId: number) => (schoolId - 1) * 14 + 1;
  const made: Record<string, Contest> = {};
  const add = async (name: string, portal: (schoolId: number) => Promise<Statement>, contender: Statement) => {
    made[name] = { portal: await portal(dense), least: contender, oneYear: await portal(denseYear) };
  };
  for (const [who, selectionOf, classOf] of [
    ['a class', (id: number) => ({ classId: firstClass(id) }) as const, firstClass(dense)],
    ['the school', () => 'school' as const, undefined],
  ] as const) {
    await add(
      `who needs me, ${who}: reading by level`,
      (id) => statementOf(id, (db) => listLevelTotals(db, selectionOf(id), recent)),
      leastLevels(dense, classOf, recent),
    );
    await add(
      `who needs me, ${who}: sittings`,
      (id) => statementOf(id, (db) => listLastSittings(db, selectionOf(id), ZONE, recent)),
      leastSittings(dense, classOf, since),
    );
  }
  // A book of each pupil of a class: more than are begun again and again.
  const begun = (id: number) =>
    Array.from({ length: 28 }, (_, index) => ({ pupil_id: firstPupil(id) + index, book_id: 101 }));
  await add(
    'who needs me: books never completed',
    (id) => statementOf(id, (db) => listNeverCompleted(db, begun(id))),
    leastNeverCompleted(dense, firstPupil(dense), 28),
  );
  await add(
    'reading of a class',
    (id) => statementOf(id, (db) => listPupilReading(db, firstClass(id), weeks, ZONE)),
    leastClassReading(dense, firstClass(dense), weeks[0] ?? monday),
  );
  await add(
    'words of a class over a year',
    (id) => statementOf(id, (db) => listHardWords(db, firstClass(id), ZONE, from, to)),
    leastWords(dense, firstClass(dense), from, to),
  );
  await add(
    'words of a pupil over a year',
    (id) => statementOf(id, (db) => listPupilWords(db, firstPupil(id), ZONE, from, to)),
    leastPupilWords(dense, firstPupil(dense), from, to),
  );
  // A half-year, in the middle of the one year that the other school has, with the half before.
  const range = { from: plusDays(to, -181), to };
  const before = { from, to: plusDays(range.from, -1) };
  for (const [whose, selectionOf] of [
    ['the school', () => 'school'],
    ['a class', (id) => ({ classId: firstClass(id) })],
    ['a pupil', (id) => ({ pupilId: firstPupil(id) })],
  ] as [string, (schoolId: number) => Selection][]) {
    await add(
      `the period before, of ${whose}`,
      (id) => statementOf(id, (db) => getPeriodFigures(db, selectionOf(id), { range, before })),
      leastComparison(dense, selectionOf(dense), before, to),
    );
  }
  return made;
}

/** Who needs somebody, the reading of a class and its hard words, in the school where each pupil reads every day. */
export async function measureReadingNeeds(bench: Bench): Promise<Figure[]> {
  const { world, pace } = bench;
  const inRole = await connectFor(world.url, world.dense);
  const inYear = await connectFor(world.url, world.denseYear);
  const plain = await connectFor(world.url);
  const figures: Figure[] = [];
  for (const [name, { portal, least: contender, oneYear }] of Object.entries(await contests(world))) {
    const rounds = await inTurns(
      { ...pace, seconds: pace.seconds / 4 },
      {
        portal: (seconds) => timeStatement(inRole, portal, seconds),
        least: (seconds) => timeStatement(plain, contender, seconds),
        oneYear: (seconds) => timeStatement(inYear, oneYear, seconds),
      },
    );
    figures.push(
      told(`${name}, processor time`, ms(median(rounds.map((round) => round.portal)))),
      atMost(`${name}: of the least SQL`, median(rounds.map((round) => round.portal / round.least)), 1.5, times),
      atMost(
        `${name}: after three years, of one`,
        median(rounds.map((round) => round.portal / round.oneYear)),
        1.2,
        times,
      ),
    );
  }
  await Promise.all([inRole.end(), inYear.end(), plain.end()]);
  return figures;
}
