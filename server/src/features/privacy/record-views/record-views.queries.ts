import type { RecordView } from '#contract/calls/record-views.ts';
import type { ViewScreen } from '#contract/record-views.ts';
import { sql } from 'kysely';
import { namePeople } from '../../../audit/audit-log.queries.ts';
import { findProgram, namePrograms } from '../../../audit/named-programs.queries.ts';
import { isViewOf } from '../../../audit/record-views.queries.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** A page of the views of a pupil's record, the latest first, with the names of the viewers and classes. */
export async function listRecordViews(
  db: SchoolDb,
  pupilId: number,
  { page, perPage, about }: { page: number; perPage: number; about?: 'pupil' | 'list' | undefined },
): Promise<{ total: number; views: RecordView[] }> {
  const found = db.tx
    .selectFrom('daily_views as v')
    .where('v.school_id', '=', db.schoolId)
    .where(isViewOf(pupilId))
    .$if(about !== undefined, (query) => query.where('v.about', about === 'pupil' ? '=' : '<>', 'pupil'));
  const rows = await found
    .leftJoin('classes as c', (join) =>
      join.on('c.school_id', '=', db.schoolId).onRef('c.id', '=', 'v.about_id').on('v.about', '=', 'class'),
    )
    .select([
      'v.about',
      'v.about_id',
      'v.day',
      'v.user_id',
      'v.is_support',
      'v.program_id',
      'v.what',
      'v.screen',
      'v.count',
    ])
    .select(['v.first_at', 'v.last_at', 'c.name as class_name'])
    .select(sql<number>`cardinality(v.pupil_ids)`.as('pupils'))
    .orderBy('v.last_at', 'desc')
    .orderBy(sql`(v.about, v.about_id, v.user_id, v.is_support, v.program_id, v.what, v.screen)`)
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const names = await namePeople(
    db,
    rows.map(({ user_id }) => user_id),
  );
  const programs = await namePrograms(
    db,
    rows.map(({ program_id }) => program_id || null),
  );
  return {
    total,
    views: rows.map(({ about: kind, about_id: aboutId, class_name: className, user_id: id, ...row }) => {
      const name = names.get(id);
      return {
        about: kind,
        group: className === null ? null : { id: aboutId, name: className },
        pupils: row.pupils,
        day: row.day,
        count: row.count,
        first_at: row.first_at.toISOString(),
        last_at: row.last_at.toISOString(),
        viewer: name === undefined ? null : { id, name },
        is_support: row.is_support,
        program: findProgram(programs, row.program_id || null),
        what: row.what,
        screen: row.screen as ViewScreen,
      };
    }),
  };
}
