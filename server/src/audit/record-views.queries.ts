import type { ViewScreen } from '#contract/record-views.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { dayIn } from '../clock.ts';
import { inIds } from '../database/in-ids.ts';
import type { SchoolDb } from '../database/school.ts';
import { mergeViews, type RecordedView, SAME_VIEW_MS } from './record-views.ts';

const KEY = ['about', 'about_id', 'day', 'user_id', 'is_support', 'program_id', 'what', 'screen'] as const;

/** The views of the pupils who still exist, one for each row, in the order of their keys. */
async function groupByRow(db: SchoolDb, views: readonly RecordedView[]) {
  const { time_zone: timeZone } = await db.tx
    .selectFrom('schools')
    .select('time_zone')
    .where('id', '=', db.schoolId)
    .executeTakeFirstOrThrow();
  // Locked as a foreign key locks them: no pupil is erased between this statement and the commit.
  const existing = await db.tx
    .selectFrom('pupils')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', [...new Set(views.flatMap(({ pupilIds }) => pupilIds))]))
    .orderBy('id')
    .forKeyShare()
    .execute();
  const ids = new Set(existing.map(({ id }) => id));
  const rows = new Map<string, RecordedView & { day: string }>();
  for (const view of views) {
    const pupilIds = view.pupilIds.filter((id) => ids.has(id));
    if (pupilIds.length === 0) continue;
    const day = dayIn(timeZone, view.firstAt);
    const key = keyOfRow({ ...view, day });
    const same = rows.get(key);
    rows.set(key, { ...(same ? mergeViews(same, { ...view, pupilIds }) : { ...view, pupilIds }), day });
  }
  // Two processes lock the rows in the same order.
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Stores views of one school: one row per person, thing and day. Pupils who were erased meanwhile are left out. */
export async function storeViews(db: SchoolDb, views: readonly RecordedView[]): Promise<void> {
  const rows = await groupByRow(db, views);
  if (rows.length === 0) return;
  const stored = await db.tx
    .insertInto('daily_views')
    .values(
      rows.map((row) => ({
        school_id: db.schoolId,
        about: row.about,
        about_id: row.aboutId,
        day: row.day,
        user_id: row.userId,
        is_support: row.isSupport,
        program_id: row.programId,
        what: row.what,
        screen: row.screen,
        pupil_ids: row.pupilIds,
        count: row.count,
        first_at: row.firstAt,
        last_at: row.lastAt,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['school_id', ...KEY]).doUpdateSet({
        // Views within a minute of each other are one, as in `mergeViews`.
        count: sql`daily_views.count + excluded.count - case
          when excluded.first_at < daily_views.last_at + ${SAME_VIEW_MS} * interval '1 millisecond'
            and daily_views.first_at < excluded.last_at + ${SAME_VIEW_MS} * interval '1 millisecond' then 1 else 0 end`,
        first_at: sql`least(daily_views.first_at, excluded.first_at)`,
        last_at: sql`greatest(daily_views.last_at, excluded.last_at)`,
      }),
    )
    .returning([...KEY, 'pupil_ids'])
    .execute();
  const known = stored.map(
    ({
      about_id: aboutId,
      user_id: userId,
      is_support: isSupport,
      program_id: programId,
      pupil_ids: pupils,
      ...row
    }) => ({
      key: keyOfRow({ ...row, aboutId, userId, isSupport, programId, screen: row.screen as ViewScreen }),
      pupil_ids: pupils,
    }),
  );
  await addPupils(db, rows, known);
}

type KeyOfRow = Pick<RecordedView, 'about' | 'aboutId' | 'userId' | 'isSupport' | 'programId' | 'what' | 'screen'> & {
  day: string;
};

const keyOfRow = ({ about, aboutId, day, userId, isSupport, programId, what, screen }: KeyOfRow): string =>
  [about, aboutId, day, userId, isSupport, programId, what, screen].join();

/** Adds, to lists that were stored before, the pupils who are new in them. */
async function addPupils(
  db: SchoolDb,
  rows: readonly (KeyOfRow & { pupilIds: number[] })[],
  stored: readonly { key: string; pupil_ids: number[] }[],
): Promise<void> {
  const known = new Map(stored.map(({ key, pupil_ids }) => [key, pupil_ids]));
  for (const row of rows) {
    const before = new Set(known.get(keyOfRow(row)));
    if (row.pupilIds.every((id) => before.has(id))) continue;
    await db.tx
      .updateTable('daily_views')
      .set({ pupil_ids: [...new Set([...before, ...row.pupilIds])] })
      .where('school_id', '=', db.schoolId)
      .where('about', '=', row.about)
      .where('about_id', '=', row.aboutId)
      .where('day', '=', row.day)
      .where('user_id', '=', row.userId)
      .where('is_support', '=', row.isSupport)
      .where('program_id', '=', row.programId)
      .where('what', '=', row.what)
      .where('screen', '=', row.screen)
      .execute();
  }
}

/** The rows that show a pupil: pages about them, and lists that contained them. */
export const isViewOf = (pupilId: number): RawBuilder<SqlBool> => sql<SqlBool>`
  (about = 'pupil' and about_id = ${pupilId} or about in ('class', 'list') and pupil_ids @> array[${pupilId}]::bigint[])`;

/** Removes an erased pupil from the views: rows about them alone, and their ID in lists. Returns the number of rows. */
export async function erasePupilFromViews(db: SchoolDb, pupilId: number): Promise<number> {
  const alone = await sql`
    delete from daily_views where school_id = ${db.schoolId} and ${isViewOf(pupilId)}
      and pupil_ids <@ array[${pupilId}]::bigint[]`.execute(db.tx);
  const listed = await sql`
    update daily_views set pupil_ids = array_remove(pupil_ids, ${pupilId}::bigint)
    where school_id = ${db.schoolId} and ${isViewOf(pupilId)}`.execute(db.tx);
  return Number((alone.numAffectedRows ?? 0n) + (listed.numAffectedRows ?? 0n));
}
