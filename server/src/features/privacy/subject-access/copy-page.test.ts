import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { subjectRequestCalls } from '#contract/calls/subject-requests.ts';
import { randomFrom } from '#seeds/random.ts';
import { readSession, toBookText } from '#seeds/reading-session.ts';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { addDays } from '../../../clock.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { makeCopy, type MadeCopy } from '../../../testing/subject-requests.ts';
import { formatAge, formatMinutes } from './copy-format.service.ts';

const app = testApp();
const NOW = '2026-11-18T12:00:00.000Z';
let school: BuiltSchool;
let pupil: { id: number };

beforeEach(async () => {
  app.setTime(NOW);
  school = await app.build.school();
  pupil = (await app.build.pupils(school, school.ownClass.id, ['Xanthippe Quaglino']))[0]!;
});

/** Makes the copy of a person. */
async function copy(subject: { kind: 'pupil' | 'staff'; id: number }, options?: object): Promise<MadeCopy> {
  const { reply } = await app.call(subjectRequestCalls.openSubjectRequest, {
    params: { id: school.id },
    token: school.admin.token,
    body: {
      subject,
      requester_name: 'Gwen Quaglino',
      requester_relation: 'parent',
      identity_check: 'Known',
      maturity: 'adult_decides',
      received_on: '2026-11-18',
    },
  });
  return makeCopy(app, school, reply.request.id, options);
}
const copyPupil = () => copy({ kind: 'pupil', id: pupil.id });

/** Texts that only a computer understands: raw columns, and numbers without a unit. */
const RAW = /heatmap|reading_time|_at\b|_id\b|\bnull\b|\{|\}|Invalid Date|NaN|undefined/i;

/** What a person reads: the PDF, and the HTML without its style. */
const readable = ({ files, pages }: MadeCopy): string =>
  `${pages.join('\n')}\n${(files.get('read-me-first.html') ?? '').replace(/<style>[^]*<\/style>/, '').replaceAll(/<[^>]+>/g, ' ')}`;

/** A year of simulated reading on every day but Sunday, with staff who write, help and look. */
async function simulateYear(): Promise<void> {
  const { rows } = await sql<{ id: number; reading_level: number; pages: string[] }>`
    select b.id, b.reading_level, array_agg(p.text order by p.page) as pages
    from books b join book_pages p on p.book_id = b.id group by b.id order by b.id limit 40`.execute(
    app.database.kysely,
  );
  const random = randomFrom('a year');
  const sessions: Parameters<typeof app.build.reading>[2][number][] = [];
  let [next, pagesRead] = [0, 0];
  for (let day = '2025-11-18'; day < '2026-11-18'; day = addDays(day, 1)) {
    if (new Date(day).getUTCDay() === 0) continue;
    const book = toBookText(rows[next % rows.length]!);
    const session = readSession(random, book, pagesRead, { accuracy: 0.92, wordsPerMinute: 60 }, 8);
    sessions.push({ ...session, book_id: book.id, started_at: `${day}T16:00:00Z` });
    if (session.has_completed_book) next += 1;
    pagesRead = session.has_completed_book ? 0 : session.last_page;
  }
  await app.build.reading(school, pupil.id, sessions);
  for (let note = 0; note < 6; note += 1)
    await app.call(pupilNoteCalls.addPupilNote, {
      params: { id: school.id, readerId: pupil.id },
      token: school.admin.token,
      body: { text: `Xanthippe reads aloud with pleasure, and asks what words mean. ${note}` },
    });
  const of = sql`${school.id}::bigint, ${pupil.id}::bigint`;
  await sql`insert into daily_views (school_id, about, about_id, day, user_id, is_support, what, screen, pupil_ids, count,
      first_at, last_at)
    select ${school.id}::bigint, case when n % 2 = 0 then 'pupil' else 'class' end,
      case when n % 2 = 0 then ${pupil.id}::bigint else ${school.ownClass.id}::bigint end, at::date,
      case when n % 3 = 0 then ${school.admin.id}::bigint else ${school.teacher.id}::bigint end, false, 'page', 'pupil',
      array[${pupil.id}::bigint], 2, at, at + interval '1 minute'
    from generate_series(1, 200) n, lateral (select ${NOW}::timestamptz - n * interval '30 hours' as at) times`.execute(
    app.database.kysely,
  );
  await sql`insert into login_events (school_id, pupil_id, at, method)
    select ${of}, ${NOW}::timestamptz - n * interval '26 hours', 'pupil_password' from generate_series(1, 300) n`.execute(
    app.database.kysely,
  );
  await sql`insert into need_responses (school_id, pupil_id, need, response, remark, reason, responded_by, responded_at, until)
    select ${of}, 'not_read', 'done', 'Spoke after lunch', 'Has not read for 8 days', ${school.teacher.id}::bigint,
      ${NOW}::timestamptz - n * interval '40 days', ${NOW}::timestamptz from generate_series(1, 6) n`.execute(
    app.database.kysely,
  );
  await sql`insert into audit_log (school_id, at, actor_user_id, action, subject_kind, subject_id)
    select ${school.id}::bigint, ${NOW}::timestamptz - n * interval '9 days', ${school.teacher.id}::bigint,
      (array['pupil_renamed', 'pupil_moved', 'books_assigned'])[1 + n % 3], 'pupil', ${String(pupil.id)}
    from generate_series(1, 40) n`.execute(app.database.kysely);
}

test('a pupil’s copy after a year of reading has at most eight pages, with sentences, units and totals', async () => {
  await simulateYear();
  const made = await copyPupil();
  expect(made.pages.length).toBeGreaterThan(3);
  expect(made.pages.length).toBeLessThanOrEqual(8);
  const { rows } = await sql<{ minutes: number; days: number; words: number }>`
      select sum(minutes) as minutes, sum(days) as days, sum(words) as words from (
        select round(sum(reading_time) / 60.0) as minutes, count(distinct day) as days, sum(words_attempted) as words
        from reading_days where school_id = ${school.id} and pupil_id = ${pupil.id} group by date_trunc('month', day)) m`.execute(
    app.database.kysely,
  );
  const [minutes, days, words] = [rows[0]?.minutes, rows[0]?.days, rows[0]?.words].map((value) =>
    Number(value).toLocaleString('en-GB'),
  );
  const [first = '', second = ''] = made.pages.map((page) => page.replaceAll(/\s+/g, ' '));
  expect(first).toMatch(/^Everything about Xanthippe Quaglino A copy of what /);
  expect(first).toContain(`Xanthippe Quaglino is a pupil at ${school.name}, in the class ${school.ownClass.name}`);
  expect(first).toMatch(
    new RegExp(`has read for \\d+ hours( \\d+ minutes?)? on ${days} days: [\\d,]+ pages and ${words} words`),
  );
  expect(first).toMatch(/Of every 100 words, \d\d were read correctly\. The last book was of level [1-6]\./);
  expect(first).toContain('2 people looked at this record: Morgan Teacher 134 times, Morgan Admin 6');
  expect(first).toContain('Reading time by month');
  expect(second).toContain('Month Days Minutes Pages Words Read correctly Books finished');
  expect(second).toMatch(new RegExp(`Total ${days} ${minutes} [\\d,]+ ${words} \\d\\d% \\d+`));
  expect(readable(made)).not.toMatch(RAW);
  expect(readable(made)).toContain('Has not read for 8 days');
  expect(readable(made)).toContain('Spoke after lunch');
  for (const file of ['reading_sessions', 'daily_views', 'login_events', 'need_responses'])
    expect(readable(made)).toContain(`${file}.csv`);
  // Half of the views are of the pupil's page, half of the list of a class. The notes above may add views of their own.
  expect(made.files.get('data/daily_views.csv')?.match(/\n/g)?.length).toBeGreaterThanOrEqual(201);
});

test('a new pupil’s copy states that nothing was read and no one looked', async () => {
  const made = await copyPupil();
  expect(made.pages).toHaveLength(2);
  expect(made.pages[0]).toContain('Xanthippe Quaglino has not read anything yet.');
  expect(made.pages[0]).toContain('No member of staff is recorded as having looked at this record.');
  expect(made.pages[0]).not.toContain('Reading time by month');
  expect(readable(made)).not.toMatch(RAW);
  expect(readable(made)).not.toContain('What was read, by month');
});

test('a copy counts reading at midnight in the month of the school’s own time zone', async () => {
  school = await app.build.school({ timeZone: 'Asia/Tokyo' });
  pupil = (await app.build.pupils(school, school.ownClass.id, ['Xanthippe Quaglino']))[0]!;
  await app.build.reading(school, pupil.id, [{ started_at: '2026-09-30T16:00:00Z', heatmap: [10, 0, 0] }]);
  const html = (await copyPupil()).files.get('read-me-first.html') ?? '';
  expect(html).toContain(
    '<th scope="row">October 2026</th><td class="number">1</td><td class="number">2</td><td class="number">1</td>',
  );
  expect(html).not.toContain('September 2026');
});

test(
  'a copy with 100,000 reading sessions has all of them in its files and at most six pages',
  { timeout: 600_000 },
  async () => {
    const total = 100_000;
    await sql`insert into reading_sessions (school_id, id, pupil_id, book_id, reading_level, started_at, received_at, reading_time, last_page, words_attempted, words_correct, has_completed_book, heatmap, played_words, skipped_words)
      select ${school.id}, gen_random_uuid(), ${pupil.id}, 101, 2, timestamptz '2018-01-01' + n * interval '40 minutes', now(), 60, 1, 10, 9, false, '{9}', array['word' || n], '{}'
      from generate_series(1, ${total}) n`.execute(app.database.kysely);
    await sql`analyze reading_sessions`.execute(app.database.kysely);
    const made = await copyPupil();
    expect(made.pages.length).toBeLessThanOrEqual(6);
    expect(made.files.get('read-me-first.html')?.length).toBeLessThan(60_000);
    expect(made.files.get('data/reading_sessions.csv')?.match(/\n/g)).toHaveLength(total + 1);
    expect(made.pages[1]).toMatch(/Before \w+ \d{4}/);
    const { rows } = await sql<{ bytes: number }>`
      select max(octet_length(sealed)) as bytes from subject_request_parts where school_id = ${school.id}`.execute(
      app.database.kysely,
    );
    expect(rows[0]?.bytes).toBeLessThan(2 << 20);
  },
);

test('a copy for a member of staff describes in sentences and by month what they did, and names no pupil', async () => {
  await simulateYear();
  const made = await copy({ kind: 'staff', id: school.teacher.id });
  const first = made.pages[0]?.replaceAll(/\s+/g, ' ') ?? '';
  expect(first).toContain(`Morgan Teacher is a teacher at ${school.name}`);
  expect(first).toContain('looked at the records of pupils 268 times.');
  expect(first).toContain('The list of changes has 40 entries');
  expect(made.pages.length).toBeLessThanOrEqual(8);
  expect(readable(made)).toMatch(/Month Views/);
  expect(readable(made)).toContain('Total 268');
  expect(readable(made)).not.toMatch(RAW);
  expect(made.everything).not.toContain('Xanthippe');
});

test.each([
  [0, '0 minutes'],
  [1, '1 minute'],
  [60, '1 hour'],
  [1880, '31 hours 20 minutes'],
])('formats %i minutes as “%s”', (minutes, text) => {
  expect(formatMinutes(minutes)).toBe(text);
});

test.each([
  ['2026-11-17', '1 day'],
  ['2026-10-19', '30 days'],
  ['2026-10-18', '1 month'],
  ['2025-11-18', '1 year'],
  ['2025-09-18', '1 year and 2 months'],
])('the time from %s to 18 November 2026 is %s', (from, text) => {
  expect(formatAge(from, '2026-11-18')).toBe(text);
});
