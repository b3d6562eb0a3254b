import type { Viewed, ViewScreen } from '#contract/record-views.ts';
import { sql } from 'kysely';
import type { UserSession } from '../auth/sessions.queries.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import type { SchoolDb } from '../database/school.ts';
import { namePeople } from './audit-log.queries.ts';

/** One view of one pupil's record. */
export interface RecordView {
  schoolId: number;
  pupilId: number;
  userId: number;
  isSupport: boolean;
  what: Viewed;
  screen: ViewScreen;
  /** A whole minute. */
  at: Date;
}

const MINUTE_MS = 60_000;

export const startOfMinute = (now: Date): Date => new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS);

/** Stores views in one statement. Views of pupils who were erased meanwhile, and those that are stored, are left out. */
export async function insertRecordViews({ tx }: PlatformDb, views: readonly RecordView[]): Promise<void> {
  await sql`
    insert into record_views (school_id, pupil_id, at, user_id, is_support, what, screen)
    select v.school_id, v.pupil_id, v.at, v.user_id, v.is_support, v.what, v.screen
    from unnest(${views.map(({ schoolId }) => schoolId)}::bigint[], ${views.map(({ pupilId }) => pupilId)}::bigint[],
        ${views.map(({ at }) => at.toISOString())}::timestamptz[], ${views.map(({ userId }) => userId)}::bigint[],
        ${views.map(({ isSupport }) => isSupport)}::boolean[], ${views.map(({ what }) => what)}::text[],
        ${views.map(({ screen }) => screen)}::text[]) as v (school_id, pupil_id, at, user_id, is_support, what, screen)
      join pupils p on p.school_id = v.school_id and p.id = v.pupil_id
    on conflict do nothing returning school_id`.execute(tx);
}

/** Stores a view in the transaction of the request, for what is shown by a request that names no pupil. */
export async function insertRecordView(
  { tx, schoolId }: SchoolDb,
  { impersonatorId, userId }: Pick<UserSession, 'impersonatorId' | 'userId'>,
  now: Date,
  view: Pick<RecordView, 'pupilId' | 'what' | 'screen'>,
): Promise<void> {
  await tx
    .insertInto('record_views')
    .values({
      school_id: schoolId,
      pupil_id: view.pupilId,
      at: startOfMinute(now),
      user_id: userId,
      is_support: impersonatorId !== null,
      what: view.what,
      screen: view.screen,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A page of the views of a pupil's record, the latest first, with the names of the viewers. */
export async function listRecordViews(
  db: SchoolDb,
  pupilId: number,
  { page, perPage }: { page: number; perPage: number },
) {
  const views = db.tx.selectFrom('record_views').where('school_id', '=', db.schoolId).where('pupil_id', '=', pupilId);
  const rows = await views
    .select(['at', 'user_id', 'is_support', 'what', 'screen'])
    .orderBy('at', 'desc')
    .orderBy('user_id')
    .orderBy('is_support')
    .orderBy('what')
    .orderBy('screen')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const { total } = await views.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const names = await namePeople(
    db,
    rows.map(({ user_id }) => user_id),
  );
  return {
    total,
    views: rows.map(({ at, user_id: id, is_support, what, screen }) => {
      const name = names.get(id);
      return {
        at: at.toISOString(),
        viewer: name === undefined ? null : { id, name },
        is_support,
        what,
        screen: screen as ViewScreen,
      };
    }),
  };
}
