import { randomUUID } from 'node:crypto';
import { api } from '#contract/api.ts';
import type { Call } from '#contract/call.ts';
import { CHART_NAMES } from '#contract/calls/charts.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { getReadingPage } from '../features/reading/reading-feed/reading-feed.service.ts';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../testing/builder.ts';
import { exampleQuery } from '../testing/example-requests.ts';
import { PipeliningClient } from './postgres-client.ts';
import { SCHOOL_ROLE } from './row-level-security.ts';
import { readInSchool } from './school.ts';

/** 5,000 other schools, of which 250 have 200 pupils each. Their IDs start beyond those of the test's own school. */
const FILL = `
set session_replication_role = replica;
insert into schools (id, name, created_at) select 100000 + n, 'School ' || n, now() from generate_series(1, 5000) n;
insert into staff (school_id, user_id, role, joined_at)
  select 100000 + n, 1000000 + n * 10 + k, case k when 0 then 'admin' else 'teacher' end, now()
  from generate_series(1, 250) n, generate_series(0, 9) k;
insert into classes (school_id, id, name, name_key, created_at)
  select 100000 + n, 1000000 + n * 10 + k, 'Class ' || k, 'class ' || k, now() from generate_series(1, 250) n, generate_series(0, 9) k;
insert into class_teachers (school_id, class_id, user_id, added_at) select school_id, id, id, now() from classes where id > 1000000;
insert into pupils (school_id, id, name, name_key, username, password_hash, class_id, created_at, last_read_at)
  select 100000 + n, 1000000 + n * 200 + k, 'Pupil ' || k, 'pupil ' || k, 'pupil-' || n || '-' || k, '-', 1000000 + n * 10 + k % 10,
    now(), timestamptz '2026-11-17 10:00Z'
  from generate_series(1, 250) n, generate_series(0, 199) k;
insert into users (id, email, email_key, first_name, last_name, password_hash, user_type, created_at)
  select user_id, user_id || '@plans.example', user_id || '@plans.example', 'Morgan', 'Member', '-', 'enterprise', now()
  from staff where user_id >= 1000000;
insert into user_schools (user_id, school_id, entered_at) select user_id, school_id, now() from staff where user_id >= 1000000;
insert into pupil_logins (username, school_id, pupil_id) select username, school_id, id from pupils where id > 1000000;
insert into sessions (token_hash, school_id, user_id, pupil_id, created_at, last_used_at, expires_at)
  select sha256(convert_to(id::text, 'UTF8')), school_id, null, id, now(), now(), now() + interval '90 days' from pupils where id > 1000000;
insert into class_books (school_id, class_id, book_id, assigned_at)
  select school_id, classes.id, books.id, now() from classes, (select id from books order by id limit 20) books where classes.id > 1000000;
insert into pupil_books (school_id, pupil_id, book_id, assigned_at) select school_id, id, 101, now() from pupils where id > 1000000;
insert into reading_sessions (school_id, id, pupil_id, book_id, reading_level, started_at, received_at, reading_time, last_page,
    words_attempted, words_correct, has_completed_book, heatmap, played_words, skipped_words)
  select school_id, gen_random_uuid(), id, 101, 1, timestamptz '2026-11-17 10:00Z', now(), 60, 1, 50, 45, true, '{}', '{}', '{}'
  from pupils where id > 1000000;
insert into reading_days (school_id, pupil_id, day, reading_level, reading_time, words_attempted, words_correct)
  select school_id, pupil_id, started_at::date, reading_level, reading_time, words_attempted, words_correct
  from reading_sessions where pupil_id > 1000000;
insert into book_completions (school_id, pupil_id, day, book_id, reading_level)
  select school_id, pupil_id, day, 101, 1 from reading_days where pupil_id > 1000000;
insert into school_reading_days (school_id, day, reading_level, reading_time, words_attempted, words_correct)
  select school_id, day, reading_level, sum(reading_time), sum(words_attempted), sum(words_correct)
  from reading_days where pupil_id > 1000000 group by school_id, day, reading_level;
insert into audit_log (school_id, at, actor_user_id, action, subject_kind, subject_id)
  select school_id, now(), id, 'class_created', 'class', id::text from classes where id > 1000000;
reset session_replication_role`;
const FILLED_TABLES = new Set([
  'schools',
  'staff',
  'users',
  'user_schools',
  'sessions',
  'pupil_logins',
  'classes',
  'class_teachers',
  'pupils',
  'class_books',
  'pupil_books',
  'reading_sessions',
  'reading_days',
  'book_completions',
  'audit_log',
]);

const DAYS = 'start_date=2026-11-01&end_date=2026-11-18';
/** The query strings of a path that needs one, or is requested with several. */
const SEARCHES: Record<string, string[]> = {
  '/charts': CHART_NAMES.flatMap((name) => [`?name=${name}&${DAYS}`, `?name=${name}&${DAYS}&reader_id={readerId}`]),
  '/charts/comparison': [`?${DAYS}`, `?${DAYS}&reader_id={readerId}`],
  '/enterprises/{id}/words': [`?${DAYS}&reader_ids={readerId}`],
  '/enterprises/{id}/readers': [
    '',
    '?search=ada',
    '?run=1',
    '?sort[group]=asc',
    '?sort[last_read_at]=asc',
    '?sort[username]=desc',
  ],
};

const SESSION = {
  id: '5b0a3a52-6a7c-4a0e-9f0e-0d6c1a6f0a11',
  book_id: 101,
  started_at: '2026-11-18T09:00:00Z',
  reading_time: 60,
  last_page: 1,
  words_attempted: 20,
  words_correct: 18,
  has_completed_book: true,
  heatmap: [1],
  played_words: ['castle'],
  skipped_words: [],
};

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  Plans?: Plan[];
}
const findSequentialScans = (plan: Plan, tables = FILLED_TABLES): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' && tables.has(plan['Relation Name'] ?? '') ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap((part) => findSequentialScans(part, tables)),
];

const listIndexes = (plan: Plan): string[] => [
  ...(plan['Index Name'] === undefined ? [] : [plan['Index Name']]),
  ...(plan.Plans ?? []).flatMap(listIndexes),
];

interface Explained {
  'QUERY PLAN': [{ Plan: Plan }];
}

describe.runIf(inject('template').kind === 'server')('beside 50,000 pupils of other schools', () => {
  const app = testApp();
  const connect = () => {
    const { engine } = app.database;
    return new pg.Client(engine.kind === 'server' ? engine.ownerPool.options : {});
  };
  let school: BuiltSchool;
  /** In the school's role, and in that of the platform's statements. */
  let client: pg.Client;
  let owner: pg.Client;
  const sent = new Map<string, { explainer: pg.Client; text: string; values: unknown[] }>();

  beforeAll(async () => {
    [client, owner] = [connect(), connect()];
    await Promise.all([client.connect(), owner.connect()]);
    school = await app.build.school();
    const [ada] = school.ownClass.pupils;
    await app.build.assign(school, { classId: school.ownClass.id }, [101, 102]);
    await app.build.reading(school, ada?.id ?? 0, [
      { started_at: '2026-11-16T09:00:00Z' },
      { started_at: '2026-11-17T09:00:00Z', book_id: 102 },
    ]);
    await client.query(FILL);
    await client.query('analyze');
    await client.query(`set app.school_id = '${school.id}'; set role ${SCHOOL_ROLE}`);
    const query = vi.spyOn(PipeliningClient.prototype, 'query');
    const params = {
      id: school.id,
      groupId: school.ownClass.id,
      readerId: ada?.id,
      bookId: 101,
      packageId: 1,
    } as Record<string, unknown>;
    for (const call of Object.values<Call>(api)) {
      const { method, path } = call;
      const searches = SEARCHES[path] ?? [call.query.safeParse({}).success ? '' : exampleQuery(call)];
      if (method === 'GET' && /^\/(users\/me|enterprises\/\{id\}|charts)/.test(path))
        for (const search of searches) {
          const url = (path + search).replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? 0));
          for (const { token } of [school.admin, school.teacher]) {
            const { status, text } = await app.ask('GET', url, { token });
            if (status === 422) throw new Error(`${url} was rejected: ${text}`);
          }
        }
    }
    // A program reads from the beginning, from a time and from the place after a page.
    const readFeed = (since?: string) =>
      readInSchool(app.services.database, school.id, (db) => {
        const me = { userId: school.admin.id, role: 'admin', covers: [] } as const;
        return getReadingPage(db, me, { limit: 1, since }, new Date('2026-11-18T13:00:00Z'));
      });
    const { meta } = await readFeed();
    for (const since of ['2026-11-01T00:00:00Z', meta.next])
      if ((await readFeed(since)).sessions.length !== 1) throw new Error('A page of the reading feed has no session.');
    // The two writes of every school day, and the log-ins before them.
    for (const { status, text } of [
      await app.ask('POST', '/auth', { payload: { email: school.teacher.email, password: PASSWORD } }),
      await app.ask('POST', '/reader/auth', { payload: { username: ada?.username, password: PASSWORD } }),
      await app.ask('POST', '/reader/sessions', { token: ada?.token, payload: { sessions: [SESSION] } }),
    ])
      if (status !== 200) throw new Error(`A write was rejected: ${text}`);
    /** The last statement on each connection that began a transaction, changed its role or ended it. */
    const roles = new Map<unknown, string>();
    for (const [n, call] of query.mock.calls.entries()) {
      const connection = query.mock.contexts[n];
      const [statement, more] = call as unknown as [string | pg.QueryConfig, unknown[]?];
      const { text, values = [] } = typeof statement === 'string' ? { text: statement, values: more } : statement;
      if (/^(begin|commit|rollback|set local role)\b/.test(text)) roles.set(connection, text);
      if (!/^\s*(select|with|insert|update|delete)\b/i.test(text)) continue;
      const isInSchool = roles.get(connection) === `set local role ${SCHOOL_ROLE}`;
      sent.set(`${isInSchool} ${text}`, { explainer: isInSchool ? client : owner, text, values });
    }
    query.mockRestore();
  });
  afterAll(() => Promise.all([client?.end(), owner?.end()]));

  /** The statements that scan a filled table, after its name. */
  async function listScans(): Promise<string[]> {
    const scans: string[] = [];
    for (const { explainer, text, values } of sent.values()) {
      const explained = await explainer.query<Explained>(`explain (format json) ${text}`, values);
      const tables = findSequentialScans(explained.rows[0]!['QUERY PLAN'][0].Plan);
      if (tables.length > 0) scans.push(`${tables.join(', ')}: ${text}`);
    }
    return scans;
  }

  test('every statement of reads, logins and the intake finds its rows by an index beside 50,000 other pupils', async () => {
    expect(await listScans()).toEqual([]);
    expect(sent.size).toBeGreaterThan(60);
  });

  test('a page of the reading feed reads its sessions in the order of an index, without sorting those of the school', async () => {
    const pages = [...sent.values()].filter(({ text }) => text.includes('order by received_at, id limit'));
    expect(pages).toHaveLength(2);
    for (const { explainer, text, values } of pages) {
      const explained = await explainer.query<Explained>(`explain (format json) ${text}`, values);
      expect(listIndexes(explained.rows[0]!['QUERY PLAN'][0].Plan)).toContain('reading_sessions_by_arrival');
    }
  });

  test.each(['the reading app', 'a program'])(
    'storing sessions from %s takes at most five transactions and fewer than 30 statements, so that they commit before the reading feed has passed them',
    async (sender) => {
      const [pupil, classmate] = await app.build.pupils(school, null, ['Robin Reader', 'Rita Reader']);
      const program = await app.build.program(school);
      const send = (id: number, sessions: readonly object[]) => {
        const headers = { 'idempotency-key': randomUUID() };
        return sender === 'a program'
          ? app.ask('POST', `/enterprises/${school.id}/readers/${id}/sessions`, {
              token: program.token,
              payload: { sessions },
              headers,
            })
          : app.ask('POST', '/reader/sessions', { token: pupil?.token ?? '', payload: { sessions }, headers });
      };
      const taken = { ...SESSION, id: randomUUID() };
      await app.ask('POST', '/reader/sessions', { token: classmate?.token ?? '', payload: { sessions: [taken] } });
      const completed = { ...SESSION, id: randomUUID(), last_page: 9 };
      // The use of a token is noted again after an hour.
      app.setTime('2026-11-18T14:00:00.000Z');
      const query = vi.spyOn(PipeliningClient.prototype, 'query');
      const { reply } = await send(pupil?.id ?? 0, [taken, completed]);
      const texts = query.mock.calls.map(([call]) => (call as { text?: string }).text ?? String(call));
      query.mockRestore();
      expect(reply).toMatchObject({ accepted: 1, rejected: [{ id: taken.id }] });
      expect(texts.filter((text) => text === 'begin')).toHaveLength(5);
      expect(texts.filter((text) => !/^(begin|set local)\b/.test(text)).length).toBeLessThan(30);
    },
  );

  test('the nightly cleanups find rows past their retention period by an index beside 50,000 other pupils', async () => {
    const query = vi.spyOn(PipeliningClient.prototype, 'query');
    await app.runJobs({ scheduled: true });
    const calls = [...query.mock.calls] as unknown as [string, unknown[] | undefined][];
    query.mockRestore();
    const scans = new Set<string>();
    const cleaned = new Set<string>();
    // A table is scanned even so where no index can find the rows, however few there are.
    await owner.query('set enable_seqscan = off');
    for (const [text, values = []] of new Map(calls)) {
      const [, table] = /^\s*(?:delete from|update) "?(\w+)"?.* in \(select .* limit /s.exec(text) ?? [];
      if (!table) continue;
      cleaned.add(table);
      const explained = await owner.query<Explained>(`explain (format json) ${text}`, values);
      for (const name of findSequentialScans(explained.rows[0]!['QUERY PLAN'][0].Plan, new Set([table])))
        scans.add(name);
    }
    await owner.query('reset enable_seqscan');
    // The attempts of one day; an index would slow every counted request down.
    expect([...scans]).toEqual(['rate_limits']);
    expect([...cleaned].sort()).toEqual([
      'class_books',
      'covers',
      'daily_views',
      'deleted_classes',
      'devices',
      'digest_links',
      'digests_sent',
      'email_changes',
      'idempotency_keys',
      'invites',
      'login_events',
      'login_factors',
      'login_sheets',
      'login_steps',
      'one_time_links',
      'outbox',
      'password_resets',
      'programs',
      'pupil_books',
      'rate_limits',
      'retention_removals',
      'retention_runs',
      'run_rows',
      'runs',
      'sessions',
      'subject_request_parts',
      'subject_requests',
      'tablets',
      'trusted_networks',
      'users',
      'word_days',
    ]);
  });

  test.each([
    ['alter table sessions drop constraint sessions_pkey cascade', /^sessions: .*where s\.token_hash = \$1/s],
    ['alter table pupil_logins drop constraint pupil_logins_pkey', /^pupil_logins: /],
  ])('the check of plans reports a statement without an index after `%s`', async (change, reported) => {
    await owner.query(change);
    expect(await listScans()).toContainEqual(expect.stringMatching(reported));
  });
});
