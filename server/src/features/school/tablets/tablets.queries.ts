import { sql } from 'kysely';
import type { StaffMember } from '../../../context.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { canSeeClass } from '../classes/classes.public.ts';

/** The most tablets of a school; a new one takes the place of the one unseen for longest. */
export const MAX_TABLETS = 1000;

/** A tablet as it sends reading. */
interface Contact {
  /** In lower case. */
  deviceId: string;
  /** Seconds by which the clock is ahead; 0 for a clock that is right. */
  difference: number;
  pupilId: number;
}

/** Stores the latest contact of a tablet. The time since when its clock is wrong ends with a contact whose clock is right. */
export async function saveTablet(db: SchoolDb, { deviceId, difference, pupilId }: Contact, now: Date): Promise<void> {
  const known = await db.tx
    .selectFrom('tablets')
    .select('device_id')
    .where('school_id', '=', db.schoolId)
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  if (!known) await makeRoom(db);
  const pupil = await db.tx
    .selectFrom('pupils')
    .select('class_id')
    .where('school_id', '=', db.schoolId)
    .where('id', '=', pupilId)
    .executeTakeFirst();
  const contact = {
    last_seen_at: now,
    clock_difference: difference,
    wrong_since: difference === 0 ? null : now,
    class_id: pupil?.class_id ?? null,
  };
  await db.tx
    .insertInto('tablets')
    .values({ school_id: db.schoolId, device_id: deviceId, ...contact })
    .onConflict((conflict) =>
      conflict.columns(['school_id', 'device_id']).doUpdateSet({
        ...contact,
        wrong_since: difference === 0 ? null : sql<Date>`coalesce(tablets.wrong_since, ${now}::timestamptz)`,
      }),
    )
    .execute();
}

/** Deletes the tablets beyond the limit, with one place free. Two that come at the same time may leave one too many until the next. */
const makeRoom = (db: SchoolDb) =>
  db.tx
    .deleteFrom('tablets')
    .where('school_id', '=', db.schoolId)
    .where('device_id', 'in', (select) =>
      select
        .selectFrom('tablets')
        .select('device_id')
        .where('school_id', '=', db.schoolId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('device_id')
        .limit(MAX_TABLETS)
        .offset(MAX_TABLETS - 1),
    )
    .execute();

/** A tablet with its class, if the school still has it. */
interface TabletRow {
  device_id: string;
  last_seen_at: Date;
  clock_difference: number;
  wrong_since: Date | null;
  class_id: number | null;
  class_name: string | null;
}

/** The tablets of the classes that someone can see, those seen last first. */
export async function listTablets(db: SchoolDb, me: StaffMember): Promise<TabletRow[]> {
  const { rows } = await sql<TabletRow>`
    select t.device_id, t.last_seen_at, t.clock_difference, t.wrong_since, c.id as class_id, c.name as class_name
    from tablets t left join classes c on c.school_id = ${db.schoolId} and c.id = t.class_id
    where t.school_id = ${db.schoolId} and ${canSeeClass(db, me, sql.ref('t.class_id'))}
    order by t.last_seen_at desc, t.device_id limit ${MAX_TABLETS}`.execute(db.tx);
  return rows;
}
