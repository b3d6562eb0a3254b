-- Fills the tables for a day of many schools. Runs as a superuser, with `bench.schools` and `bench.password_hash` set. A school has 8 staff (1 admin), 12 classes, 300 pupils and 10,000 reading sessions on the
-- school days of a year.
set session_replication_role = replica; -- foreign keys are right by construction, and checking them would take minutes
select setseed(0.5);

create temp table world as select generate_series(1, current_setting('bench.schools')::int) as school_id;

insert into schools (id, name, urn, terms_accepted_at, created_at)
select school_id, 'School ' || school_id, (100000 + school_id)::text, now(), now() from world;

insert into subscriptions (school_id, package_id, is_trial, max_readers, payment_amount_pence, starts_at, expires_at)
select school_id, null, false, 360, 48000, now(), now() + interval '1 year' from world;

insert into users (id, email, email_key, email_confirmed_at, first_name, last_name, password_hash, user_type, school_id, created_at)
select (school_id - 1) * 8 + k, mail, mail, now(), 'Morgan', 'Member ' || k, current_setting('bench.password_hash'), 'enterprise', school_id, now()
from world, generate_series(1, 8) k, lateral (select 'staff-' || (school_id - 1) * 8 + k || '@school.example' as mail) m;

insert into staff (school_id, user_id, role, joined_at)
select school_id, id, case when id % 8 = 1 then 'admin' else 'teacher' end, now() from users;

insert into classes (school_id, id, name, name_key, manager_id, created_at)
select school_id, (school_id - 1) * 12 + c, name, lower(name), (school_id - 1) * 8 + 2 + c % 7, now()
from world, generate_series(1, 12) c, lateral (select 'Year ' || (c + 1) / 2 || ' ' || (array['Wrens', 'Swifts'])[1 + c % 2] as name) n;

insert into class_books (school_id, class_id, book_id, assigned_at)
select c.school_id, c.id, b.id, now() from classes c join books b on b.reading_level = 1 + c.id % 6;

create temp table shelf as select (row_number() over (order by id))::int as place, id, reading_level, pages_count from books;

-- Stored in the order in which they arrive, so that a school's rows are spread across the table.
insert into reading_sessions (school_id, id, pupil_id, book_id, reading_level, started_at, received_at, reading_time, last_page,
  words_attempted, words_correct, has_completed_book, heatmap, played_words, skipped_words)
select 1 + i % schools, gen_random_uuid(), (i % schools) * 300 + 1 + pupil, s.id, s.reading_level, started_at,
  started_at + interval '1 hour', 60 + floor(r2 * r2 * 1800)::int, case when r1 < 0.3 then pages_count else 1 + floor(r1 * pages_count)::int end,
  attempted, floor(attempted * (0.8 + r1 * 0.2))::int, r1 < 0.3, heat[1 + floor(r2 * 20)::int : floor(r2 * 20)::int + pages_count],
  words[1 + i % 20 : 1 + i % 20 + i % 4], words[1 + i % 17 : 1 + i % 17 + i % 6]
from (
  select i, floor(random() * 300)::int as pupil, random() as r1, random() as r2, floor(random() * shelves)::int as place,
    ((date_trunc('week', current_date)::date - 364 + 7 * (day / 5) + day % 5) + time '08:30') at time zone 'Europe/London'
      + floor(random() * 25200) * interval '1 second' as started_at
  from generate_series(0, current_setting('bench.schools')::int * 10000 - 1) i,
    (select count(*) as shelves from shelf) n, lateral (select floor(random() * 260)::int + 0 * i as day) d
) generated
  join shelf s on s.place = 1 + generated.place, lateral (select 20 + floor(r2 * r2 * 900)::int as attempted) a,
  (select current_setting('bench.schools')::int as schools, array(select (n * 37) % 90 from generate_series(1, 60) n) as heat,
    string_to_array('the and then there where light night through enough island castle dragon whisper thought bridge garden '
      || 'window mountain river lantern feather harbour kitchen morning yellow pocket winter summer clever', ' ') as words) pools
order by started_at;

insert into pupils (school_id, id, name, name_key, username, password_hash, class_id, created_at, last_read_at)
select school_id, pupil_id, name, lower(name), lower(replace(name, ' ', '-')) || '-' || pupil_id, current_setting('bench.password_hash'),
  (school_id - 1) * 12 + 1 + n % 12, now(), last_read_at
from world, generate_series(1, 300) n,
  lateral (select (school_id - 1) * 300 + n as pupil_id, (array['Ada', 'Amir', 'Beth', 'Callum', 'Chidi', 'Daisy', 'Elif', 'Ewan',
    'Farah', 'Finn', 'Grace', 'Hana', 'Imogen', 'Isaac', 'Jakub'])[1 + (n * 7 + school_id) % 15] || ' ' || (array['Ahmed', 'Baker',
    'Campbell', 'Davies', 'Evans', 'Fraser', 'Green', 'Hughes', 'Iqbal', 'Jones', 'Khan', 'Lewis'])[1 + (n / 7 + school_id) % 12] as name) p
  left join (select pupil_id as reader, max(started_at) as last_read_at from reading_sessions group by pupil_id) latest on reader = pupil_id;

insert into pupil_logins (username, school_id, pupil_id) select username, school_id, id from pupils;

insert into sessions (token_hash, school_id, user_id, pupil_id, created_at, last_used_at, expires_at)
select sha256(convert_to('bench-staff-' || id, 'UTF8')), school_id, id, null, now(), now(), now() + interval '90 days' from users
union all
select sha256(convert_to('bench-pupil-' || id, 'UTF8')), school_id, null, id, now(), now(), now() + interval '90 days' from pupils;

select setval(pg_get_serial_sequence(name, 'id'), 10000000) from unnest(array['schools', 'users', 'classes', 'pupils']) name;
reset session_replication_role;
drop table world, shelf;
