import { setTimeout as wait } from 'node:timers/promises';
import { countDifferences } from './charts.ts';
import { type Environment, firstPupil, PUPILS, pupilToken } from '../harness/environment.ts';
import { load, type LoadRequest } from '../harness/load.ts';
import { atLeast, atMost, type Bench, type Figure, perSecond } from '../harness/figures.ts';
import { query } from '../harness/postgres.ts';
import { buildSession } from '../harness/reading-session.ts';
import { inTurns } from '../harness/rounds.ts';

const BATCH = 500;
const CONNECTIONS = 4;
const WORDS = 'the and then there where light night through enough island castle dragon'.split(' ');
const DAY_MS = 86_400_000;

/** A batch as the reading product sends it: sessions of one pupil across the year. */
function makeBatch(bookIds: readonly number[], { from, to }: Environment): object[] {
  const first = Date.parse(from) + DAY_MS / 3;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  return Array.from({ length: BATCH }, (_, n) => ({
    ...buildSession(),
    book_id: bookIds[n % bookIds.length],
    started_at: new Date(first + ((n * 7) % days) * DAY_MS + n * 1000).toISOString(),
    reading_time: 60 + ((n * 31) % 1500),
    words_attempted: 20 + ((n * 13) % 400),
    words_correct: (n * 13) % 400,
    heatmap: Array.from({ length: 8 }, (_page, page) => (page * 37 + n) % 90),
    played_words: WORDS.slice(n % 8),
    skipped_words: WORDS.slice(n % 5),
  }));
}

/** How many reading sessions per second are stored in batches, and are the totals right afterwards? */
export async function measureIntake({ environment, portal, pace }: Bench): Promise<Figure[]> {
  const bookIds = (await query<{ id: string }>(environment.url, 'select id from books')).map(({ id }) => Number(id));
  let pupil = 0;
  const nextBatch = (): LoadRequest => {
    pupil += 1;
    const token = pupilToken(firstPupil(environment.empty) + (pupil % PUPILS));
    return {
      method: 'POST',
      path: '/v1/reader/sessions',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ sessions: makeBatch(bookIds, environment) }),
    };
  };
  const medianOf = await inTurns(pace, { portal: (seconds) => load(portal, CONNECTIONS, seconds, nextBatch) });
  await wait(3000); // requests in flight at the end are stored too
  const [stored] = await query<{ n: string }>(
    environment.url,
    'select count(*) as n from reading_sessions where school_id = $1',
    [environment.empty],
  );
  const differences = await countDifferences(environment.url, environment.empty);
  const rate = medianOf((round) => round.portal.perSecond * BATCH);
  return [
    atLeast(`Reading sessions stored in batches of ${BATCH}`, rate, 5000, perSecond),
    atMost(`Daily totals that differ after ${stored?.n} new sessions`, differences, 0, String),
  ];
}
