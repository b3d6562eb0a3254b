import { setTimeout as wait } from 'node:timers/promises';
import { adminToken, firstPupil, query, type SimulationEnvironment, staffToken } from '../harness/environment.ts';
import { atMost, type Bench, type Figure, info, ms, times } from '../harness/figures.ts';
import { residentMemory } from '../harness/process-usage.ts';
import { inTurns, median } from '../harness/rounds.ts';
import { servePortal, type ServerProcess } from '../harness/server-process.ts';

/** More than the pool accepts from one person, and from all together. */
const DOCUMENTS_AT_ONCE = 62;
/** What a teacher of this school asks for delays the other school. */
const [GREEDY_SCHOOL, OTHER_SCHOOL] = [1, 2];
const MAX_RATIO = 3;
const MAX_MEMORY_MB = 600;
/** The minute of an idle worker, and time to end it. */
const IDLE_MS = 75_000;

const megabytes = (value: number): string => `${Math.round(value)} MB`;

/** What a school's staff download, by kind. */
function listDownloads(schoolId: number, { from, to }: SimulationEnvironment): string[] {
  const school = `/v1/enterprises/${schoolId}`;
  const [classId, pupilId] = [(schoolId - 1) * 14 + 1, firstPupil(schoolId)];
  const days = `start_date=${from}&end_date=${to}`;
  const chart = `/v1/charts?name=group_reading_time_by_reading_level_over_time&${days}`;
  return [
    `${school}/readers/export?output=xlsx`,
    `${school}/readers/export?output=csv`,
    `${school}/groups/export?output=xlsx`,
    `${school}/groups/export?output=csv`,
    `${school}/users/export?output=xlsx`,
    `${school}/groups/${classId}/reading/export?output=xlsx`,
    `${school}/readers/${pupilId}/summary/export?output=xlsx`,
    `${school}/invoices/export?output=xlsx`,
    `${school}/audit-log/export?output=xlsx`,
    `${school}/audit-log/export?output=jsonl`,
    `${school}/export`,
    '/v1/templates/pupils.xlsx',
    '/v1/templates/teachers.xlsx',
    `${school}/needs?output=pdf`,
    `${school}/needs?output=pdf&group_id=${classId}`,
    `${school}/groups/${classId}/words?output=sheet&${days}`,
    `${school}/words?output=flashcards&reader_ids=${pupilId}&${days}`,
    `${school}/reports?reader_ids=${pupilId},${pupilId + 1}&${days}`,
    `${school}/readers/${pupilId}/progress?output=pdf&${days}`,
    `${chart}&output=csv`,
    `${chart}&output=xlsx`,
    `/v1/charts/workbook?${days}`,
    `/v1/charts/summary?output=pdf&${days}`,
    '/v1/user-guide.pdf',
    '/v1/certificates/book-worm.pdf',
    `${school}/certificates?certificate=reader-of-the-week&group_id=${classId}`,
    `${school}/certificates?certificate=superstar-reader&reader_id=${pupilId}`,
  ];
}

async function download(portal: ServerProcess, path: string, token: string): Promise<number> {
  const response = await fetch(portal.url + path, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}

async function assertDownloads(portal: ServerProcess, path: string, token: string): Promise<void> {
  const status = await download(portal, path, token);
  if (status !== 200) throw new Error(`${path.replaceAll(/\d+/g, 'N')} returned ${status}.`);
}

/** How much does one teacher's demand delay another school's file, and how much memory do all kinds of files need? */
export async function measureDocuments(bench: Bench): Promise<Figure[]> {
  // Downloads of school data need a login of the last minutes.
  await query(bench.environment.url, 'update sessions set proved_at = now() where user_id <= 16');
  return [...(await measureDelay(bench)), ...(await measureMemory(bench))];
}

async function measureDelay({ environment, pace }: Bench): Promise<Figure[]> {
  const portal = await servePortal(environment.url);
  const needsOf = (schoolId: number) => `/v1/enterprises/${schoolId}/needs?output=pdf`;
  const files = {
    spreadsheet: `/v1/enterprises/${OTHER_SCHOOL}/users/export?output=xlsx`,
    document: needsOf(OTHER_SCHOOL),
  };
  const statuses = new Set<number>();
  let rejected = 0;
  let demands = 0;
  const time = async (path: string): Promise<number> => {
    const start = performance.now();
    await assertDownloads(portal, path, adminToken(OTHER_SCHOOL));
    return performance.now() - start;
  };
  const timeAlone = (path: string) => async () => {
    const durations: number[] = [];
    for (let n = 0; n < 5; n += 1) durations.push(await time(path));
    return median(durations);
  };
  /** The file is requested together with the demand, most of which is rejected, and again while the rest is made. */
  const timeBeside = (path: string) => async () => {
    demands += 1;
    const unanswered = new Set<number>();
    const greedy = Array.from({ length: DOCUMENTS_AT_ONCE }, async (_, n) => {
      unanswered.add(n);
      const status = await download(portal, needsOf(GREEDY_SCHOOL), staffToken(2));
      statuses.add(status);
      if (status !== 200) rejected += 1;
      unanswered.delete(n);
    });
    const first = await time(path);
    const later: number[] = [];
    do later.push(await time(path));
    while (unanswered.size > 0);
    await Promise.all(greedy);
    return { first, later: median(later) };
  };
  try {
    const rounds = await inTurns(pace, {
      sheetAlone: timeAlone(files.spreadsheet),
      sheetBeside: timeBeside(files.spreadsheet),
      documentAlone: timeAlone(files.document),
      documentBeside: timeBeside(files.document),
    });
    const ratio = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of));
    return [
      info('A small spreadsheet alone', ms(ratio(({ sheetAlone }) => sheetAlone))),
      info('A document alone', ms(ratio(({ documentAlone }) => documentAlone))),
      info(`${DOCUMENTS_AT_ONCE} documents at once by one teacher: statuses`, [...statuses].sort().join(', ')),
      info('Rejected of them', `${Math.round(rejected / demands)}`),
      info(
        'A small spreadsheet of another school, requested with them',
        ms(ratio(({ sheetBeside }) => sheetBeside.first)),
      ),
      atMost(
        'The same document of another school, requested with them: slower',
        ratio(({ documentAlone, documentBeside }) => documentBeside.first / documentAlone),
        MAX_RATIO,
        times,
      ),
      atMost(
        'A small spreadsheet of another school while they are made: slower',
        ratio(({ sheetAlone, sheetBeside }) => sheetBeside.later / sheetAlone),
        MAX_RATIO,
        times,
      ),
      atMost(
        'The same document of another school while they are made: slower',
        ratio(({ documentAlone, documentBeside }) => documentBeside.later / documentAlone),
        MAX_RATIO,
        times,
      ),
    ];
  } finally {
    await portal.stop();
  }
}

async function measureMemory({ environment }: Bench): Promise<Figure[]> {
  const portal = await servePortal(environment.url);
  try {
    const before = portal.peakMemory();
    const start = performance.now();
    const [first = [], second = []] = [GREEDY_SCHOOL, OTHER_SCHOOL].map((id) => listDownloads(id, environment));
    for (const [index, path] of first.entries())
      await Promise.all([
        assertDownloads(portal, path, adminToken(GREEDY_SCHOOL)),
        assertDownloads(portal, second[index]!, adminToken(OTHER_SCHOOL)),
      ]);
    const seconds = (performance.now() - start) / 1000;
    const peak = portal.peakMemory();
    const after = residentMemory(portal.pid);
    await wait(IDLE_MS);
    return [
      info('Memory of a process before its first file', megabytes(before)),
      info(`Two of each of ${first.length} kinds of files, within`, `${seconds.toFixed(1)} s`),
      atMost('Two of each kind of file: peak memory', peak, MAX_MEMORY_MB, megabytes),
      info('Memory after the last file', megabytes(after)),
      atMost('Memory after an idle minute', residentMemory(portal.pid), MAX_MEMORY_MB, megabytes),
    ];
  } finally {
    await portal.stop();
  }
}
