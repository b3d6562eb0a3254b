import { api } from '#contract/api.ts';
import { CHART_NAMES } from '#contract/calls/charts.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { PipeliningClient } from './postgres-client.ts';

/** 5,000 other schools, of which 250 have 200 pupils each. Ids begin where those of the test's own school do not reach. */
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
reset session_replication_role;
analyze`;
const FILLED_TABLES = new Set([
  'schools',
  'staff',
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

/** The queries with which a path is read, where more than the usual one. */
const SEARCHES: Record<string, string[]> = {
  '/charts': CHART_NAMES.map((name) => `?name=${name}`),
  '/enterprises/{id}/readers': [
    '',
    '?search=ada',
    '?sort[group]=asc',
    '?sort[last_read_at]=asc',
    '?sort[username]=desc',
  ],
};

/** The code of a statement on tables of the platform, which the school's role may not read. */
const PERMISSION_DENIED = '42501';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}
const findSequentialScans = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' && FILLED_TABLES.has(plan['Relation Name'] ?? '')
    ? [plan['Relation Name'] ?? '']
    : []),
  ...(plan.Plans ?? []).flatMap(findSequentialScans),
];

describe.runIf(inject('template').kind === 'server')('beside 50,000 pupils of other schools', () => {
  const app = testApp();
  const explainer = () => {
    const { engine } = app.database;
    return new pg.Client(engine.kind === 'server' ? engine.pool.options : {});
  };
  let school: BuiltSchool;
  let client: pg.Client;
  const sent = new Map<string, unknown[]>();

  beforeAll(async () => {
    school = await app.build.school();
    const [ada] = school.ownClass.pupils;
    await app.build.assign(school, { classId: school.ownClass.id }, [101, 102]);
    await app.build.reading(school, ada?.id ?? 0, [
      { started_at: '2026-11-16T09:00:00Z' },
      { started_at: '2026-11-17T09:00:00Z', book_id: 102 },
    ]);
    client = explainer();
    await client.connect();
    await client.query(FILL);
    await client.query(`set app.school_id = '${school.id}'; set role portal_school`);
    const query = vi.spyOn(PipeliningClient.prototype, 'query');
    const params = {
      id: school.id,
      groupId: school.ownClass.id,
      readerId: ada?.id,
      bookId: 101,
      packageId: 1,
    } as Record<string, unknown>;
    for (const { method, path } of Object.values(api))
      if (method === 'GET' && /^\/(users\/me|enterprises\/\{id\}|charts)/.test(path)) {
        const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? 0));
        for (const search of SEARCHES[path] ?? [''])
          for (const { token } of [school.admin, school.teacher]) await app.ask('GET', `${url}${search}`, { token });
      }
    for (const [text, values] of query.mock.calls as unknown as [unknown, unknown[] | undefined][])
      if (typeof text === 'string' && /^\s*(select|with)/i.test(text)) sent.set(text, values ?? []);
    query.mockRestore();
  });
  afterAll(() => client?.end());

  test('every statement of a read finds its rows by an index', async () => {
    const scans: string[] = [];
    let planned = 0;
    for (const [text, values] of sent) {
      const explained = await client
        .query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${text}`, values)
        .catch((error: pg.DatabaseError) => {
          if (error.code !== PERMISSION_DENIED) throw error;
        });
      if (!explained) continue;
      planned += 1;
      const tables = findSequentialScans(explained.rows[0]!['QUERY PLAN'][0].Plan);
      if (tables.length > 0) scans.push(`${tables.join(', ')}: ${text}`);
    }
    expect(scans).toEqual([]);
    expect(planned).toBeGreaterThan(40);
  });
});
