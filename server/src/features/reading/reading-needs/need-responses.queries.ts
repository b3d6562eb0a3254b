import { sql } from 'kysely';
import { isReadingRow } from '../../../database/is-reading.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { pupilCondition, type Selection } from '../dashboard/dashboard.public.ts';
import { type ResponseRow, SESSIONS_UNTIL_REVIEW } from './need-responses.service.ts';

/** A pupil's page lists this many responses at most. */
const MAX_HISTORY = 100;

/** The columns of a response, and the pupil's sessions since. */
const columns = (db: SchoolDb) => sql`
  r.pupil_id, r.id, r.need, r.response, r.remark, r.reason, r.responded_by, r.responded_at, r.until,
  (select count(*) from (
    select from reading_sessions s
    where s.school_id = ${db.schoolId} and s.pupil_id = r.pupil_id and s.started_at > r.responded_at
      and ${isReadingRow}
    limit ${SESSIONS_UNTIL_REVIEW}
  ) since)::int as sessions_since`;

/** The responses to needs of a selection since a moment, the latest first. */
export async function listResponses(db: SchoolDb, selection: Selection, since: Date): Promise<ResponseRow[]> {
  const { rows } = await sql<ResponseRow>`
    select ${columns(db)} from need_responses r
    where r.school_id = ${db.schoolId} and r.responded_at > ${since} and ${pupilCondition(db, selection, sql.ref('r.pupil_id'))}
    order by r.responded_at desc, r.id desc`.execute(db.tx);
  return rows;
}

/** All that staff did about a pupil's needs, the latest first. */
export async function listHistory(db: SchoolDb, pupilId: number): Promise<ResponseRow[]> {
  const { rows } = await sql<ResponseRow>`
    select ${columns(db)} from need_responses r
    where r.school_id = ${db.schoolId} and r.pupil_id = ${pupilId}
    order by r.responded_at desc, r.id desc limit ${MAX_HISTORY}`.execute(db.tx);
  return rows;
}

/** Makes another response about the pupil wait until this transaction ends. */
export const lockPupil = (db: SchoolDb, pupilId: number) =>
  db.tx
    .selectFrom('pupils')
    .select('id')
    .where('school_id', '=', db.schoolId)
    .where('id', '=', pupilId)
    .forUpdate()
    .execute();

export async function insertResponse(
  db: SchoolDb,
  response: Omit<ResponseRow, 'id' | 'sessions_since'>,
): Promise<ResponseRow> {
  const { id } = await db.tx
    .insertInto('need_responses')
    .values({ school_id: db.schoolId, ...response })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...response, id, sessions_since: 0 };
}

export const findResponse = async (
  db: SchoolDb,
  pupilId: number,
  responseId: number,
): Promise<ResponseRow | undefined> => {
  const { rows } = await sql<ResponseRow>`
    select ${columns(db)} from need_responses r
    where r.school_id = ${db.schoolId} and r.pupil_id = ${pupilId} and r.id = ${responseId}`.execute(db.tx);
  return rows[0];
};

/** Deletes a response. Returns whether it existed. */
export async function deleteResponse(db: SchoolDb, pupilId: number, responseId: number): Promise<boolean> {
  const { numDeletedRows } = await db.tx
    .deleteFrom('need_responses')
    .where('school_id', '=', db.schoolId)
    .where('pupil_id', '=', pupilId)
    .where('id', '=', responseId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
