import type { Kysely } from 'kysely';
import { createSchoolTable } from '../school-table.ts';
import { runStatements } from '../statements.ts';

/**
 * Who looked at which pupils: one row per person, thing and day. `about_id` is the pupil or class, and 0 for any other list.
 * `pupil_ids` lists the pupils whose data was shown, so that a list is one row that each of them finds. The rows of
 * `record_views` are added up by day; that table is dropped after the next release.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSchoolTable(db, {
    name: 'daily_views',
    columns: [
      "about text not null check (about in ('pupil', 'class', 'list'))",
      'about_id bigint not null',
      'day date not null',
      'user_id bigint not null',
      'is_support boolean not null',
      "what text not null check (what in ('page', 'notes', 'file', 'change'))",
      'screen text not null check (length(screen) between 1 and 20)',
      'pupil_ids bigint[] not null',
      'count integer not null check (count > 0)',
      'first_at timestamptz not null',
      'last_at timestamptz not null check (last_at >= first_at)',
    ],
    key: ['about', 'about_id', 'day', 'user_id', 'is_support', 'what', 'screen'],
  });
  await runStatements(
    db,
    `
create index daily_views_by_time on daily_views (first_at)

insert into daily_views (school_id, about, about_id, day, user_id, is_support, what, screen, pupil_ids, count, first_at, last_at)
  select v.school_id, 'pupil', v.pupil_id, (v.at at time zone s.time_zone)::date, v.user_id, v.is_support, v.what, v.screen,
    array[v.pupil_id], count(*)::integer, min(v.at), max(v.at)
  from record_views v join schools s on s.id = v.school_id
  group by v.school_id, v.pupil_id, (v.at at time zone s.time_zone)::date, v.user_id, v.is_support, v.what, v.screen
`,
  );
}
