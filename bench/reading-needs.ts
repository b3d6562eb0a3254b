import { mondayOf, plusDays } from '#contract/school-calendar.ts';
import { getPeriodFigures } from '#server/features/dashboard/charts.queries.ts';
import { listPupilReading } from '#server/features/class-reading/class-reading.queries.ts';
import { listHardWords } from '#server/features/hard-words/hard-words.queries.ts';
import { listLastSittings, listNeverCompleted, listLevelTotals } from '#server/features/reading-needs/needs.queries.ts';
import { listPupilWords } from '#server/features/pupil-progress/pupil-progress.queries.ts';
import { firstPupil } from './database.ts';
import * as least from './contenders-reading.ts';
import { atMost, type Bench, type Figure, ms, times, told } from './measure.ts';
import { inTurns, median } from './rounds.ts';
import { connectFor, timeStatement } from './statement-costs.ts';
import { type Statement, statementOf } from './statements.ts';

const ZONE = 'Europe/London';

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
      least.leastLevels(dense, classOf, recent),
    );
    await add(
      `who needs me, ${who}: sittings`,
      (id) => statementOf(id, (db) => listLastSittings(db, selectionOf(id), ZONE, recent)),
      least.leastSittings(dense, classOf, since),
    );
  }
  // A book of each pupil of a class: more than are begun again and again.
  const begun = (id: number) =>
    Array.from({ length: 28 }, (_, index) => ({ pupil_id: firstPupil(id) + index, book_id: 101 }));
  await add(
    'who needs me: books never completed',
    (id) => statementOf(id, (db) => listNeverCompleted(db, begun(id))),
    least.leastNeverCompleted(dense, firstPupil(dense), 28),
  );
  await add(
    'reading of a class',
    (id) => statementOf(id, (db) => listPupilReading(db, firstClass(id), weeks, ZONE)),
    least.leastClassReading(dense, firstClass(dense), weeks[0] ?? monday),
  );
  await add(
    'words of a class over a year',
    (id) => statementOf(id, (db) => listHardWords(db, firstClass(id), ZONE, from, to)),
    least.leastWords(dense, firstClass(dense), from, to),
  );
  await add(
    'words of a pupil over a year',
    (id) => statementOf(id, (db) => listPupilWords(db, firstPupil(id), ZONE, from, to)),
    least.leastPupilWords(dense, firstPupil(dense), from, to),
  );
  // A half-year, in the middle of the one year that the other school has, with the half before.
  const range = { from: plusDays(to, -181), to };
  const before = { from, to: plusDays(range.from, -1) };
  for (const [whose, selectionOf] of [
    ['the school', () => 'school'],
    ['a class', (id) => ({ classId: firstClass(id) })],
    ['a pupil', (id) => ({ pupilId: firstPupil(id) })],
  ] as [string, (schoolId: number) => least.Selection][]) {
    await add(
      `the period before, of ${whose}`,
      (id) => statementOf(id, (db) => getPeriodFigures(db, selectionOf(id), { range, before })),
      least.leastComparison(dense, selectionOf(dense), before, to),
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
