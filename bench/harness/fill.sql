-- Fills the tables for the benchmark. Runs as a superuser, with `bench.schools` and `bench.password_hash` set.
-- A school has 8 staff (1 admin), 14 classes, 400 pupils and 4,000 reading sessions on the school days of a year.
-- Four more schools: `schools + 1` has ten times the sessions of school 1, on the same days of the same pupils.
-- `schools + 2` has pupils without reading, for the intake. In `schools + 3` each pupil has read once every school day for
-- three years, in `schools + 4` for one.
set session_replication_role = replica; -- foreign keys are right by construction, and checking them would take minutes
select setseed(0.5);

create temp table world as
select n as school_id, n <= current_setting('bench.schools')::int as reads
from generate_series(1, current_setting('bench.schools')::int + 4) n;

insert into schools (id, name, urn, terms_accepted_at, created_at)
select school_id, 'School ' || school_id, (100000 + school_id)::text, now(), now() from world;

insert into subscriptions (school_id, package_id, title, is_trial, max_readers, payment_amount_pence, price_per_year_pence, starts_at, expires_at)
select school_id, null, 'Custom', false, 480, 48000, 48000, now(), now() + interval '1 year' from world;

insert into users (id, email, email_key, first_name, last_name, password_hash, user_type, created_at)
select (school_id - 1) * 8 + k, mail, mail, 'Morgan', 'Member ' || k, current_setting('bench.password_hash'), 'enterprise', now()
from world, generate_series(1, 8) k, lateral (select 'staff-' || (school_id - 1) * 8 + k || '@school.example' as mail) m;

insert into user_schools (user_id, school_id, entered_at)
select (school_id - 1) * 8 + k, school_id, now() from world, generate_series(1, 8) k;

insert into staff (school_id, user_id, role, joined_at)
select school_id, user_id, case when user_id % 8 = 1 then 'admin' else 'teacher' end, now() from user_schools;

insert into classes (school_id, id, name, name_key, manager_id, created_at)
select school_id, (school_id - 1) * 14 + c, name, lower(name), (school_id - 1) * 8 + 2 + c % 7, now()
from world, generate_series(1, 14) c, lateral (select 'Year ' || (c + 1) / 2 || ' ' || (array['Wrens', 'Swifts'])[1 + c % 2] as name) n;

insert into class_books (school_id, class_id, book_id, assigned_at)
select c.school_id, c.id, b.id, now() from classes c join books b on b.reading_level = 1 + c.id % 6;

-- Sessions are generated first and stored in the order in which they arrive, so that a school's rows are spread across the table.
create temp table shelf as select (row_number() over (order by id))::int as place, id, reading_level, pages_count from books;
create temp table generated as
with chance as (
  select i, 1 + (i::bigint * 7919) % schools as school_id, floor(random() * 400)::int as pupil, floor(random() * 260)::int as day,
    floor(random() * 25200)::int as second, random() as r1, random() as r2, random() as r3, random() as r4
  from generate_series(0, current_setting('bench.schools')::int * 4000 - 1) i, (select current_setting('bench.schools')::int as schools) n
)
select school_id, (school_id - 1) * 400 + 1 + pupil as pupil_id, s.id as book_id, s.reading_level,
  ((date_trunc('week', current_date)::date - 364 + 7 * (day / 5) + day % 5) + time '08:30') at time zone 'Europe/London'
    + second * interval '1 second' as started_at,
  60 + floor(r2 * r2 * 1800)::int as reading_time, 20 + floor(r2 * r2 * 900)::int as attempted, r1, r3, r4, s.pages_count as pages
from chance join shelf s on s.place = 1 + floor(r4 * (select count(*) from shelf))::int;

create temp table dense as
select current_setting('bench.schools')::int + school as school_id, (current_setting('bench.schools')::int + school - 1) * 400 + pupil as pupil_id,
  s.id as book_id, s.reading_level,
  ((date_trunc('week', current_date)::date - 7 * week + weekday) + time '09:00') at time zone 'Europe/London' + pupil * interval '1 minute' as started_at,
  60 + floor(r2 * r2 * 1800)::int as reading_time, 20 + floor(r2 * r2 * 900)::int as attempted, r1, r3, r2 as r4, s.pages_count as pages
from generate_series(3, 4) school, generate_series(1, 156) week, generate_series(0, 4) weekday, generate_series(1, 400) pupil,
  lateral (select random() as r1, random() as r2, random() as r3, pupil + week + weekday) r, shelf s
-- A pupil reads on two levels in a year.
where s.place = 1 + (pupil * 7 + week / 26 * 5) % (select count(*) from shelf) and (school = 3 or week <= 52);

create function pg_temp.some(words text[], r float, most int) returns text[] immutable language sql as
$$ select words[1 + floor(r * 20)::int : floor(r * 20)::int + floor(r * 97)::int % (most + 1)] $$;

insert into reading_sessions (school_id, id, pupil_id, book_id, reading_level, started_at, received_at, reading_time, last_page,
  words_attempted, words_correct, has_completed_book, heatmap, played_words, skipped_words)
select school_id, gen_random_uuid(), pupil_id, book_id, reading_level, started_at, started_at + interval '1 hour', reading_time,
  case when r3 < 0.3 then pages else 1 + floor(r3 * pages)::int end, attempted, floor(attempted * (0.8 + r1 * 0.2))::int, r3 < 0.3,
  heat[1 + floor(r1 * 20)::int : floor(r1 * 20)::int + pages], pg_temp.some(words, r1, 6), pg_temp.some(words, r3, 9)
from (
  select * from generated
  union all
  select current_setting('bench.schools')::int + 1, pupil_id + current_setting('bench.schools')::int * 400, book_id, reading_level,
    started_at + n * interval '3 minutes', reading_time, attempted, r1, r3, r4, pages
  from generated, generate_series(0, 9) n where school_id = 1
  union all
  select school_id, pupil_id, book_id, reading_level, started_at, reading_time, attempted, r1, r3, r4, pages from dense
) all_schools,
  (select array(select (n * 37) % 90 from generate_series(1, 60) n) as heat, string_to_array('the and then there where light night '
    || 'through enough island castle dragon whisper thought bridge garden window mountain river lantern feather harbour kitchen '
    || 'morning yellow pocket winter summer clever', ' ') as words) pools
order by started_at;

-- The words that the app counted, of the first class of each school that reads every day.
insert into word_days (school_id, pupil_id, day, words, met, hard, heard, milliseconds)
select distinct on (school_id, pupil_id, day) school_id, pupil_id, (started_at at time zone 'Europe/London')::date as day,
  words, ones, zeros, ones, times
from reading_sessions,
  (select array_agg('word' || n) as words, array_agg(1) as ones, array_agg(n % 10 / 9) as zeros, array_agg(300 + n) as times
    from generate_series(1, 90) n) sent
where school_id > current_setting('bench.schools')::int + 2 and ((pupil_id - 1) % 400 + 1) % 14 = 0;

insert into pupils (school_id, id, name, name_key, username, password_hash, class_id, created_at, last_read_at)
select school_id, pupil_id, name, lower(name), lower(replace(name, ' ', '-')) || '-' || pupil_id, current_setting('bench.password_hash'),
  (school_id - 1) * 14 + 1 + n % 14, now(), last_read_at
from world, generate_series(1, 400) n,
  lateral (select (school_id - 1) * 400 + n as pupil_id, (array['Ada', 'Amir', 'Beth', 'Callum', 'Chidi', 'Daisy', 'Elif', 'Ewan', 'Farah',
    'Finn', 'Grace', 'Hana', 'Imogen', 'Isaac', 'Jakub', 'Kofi', 'Leila', 'Maja', 'Nia', 'Noah', 'Oscar', 'Priya', 'Rhys', 'Ruby', 'Samir',
    'Tomasz', 'Uma', 'Violet', 'Yusuf', 'Zara'])[1 + (n * 7 + school_id) % 30] || ' ' || (array['Ahmed', 'Baker', 'Campbell', 'Davies',
    'Evans', 'Fraser', 'Green', 'Hughes', 'Iqbal', 'Jones', 'Khan', 'Lewis', 'Morris', 'Nowak', 'Okafor', 'Patel', 'Quinn', 'Rahman',
    'Singh', 'Taylor', 'Underwood', 'Vaughan', 'Walker', 'Young'])[1 + (n / 7 + school_id) % 24] as name) p
  left join (select pupil_id as reader, max(started_at) as last_read_at from reading_sessions group by pupil_id) latest on reader = pupil_id;

insert into pupil_logins (username, school_id, pupil_id) select username, school_id, id from pupils;

insert into reading_days (school_id, pupil_id, day, reading_level, reading_time, words_attempted, words_correct)
select school_id, pupil_id, (started_at at time zone 'Europe/London')::date as day, reading_level,
  sum(reading_time), sum(words_attempted), sum(words_correct)
from reading_sessions group by school_id, pupil_id, day, reading_level order by day;

insert into school_reading_days (school_id, day, reading_level, reading_time, words_attempted, words_correct)
select school_id, day, reading_level, sum(reading_time), sum(words_attempted), sum(words_correct)
from reading_days group by school_id, day, reading_level order by day;

insert into book_completions (school_id, pupil_id, day, book_id, reading_level)
select distinct school_id, pupil_id, (started_at at time zone 'Europe/London')::date as day, book_id, reading_level
from reading_sessions where has_completed_book order by day;

select setval(pg_get_serial_sequence(name, 'id'), 10000000) from unnest(array['schools', 'users', 'classes', 'pupils']) name;
reset session_replication_role;
drop table world, shelf, generated, dense;
