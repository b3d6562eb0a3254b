import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { countDifferences } from './charts.ts';
import { query, firstPupil, pupilToken, type SimulationEnvironment } from '../harness/environment.ts';
import { load } from '../harness/load.ts';
import { atLeast, atMost, type Bench, type Figure, perSecond } from '../harness/figures.ts';
import { inTurns, median } from '../harness/rounds.ts';

const BATCH = 500;
const CONNECTIONS = 4;
const WORDS =
  'the and then there where light night through enough island castle dragon whisper thought bridge garden'.split(' ');
const DAY = 86_400_000;

interface Book {
  id: number;
  pages_count: number;
}

/** A batch as the reading product sends it: sessions of one pupil across the year. */
function makeBatch(books: readonly Book[], { from, to }: SimulationEnvironment): object[] {
  const first = Date.parse(from) + DAY / 3;
  const days = (Date.parse(to) - Date.parse(from)) / DAY;
  return Array.from({ length: BATCH }, (_, n) => {
    const book = books[n % books.length] as Book;
    const attempted = 20 + ((n * 13) % 400);
    const completed = n % 3 === 0;
    return {
      id: randomUUID(),
      book_id: book.id,
      started_at: new Date(first + ((n * 7) % days) * DAY + n * 1000).toISOString(),
      reading_time: 60 + ((n * 31) % 1500),
      last_page: completed ? book.pages_count : 1 + (n % book.pages_count),
      words_attempted: attempted,
      words_correct: attempted - (n % 20),
      has_completed_book: completed,
      heatmap: Array.from({ length: book.pages_count }, (_page, page) => (page * 37 + n) % 90),
      played_words: WORDS.slice(n % 8, (n % 8) + (n % 6)),
      skipped_words: WORDS.slice(n % 5, (n % 5) + (n % 9)),
    };
  });
}

/** How many reading sessions per second are stored in batches, and are the charts right afterwards? */
export async function measureIntake({ environment, portal, pace }: Bench): Promise<Figure[]> {
  const books = (
    await query<{ id: string; pages_count: number }>(environment.url, 'select id, pages_count from books')
  ).map((book) => ({ ...book, id: Number(book.id) }));
  let pupil = 0;
  const rounds = await inTurns(pace, {
    portal: async (seconds) => {
      const { perSecond: batches } = await load(portal, CONNECTIONS, seconds, () => {
        pupil += 1;
        return {
          method: 'POST',
          path: '/v1/reader/sessions',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${pupilToken(firstPupil(environment.empty) + (pupil % 400))}`,
          },
          body: JSON.stringify({ sessions: makeBatch(books, environment) }),
        };
      });
      return batches * BATCH;
    },
  });
  await wait(3000); // requests in flight at the end are stored too
  const [stored] = await query<{ n: string }>(
    environment.url,
    'select count(*) as n from reading_sessions where school_id = $1',
    [environment.empty],
  );
  const check = await countDifferences(portal, environment, environment.empty);
  return [
    atLeast(
      `Reading sessions stored in batches of ${BATCH}`,
      median(rounds.map((round) => round.portal)),
      5000,
      perSecond,
    ),
    atMost(`Chart values of ${check.values} that differ after ${stored?.n} new sessions`, check.differences, 0, String),
  ];
}
