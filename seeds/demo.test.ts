import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessCalls } from '#contract/calls/access.ts';
import { chartCalls } from '#contract/calls/charts.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { readCatalogue } from '#server/features/books/catalogue/catalogue.public.ts';
import { addMonths } from '#server/clock.ts';
import type { Period } from '#server/features/billing/subscriptions/subscriptions.public.ts';
import { testApp } from '#server/testing/app.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, findHoliday } from './calendar.ts';
import { loadDemo } from './demo.ts';
import { fillSchool } from './plan.ts';
import { demoSchools } from './schools.ts';
import { toBookText } from './reading-session.ts';

const app = testApp();
const again = testApp();
const said: string[] = [];

/** Everything loaded except IDs and password hashes, which differ between databases. */
const KEY_TABLES = [
  'select name, urn, time_zone, can_enable_recordings, terms_accepted_at from schools order by name',
  'select u.email, u.first_name, u.last_name, s.role from users u join staff s on s.user_id = u.id order by u.email',
  'select s.name, c.name as class, c.created_at, u.email from classes c join schools s on s.id = c.school_id left join users u on u.id = c.manager_id order by s.name, c.name',
  'select p.username, p.name, c.name as class, p.created_at, p.last_read_at from pupils p left join classes c on c.id = p.class_id order by p.username',
  'select c.name, b.book_id, b.assigned_at from class_books b join classes c on c.id = b.class_id order by c.name, b.book_id',
  'select p.username, b.book_id, b.assigned_at from pupil_books b join pupils p on p.id = b.pupil_id order by p.username, b.book_id',
  `select p.username, r.id, r.book_id, r.started_at, r.reading_time, r.last_page, r.words_attempted, r.words_correct, r.has_completed_book,
     r.heatmap, r.played_words, r.skipped_words from reading_sessions r join pupils p on p.id = r.pupil_id order by p.username, r.started_at, r.id`,
  `select p.username, d.day, d.reading_level, d.reading_time, d.words_attempted, d.words_correct
     from reading_days d join pupils p on p.id = d.pupil_id order by p.username, d.day, d.reading_level`,
  'select p.username, c.day, c.book_id, c.reading_level from book_completions c join pupils p on p.id = c.pupil_id order by p.username, c.day, c.book_id',
];

const digestOf = (loaded: typeof app): Promise<unknown[]> =>
  KEY_TABLES.reduce<Promise<unknown[]>>(async (before, table) => {
    const rows = await before;
    const {
      rows: [row],
    } = await sql<{ n: number; digest: string }>`
      select count(*) as n, md5(string_agg(t::text, '|')) as digest from (${sql.raw(table)}) t`.execute(
      loaded.database.kysely,
    );
    return [...rows, row];
  }, Promise.resolve([]));

const ask = async <Row>(query: string): Promise<Row[]> =>
  (await sql<Row>`${sql.raw(query)}`.execute(app.database.kysely)).rows;

describe('the demonstration schools', () => {
  beforeAll(async () => {
    await loadDemo(app.services, (line) => said.push(line));
  }, 120_000);

  it('the demonstration is loaded completely or not at all when a start is interrupted', async () => {
    const { kysely } = again.database;
    await sql
      .raw(
        `create function break_off() returns trigger language plpgsql as $$ begin raise exception 'broken off'; end $$`,
      )
      .execute(kysely);
    await sql
      .raw(
        `create trigger break_off before insert on classes for each row when (new.name like '%Owls') execute function break_off()`,
      )
      .execute(kysely);
    await expect(loadDemo(again.services, () => undefined)).rejects.toThrow('broken off');
    const { rows } =
      await sql`select from schools union all select from users union all select from reading_sessions`.execute(kysely);
    expect(rows).toHaveLength(0);
    await sql.raw('drop trigger break_off on classes').execute(kysely);
    // Two processes that start at once; the tests below compare the result with what one process loads.
    await Promise.all([loadDemo(again.services, () => undefined), loadDemo(again.services, () => undefined)]);
  }, 120_000);

  it('the demonstration schools are the same each time they are loaded', async () => {
    const digest = await digestOf(app);
    expect(digest).toEqual(await digestOf(again));
    expect(digest).toHaveLength(KEY_TABLES.length);
    for (const table of digest) expect(table).not.toMatchObject({ n: 0 });
  });

  it('loading the demonstration reports what is loaded, once', async () => {
    expect(said).toHaveLength(3);
    const before = await digestOf(app);
    const repeated: string[] = [];
    const logins = await loadDemo(app.services, (line) => repeated.push(line));
    expect(repeated).toEqual([]);
    expect(logins.join('\n')).toContain('head@willowbank.example');
    expect(await digestOf(app)).toEqual(before);
  });

  it('the demonstration is not loaded again after a user has changed one of its logins', async () => {
    await sql`update users set email = 'new@head.example', email_key = 'new@head.example' where email_key = 'head@willowbank.example'`.execute(
      again.database.kysely,
    );
    const lines: string[] = [];
    await loadDemo(again.services, (line) => lines.push(line));
    expect(lines).toEqual([]);
  });

  it('a demonstration school has an invoice for exactly twelve months', async () => {
    const invoices = await ask<{ period: Period; last_day: string }>(
      `select i.content->'period' as period, (b.expires_at at time zone 'Europe/London')::date::text as last_day
         from invoices i join subscriptions b on b.id = i.subscription_id and b.school_id = i.school_id`,
    );
    expect(invoices).toHaveLength(1);
    for (const { period, last_day } of invoices) {
      expect(addDays(period.to, 1)).toBe(addMonths(period.from, 12));
      expect(last_day).toBe(period.to);
    }
  });

  it('the demonstration has a plausible amount of reading for a year', async () => {
    const counts = await ask<{ name: string; n: number; first: Date; last: Date }>(
      'select s.name, count(*) as n, min(r.started_at) as first, max(r.started_at) as last from reading_sessions r join schools s on s.id = r.school_id group by s.name order by s.name',
    );
    const [otterbrook, willowbank] = counts;
    expect(willowbank?.n).toBeGreaterThan(10_000);
    expect(willowbank?.n).toBeLessThan(17_000);
    expect(willowbank && willowbank.first < new Date('2025-10-25')).toBe(true);
    expect(willowbank && willowbank.last > new Date('2026-11-17')).toBe(true);
    expect(otterbrook && otterbrook.first >= new Date('2026-09-17')).toBe(true);
    const { 0: unfinished } = await ask<{ n: number }>(
      `select count(*) as n from reading_sessions where started_at + reading_time * interval '1 second' > '2026-11-18T12:00:00Z'`,
    );
    expect(unfinished?.n).toBe(0);
  });

  it('the demonstration has pupils who never read and books that were never opened', async () => {
    const never = await ask<{ name: string }>('select name from pupils where last_read_at is null order by name');
    expect(never.map(({ name }) => name)).toEqual(expect.arrayContaining(['Deniz Yıldız', 'Tomi Ogunleye']));
    expect(never.length).toBeLessThan(15);
    const closed = await ask(`select from class_books b where not exists (
      select from reading_sessions r join pupils p on p.id = r.pupil_id where r.book_id = b.book_id and p.class_id = b.class_id)`);
    expect(closed.length).toBeGreaterThan(3);
  });

  it('the demonstration has reading of assigned books only, with words and pages of the book', async () => {
    const books = new Map(
      readCatalogue().books.map((book) => [
        book.id,
        {
          pages: book.pages.length,
          text: book.pages.join(' ').toLowerCase(),
          words: new Set(toBookText(book).pages.flat()),
        },
      ]),
    );
    const sessions = await ask<{
      book_id: number;
      last_page: number;
      heatmap: number[];
      played_words: string[];
      skipped_words: string[];
    }>('select book_id, last_page, heatmap, played_words, skipped_words from reading_sessions');
    const wrong = sessions.filter(({ book_id, last_page, heatmap, played_words, skipped_words }) => {
      const known = books.get(book_id);
      const stands = (word: string) => known?.words.has(word) && known.text.includes(word.toLowerCase());
      return (
        heatmap.length !== known?.pages ||
        heatmap[last_page - 1] === 0 ||
        ![...played_words, ...skipped_words].every(stands)
      );
    });
    expect(wrong).toEqual([]);
    expect(sessions.some(({ played_words }) => played_words.length > 5)).toBe(true);
    const unassigned =
      await ask(`select from reading_sessions r join pupils p on p.school_id = r.school_id and p.id = r.pupil_id
      where not exists (select from class_books b where b.class_id = p.class_id and b.book_id = r.book_id and b.assigned_at <= r.started_at)
        and not exists (select from pupil_books b where b.pupil_id = p.id and b.book_id = r.book_id and b.assigned_at <= r.started_at)`);
    expect(unassigned).toHaveLength(0);
  });

  it('sessions of the demonstration move forward until a book is complete', async () => {
    const backward = await ask(`select from (
        select last_page, lag(last_page) over reading as before, lag(has_completed_book) over reading as done_before
        from reading_sessions window reading as (partition by pupil_id, book_id order by started_at)) sessions
      where before is not null and not done_before and last_page <= before`);
    expect(backward).toHaveLength(0);
  });

  it('daily totals of the demonstration equal the sums of its sessions', async () => {
    const off = await ask(`
      with summed as (
        select school_id, pupil_id, (started_at at time zone 'Europe/London')::date as day, reading_level, sum(reading_time) as reading_time,
          sum(words_attempted) as words_attempted, sum(words_correct) as words_correct
        from reading_sessions group by 1, 2, 3, 4)
      select from summed full join reading_days d using (school_id, pupil_id, day, reading_level)
      where (summed.reading_time, summed.words_attempted, summed.words_correct)
        is distinct from (d.reading_time, d.words_attempted, d.words_correct)`);
    expect(off).toHaveLength(0);
  });

  it('the demonstration records each book completed on a day once', async () => {
    const completed = `select distinct school_id, pupil_id, (started_at at time zone 'Europe/London')::date as day, book_id, reading_level
      from reading_sessions where has_completed_book`;
    expect(
      await ask(`${completed} except select school_id, pupil_id, day, book_id, reading_level from book_completions`),
    ).toEqual([]);
    expect(
      await ask(`select school_id, pupil_id, day, book_id, reading_level from book_completions except ${completed}`),
    ).toEqual([]);
  });

  it.each([
    ['head@willowbank.example', 'Willowbank Primary School', 'admin', 3],
    ['teacher@willowbank.example', 'Willowbank Primary School', 'teacher', 1],
    ['head@otherschool.example', 'Otterbrook Primary School', 'admin', 2],
  ] as const)('let %s in', async (email, school, role, managed) => {
    const { reply } = await app.call(accessCalls.logIn, { body: { email, password: 'reading-1' } });
    expect(reply.user).toMatchObject({ enterprise: { name: school }, enterprise_user_role: role });
    const token = reply.meta.token;
    const { reply: found } = await app.call(schoolCalls.getSchool, {
      params: { id: reply.user.enterprise_id ?? 0 },
      token,
    });
    expect(found.enterprise.groups.filter((group) => group.user_manages)).toHaveLength(managed);
    expect(found.enterprise.subscription?.has_expired).toBe(false);
    expect(Object.values(found.enterprise.setup)).not.toContain(false);
    const { reply: yearly } = await app.call(chartCalls.getChart, {
      query: {
        name: 'group_reading_time_by_reading_level_over_time',
        start_date: '2025-10-19',
        end_date: '2026-11-18',
      },
      token,
    });
    expect(yearly.chart.total).toBeGreaterThan(0);
  });

  it('pupils of the demonstration can log in and list their books', async () => {
    for (const username of ['demo-pupil-1', 'demo-pupil-40', 'demo-pupil-90', 'demo-pupil-140']) {
      const { reply } = await app.call(readingAppCalls.logInPupil, { body: { username, password: 'reading-1' } });
      const { reply: shelf } = await app.call(readingAppCalls.listPupilBooks, { token: reply.meta.token });
      expect(shelf.books.length).toBeGreaterThan(0);
    }
  });

  it('the demonstration accepts the requests in docs/reading-product.md exactly as written', async () => {
    const text = readFileSync(join(import.meta.dirname, '../docs/reading-product.md'), 'utf8');
    const requests = [...text.matchAll(/```http\n([\s\S]*?)```/g)].map(([, request = '']) => request);
    expect(requests).toHaveLength(3);
    const known: Record<string, string> = {};
    const replies: { books?: { id: number }[]; accepted?: number; meta?: { token: string } }[] = [];
    for (const request of requests) {
      const [head = '', ...body] = request.replace(/TOKEN|BOOK/g, (word) => known[word] ?? word).split('\n\n');
      const [line = '', ...headers] = head.split('\n');
      const [method = '', path = ''] = line.split(' ');
      const payload = body.join('\n\n').trim();
      const answer = await app.ask(method, path.replace(/^\/v1/, ''), {
        ...(payload && { payload }),
        headers: Object.fromEntries(headers.filter(Boolean).map((header) => header.split(': '))),
      });
      expect({ line, status: answer.status }).toEqual({ line, status: 200 });
      const reply = answer.reply as (typeof replies)[number];
      replies.push(reply);
      known.TOKEN ??= reply.meta?.token ?? '';
      if (reply.books) known.BOOK = String(reply.books[0]?.id);
    }
    expect(replies.at(-1)).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
  });
});

describe('the plan of a school', () => {
  const books = readCatalogue().books.map(toBookText);
  const [plan] = demoSchools;
  if (!plan) throw new Error('There is no demonstration school.');

  it('the plan of a demonstration school depends only on the seed', () => {
    const filled = fillSchool(plan, books, '2027-03-05');
    expect(fillSchool(plan, books, '2027-03-05')).toEqual(filled);
    expect(fillSchool(plan, books, '2027-03-05', 'another')).not.toEqual(filled);
  });

  it.each(['2024-02-29', '2027-01-01', '2028-08-31'])(
    'the plan of a demonstration school reaches %s from 13 months before',
    (today) => {
      const days = fillSchool(plan, books, today).groups.flatMap(({ pupils }) =>
        pupils.flatMap(({ sessions }) => sessions.map((session) => session.started_at)),
      );
      expect(days.every((day) => day.slice(0, 10) <= today)).toBe(true);
      expect(days.length).toBeGreaterThan(10_000);
    },
  );
});

describe('the school year', () => {
  it.each([
    ['2025-04-18', 'Easter'],
    ['2025-12-29', 'Christmas'],
    ['2026-01-02', 'Christmas'],
    ['2026-02-18', 'half term'],
    ['2026-04-03', 'Easter'],
    ['2026-05-04', 'bank holiday'],
    ['2026-05-27', 'half term'],
    ['2026-08-12', 'summer'],
    ['2026-10-28', 'half term'],
    ['2026-11-18', undefined],
    ['2026-07-15', undefined],
    ['2026-09-10', undefined],
  ])('knows %s as %s', (day, holiday) => {
    expect(findHoliday(day)).toBe(holiday);
  });
});
