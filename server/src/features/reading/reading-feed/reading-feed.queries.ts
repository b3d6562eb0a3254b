import { type RawBuilder, sql } from 'kysely';
import type { StaffMember } from '../../../context.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { isReadingRow } from '../../../database/is-reading.ts';
import { canSeePupil } from '../../school/pupils/pupils.public.ts';
import type { Position } from './cursor.service.ts';

export interface FeedSession {
  id: string;
  pupil_id: number;
  book_id: number;
  reading_level: number;
  started_at: Date;
  /** When it began, in the school's time zone. */
  day: string;
  received_at: Date;
  /** In microseconds since 1970. */
  received_us: number;
  reading_time: number;
  last_page: number;
  words_attempted: number;
  words_correct: number;
  has_completed_book: boolean;
  is_reading: boolean;
  /** The pupil is active, and one whom the caller can see. */
  is_visible: boolean;
}

/** A time of the database with all its microseconds, which a Date would lose. */
const toTime = (microseconds: number): RawBuilder<Date> => {
  const fraction = String(microseconds % 1000).padStart(3, '0');
  return sql<Date>`${new Date(Math.floor(microseconds / 1000)).toISOString().replace('Z', `${fraction}Z`)}::timestamptz`;
};

const isAfter = ({ receivedAt, sessionId }: Position): RawBuilder<boolean> =>
  sessionId === null
    ? sql<boolean>`received_at >= ${toTime(receivedAt)}`
    : sql<boolean>`(received_at, id) > (${toTime(receivedAt)}, ${sessionId}::uuid)`;

/** The first sessions of the school after a place that arrived by a time, also those of pupils whom the caller cannot see. */
export async function listSessionsAfter(
  db: SchoolDb,
  me: StaffMember,
  position: Position,
  until: Date,
  limit: number,
): Promise<FeedSession[]> {
  const { rows } = await sql<FeedSession>`
    select s.id, s.pupil_id, s.book_id, s.reading_level, s.started_at,
      (s.started_at at time zone (select time_zone from schools where id = ${db.schoolId}))::date as day, s.received_at,
      (extract(epoch from s.received_at) * 1000000)::bigint as received_us, s.reading_time, s.last_page,
      s.words_attempted, s.words_correct, s.has_completed_book, ${isReadingRow} as is_reading, p.archived_at is null and ${canSeePupil(db, me)} as is_visible
    from (
      select * from reading_sessions
      where school_id = ${db.schoolId} and ${isAfter(position)} and received_at <= ${until}
      order by received_at, id limit ${limit}
    ) s join pupils p on p.school_id = ${db.schoolId} and p.id = s.pupil_id
    order by s.received_at, s.id`.execute(db.tx);
  return rows;
}

interface DayTotals {
  pupil_id: number;
  day: string;
  reading_level: number;
  reading_time: number;
  words_attempted: number;
  words_correct: number;
}

/** The totals of some days of pupils, at every level. */
export async function listDayTotals(
  db: SchoolDb,
  days: readonly { pupil_id: number; day: string }[],
): Promise<DayTotals[]> {
  if (days.length === 0) return [];
  const { rows } = await sql<DayTotals>`
    select d.pupil_id, d.day, d.reading_level, d.reading_time, d.words_attempted, d.words_correct
    from (
      select distinct * from unnest(${days.map(({ pupil_id }) => pupil_id)}::bigint[], ${days.map(({ day }) => day)}::date[]) as w (pupil_id, day)
    ) w join reading_days d on d.school_id = ${db.schoolId} and d.pupil_id = w.pupil_id and d.day = w.day
    order by d.pupil_id, d.day, d.reading_level`.execute(db.tx);
  return rows;
}
