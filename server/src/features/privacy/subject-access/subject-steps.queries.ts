import type { Selectable } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { Tables } from '../../../database/tables.ts';

/** A step as it is stored. */
export type StoredStep = Selectable<Tables['subject_request_steps']>;

/** The steps of requests by request, each in the order in which they were recorded. */
export async function listSteps(db: SchoolDb, requestIds: readonly number[]): Promise<Map<number, StoredStep[]>> {
  const rows = await db.tx
    .selectFrom('subject_request_steps')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .where(inIds('request_id', requestIds))
    .orderBy('id')
    .execute();
  return Map.groupBy(rows, ({ request_id: requestId }) => requestId);
}

export async function insertStep(db: SchoolDb, step: Omit<StoredStep, 'school_id' | 'id'>): Promise<void> {
  await db.tx
    .insertInto('subject_request_steps')
    .values({ school_id: db.schoolId, ...step })
    .execute();
}

export async function deleteStep(db: SchoolDb, requestId: number, id: number): Promise<void> {
  await db.tx
    .deleteFrom('subject_request_steps')
    .where('school_id', '=', db.schoolId)
    .where('request_id', '=', requestId)
    .where('id', '=', id)
    .execute();
}
