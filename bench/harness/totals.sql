-- The totals of the reading sessions, which run after fill.sql and schools.sql.
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
