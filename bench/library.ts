import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { adminToken } from './database.ts';
import { load } from './load.ts';
import { atLeast, atMost, type Bench, type Figure, ms, percent, perSecond, told } from './measure.ts';
import { type Served, serveFiles } from './processes.ts';
import { inTurns, median } from './rounds.ts';

const CONNECTIONS = 10;
/** The statements that fill the catalogue; it stays full, for this is the last measure of a run. */
const fill = readFileSync(join(import.meta.dirname, 'library.sql'), 'utf8').split(/;\n/);
const SEARCHES = ['', '&search=otter', '&search=the%20lost', '&level_from=2&level_to=3', '&show=assigned', '&page=700'];

/** The library of a pupil with 50,000 titles: pages as the screen asks for them, filtered and not, near and far. */
async function measureLists({ world, portal, pace }: Bench): Promise<Figure[]> {
  const admin = new pg.Client({ connectionString: world.postgres.url('postgres', 'portal') });
  await admin.connect();
  for (const statement of fill) await admin.query(statement);
  await admin.end();
  let turn = 0;
  const next = () => {
    turn += 1;
    const schoolId = 1 + ((turn * 37) % world.schools);
    const pupilId = (schoolId - 1) * 400 + 1 + (turn % 400);
    const path = `/v1/enterprises/${schoolId}/readers/${pupilId}/books?per_page=60${SEARCHES[turn % SEARCHES.length]}`;
    return { path, headers: { authorization: `Bearer ${adminToken(schoolId)}` } };
  };
  // One after the other: a teacher's wait, not the machine's limit, which is told beside it.
  const alone = await inTurns(pace, { portal: (seconds) => load(portal, 1, seconds, next) });
  const many = await inTurns(pace, { portal: (seconds) => load(portal, CONNECTIONS, seconds, next) });
  return [
    atMost('Library of a pupil, 50,000 titles, p99', median(alone.map((round) => round.portal.p99)), 50, ms),
    told(
      `Library of a pupil, 50,000 titles, at ${CONNECTIONS} connections`,
      perSecond(median(many.map((round) => round.portal.perSecond))),
    ),
  ];
}

/** A cover resized before, against the same bytes from a static route with nothing else. */
async function measureCovers({ portal, pace }: Bench): Promise<Figure[]> {
  const headers = { authorization: `Bearer ${adminToken(1)}` };
  const list = await fetch(`${portal.url}/v1/enterprises/1/readers/1/books`, { headers });
  const { books } = (await list.json()) as { books: { cover_image: string }[] };
  const address = `${books[0]?.cover_image}&height=400`;
  const cover = Buffer.from(await (await fetch(portal.url + address)).arrayBuffer());
  const files: Served = await serveFiles({ 'cover.webp': cover });
  try {
    const rounds = await inTurns(pace, {
      portal: (seconds) => load(portal, CONNECTIONS, seconds, () => ({ path: address })),
      bare: (seconds) => load(files, CONNECTIONS, seconds, () => ({ path: '/cover.webp' })),
    });
    return [
      told('Covers from the cache', perSecond(median(rounds.map((round) => round.portal.perSecond)))),
      atLeast(
        'Covers from the cache: of a bare static route',
        median(rounds.map((round) => round.portal.perSecond / round.bare.perSecond)),
        0.8,
        percent,
      ),
    ];
  } finally {
    await files.stop();
  }
}

export const measureLibrary = async (bench: Bench): Promise<Figure[]> => [
  ...(await measureLists(bench)),
  ...(await measureCovers(bench)),
];
