import type { Statement } from './statements.ts';

/*
 * The limit of each hot path: the least SQL that finds the same answer, written by hand, without school scope or rights.
 * What the portal sends is in the `.queries.ts` of its features; nothing here is taken from there.
 */

const ORDERS = {
  name: { key: undefined, from: 'pupils p' },
  username: { key: 'p.username', from: 'pupils p' },
  group: { key: 's.name_key', from: 'pupils p left join classes s on s.school_id = $1 and s.id = p.class_id' },
  last_read_at: { key: 'p.last_read_at', from: 'pupils p' },
} as const;

export interface ListQuery {
  search: string;
  sort: keyof typeof ORDERS;
  direction: 'asc' | 'desc';
  page: number;
}

/** Fifty pupils with their classes, and the counts. */
export function leastList(schoolId: number, { search, sort, direction, page }: ListQuery): Statement {
  const { key, from } = ORDERS[sort];
  const order = key
    ? `k ${direction} nulls ${sort === 'last_read_at' && direction === 'asc' ? 'first' : 'last'}, name_key, id`
    : `name_key ${direction}, id`;
  const values = [schoolId, 50, (page - 1) * 50];
  const pupils = `select p.id, p.name, p.username, p.class_id, p.last_read_at, p.name_key${key ? `, ${key} as k` : ''}
    from ${from} where p.school_id = $1`;
  const everybody = '(select count(*) from pupils where school_id = $1)';
  const joined = (source: string, counts: string) => `
    select page.id, page.name, page.username, page.class_id, c.name as class_name, page.last_read_at, ${counts}
    from (select * from ${source} order by ${order} limit $2 offset $3) page
    left join classes c on c.school_id = $1 and c.id = page.class_id
    order by ${order.replace('k ', 'page.k ').replace('name_key', 'page.name_key').replace(/id$/, 'page.id')}`;
  if (search === '') return { text: joined(`(${pupils}) all_pupils`, `${everybody} as total`), values };
  return {
    text: `with found as materialized (${pupils} and (p.name_key like $4 or p.username like $4))
      ${joined('found', `${everybody} as total, (select count(*) from found) as filtered`)}`,
    values: [...values, `%${search}%`],
  };
}

/** Who is behind a token, as far as accounts tell: the school is asked in a statement of its own. */
export const leastSession = (tokenHash: Buffer, now: Date): Statement => ({
  text: `select s.pupil_id, s.school_id, s.last_used_at, s.impersonator_id, s.user_id, u.school_id as user_school_id,
      exists (select from operators o where o.user_id = s.user_id) as is_operator
    from sessions s left join users u on u.id = s.user_id
    where s.token_hash = $1 and s.expires_at > $2 and s.last_used_at > $3`,
  values: [tokenHash, now, new Date(now.getTime() - 30 * 86_400_000)],
});

/** A year of the whole school by month and level. */
export const leastSchoolChart = (schoolId: number, from: string, to: string): Statement => ({
  text: `select date_trunc('month', day::timestamp) as month, reading_level, sum(reading_time) as reading_time,
      sum(words_attempted) as words_attempted, sum(words_correct) as words_correct
    from school_reading_days where school_id = $1 and day between $2 and $3 group by 1, 2`,
  values: [schoolId, from, to],
});

/** A year of a class by month and level. */
export const leastClassChart = (schoolId: number, classId: number, from: string, to: string): Statement => ({
  text: `select date_trunc('month', day::timestamp) as month, reading_level, sum(reading_time) as reading_time,
      sum(words_attempted) as words_attempted, sum(words_correct) as words_correct
    from reading_days d join pupils p on p.school_id = $1 and p.id = d.pupil_id
    where d.school_id = $1 and p.class_id = $2 and day between $3 and $4 group by 1, 2`,
  values: [schoolId, classId, from, to],
});

/** A year of each pupil of the school by level. */
export const leastPupilChart = (schoolId: number, from: string, to: string): Statement => ({
  text: `select p.id, p.name, t.* from pupils p left join (
      select pupil_id, reading_level, sum(reading_time) as reading_time, sum(words_attempted) as words_attempted,
        sum(words_correct) as words_correct
      from reading_days where school_id = $1 and day between $2 and $3 group by 1, 2
    ) t on t.pupil_id = p.id where p.school_id = $1 order by p.name_key, p.id`,
  values: [schoolId, from, to],
});

/** What a chart is of: the time zone, and how many pupils. */
export const leastChartScope = (schoolId: number): Statement => ({
  text: `select time_zone, (select count(*) from pupils where school_id = $1) as pupils from schools where id = $1`,
  values: [schoolId],
});

/** The statements behind the school's page. */
export const leastSchool = {
  school: (schoolId: number): Statement => ({
    text: `select s.id, s.name, s.urn, s.recording_enabled, s.can_enable_recordings, s.terms_accepted_at, s.new_statistics,
      (select count(*) from staff where school_id = $1) > 1 or exists (select from invites where school_id = $1) as has_teachers,
      exists (select from classes where school_id = $1) as has_classes, exists (select from pupils where school_id = $1) as has_pupils,
      exists (select from class_books where school_id = $1) or exists (select from pupil_books where school_id = $1) as has_books,
      exists (select from school_reading_days where school_id = $1) as has_reading,
      (select json_agg(c) from (select * from contacts where school_id = $1 order by type desc) c) as contacts,
      (select json_agg(m) from (select user_id, role from staff where school_id = $1) m) as staff,
      (select json_agg(c) from (
        select c.id, c.name, c.manager_id, p.n as pupils, b.n as books, t.teachers from classes c
        left join (select class_id, count(*) as n from pupils where school_id = $1 group by class_id) p on p.class_id = c.id
        left join (select class_id, count(*) as n from class_books where school_id = $1 group by class_id) b on b.class_id = c.id
        left join (select class_id, array_agg(user_id order by added_at, user_id) as teachers from class_teachers
          where school_id = $1 group by class_id) t on t.class_id = c.id
        where c.school_id = $1 order by c.name_key, c.id) c) as classes
      from schools s where s.id = $1`,
    values: [schoolId],
  }),
  subscription: (schoolId: number): Statement => ({
    text: 'select * from subscriptions where school_id = $1 and ended_at is null',
    values: [schoolId],
  }),
};

/** Sessions of a pupil with the pupil's totals: three inserts and an update in one statement, nothing locked or checked before. */
export const leastIntake = (schoolId: number, pupilId: number, sessions: readonly object[], now: Date): Statement => ({
  text: `with given as (
      select * from jsonb_to_recordset($1::jsonb) as s (id uuid, book_id bigint, reading_level smallint, started_at timestamptz,
        reading_time integer, last_page integer, words_attempted integer, words_correct integer, has_completed_book boolean,
        heatmap integer[], played_words text[], skipped_words text[])
    ), stored as (
      insert into reading_sessions (school_id, pupil_id, received_at, id, book_id, reading_level, started_at, reading_time, last_page,
        words_attempted, words_correct, has_completed_book, heatmap, played_words, skipped_words)
      select $2::bigint, $3::bigint, $4::timestamptz, given.* from given on conflict (school_id, id) do nothing
      returning (started_at at time zone 'Europe/London')::date as day, started_at, book_id, reading_level, reading_time,
        words_attempted, words_correct, has_completed_book
    ), summed as (
      select day, reading_level, sum(reading_time) as t, sum(words_attempted) as a, sum(words_correct) as c
      from stored group by day, reading_level
    ), days as (
      insert into reading_days as d select $2::bigint, $3::bigint, summed.* from summed
      on conflict (school_id, pupil_id, day, reading_level) do update set reading_time = d.reading_time + excluded.reading_time,
        words_attempted = d.words_attempted + excluded.words_attempted, words_correct = d.words_correct + excluded.words_correct
    ), completed as (
      insert into book_completions select distinct $2::bigint, $3::bigint, day, book_id, reading_level from stored
      where has_completed_book on conflict do nothing
    ), seen as (
      update pupils set last_read_at = greatest(last_read_at, (select max(started_at) from stored))
      where school_id = $2::bigint and id = $3::bigint
    )
    select count(*) from stored`,
  values: [JSON.stringify(sessions), schoolId, pupilId, now],
});
