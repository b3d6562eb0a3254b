import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import { containing } from '../../../database/like.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { RequestKind } from '#contract/rights.ts';
import type { Tables } from '../../../database/tables.ts';

/** A request as it is stored. */
export type StoredRequest = Selectable<Tables['subject_requests']>;

export type NewRequest = Pick<
  StoredRequest,
  | 'kind'
  | 'details'
  | 'pupil_id'
  | 'user_id'
  | 'requester_name'
  | 'requester_relation'
  | 'identity_check'
  | 'maturity'
  | 'received_on'
  | 'due_on'
  | 'opened_by'
  | 'opened_at'
>;

/** A page of the school's requests, of one kind or all: open ones by due date, then closed ones, the latest first. */
export async function listRequests(
  db: SchoolDb,
  { kind, limit, offset }: { kind?: RequestKind | undefined; limit: number; offset: number },
): Promise<{ requests: StoredRequest[]; total: number }> {
  const requests = await db.tx
    .selectFrom('subject_requests')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'access'))
    .orderBy(sql`closed_at is not null`)
    .orderBy(sql`case when closed_at is null then due_on end`)
    .orderBy('closed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await db.tx
    .selectFrom('subject_requests')
    .select(sql<number>`count(*)`.as('total'))
    .where('school_id', '=', db.schoolId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'access'))
    .executeTakeFirstOrThrow();
  return { requests, total };
}

/** Finds a request. With `locks` nothing else changes it before the transaction ends. */
export const findRequest = (
  db: SchoolDb,
  id: number,
  { locks = false }: { locks?: boolean } = {},
): Promise<StoredRequest | undefined> =>
  db.tx
    .selectFrom('subject_requests')
    .selectAll()
    .where('school_id', '=', db.schoolId)
    .where('id', '=', id)
    .$if(locks, (query) => query.forUpdate())
    .executeTakeFirst();

/** Adds a request. Returns undefined if the requester has an open one of the same kind about the person. */
export const insertRequest = (db: SchoolDb, request: NewRequest): Promise<StoredRequest | undefined> =>
  db.tx
    .insertInto('subject_requests')
    .values({ school_id: db.schoolId, ...request })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export async function updateRequest(
  db: SchoolDb,
  id: number,
  change: Partial<Omit<StoredRequest, 'school_id' | 'id'>>,
): Promise<void> {
  await db.tx
    .updateTable('subject_requests')
    .set(change)
    .where('school_id', '=', db.schoolId)
    .where('id', '=', id)
    .execute();
}

/** A pupil of the school, current or in the archive. */
export interface FoundPupil {
  id: number;
  name: string;
  archived_at: Date | null;
}

/** Finds pupils by ID, current or in the archive. With `locks` they cannot be erased before the transaction ends. */
export const findPupils = (
  db: SchoolDb,
  ids: readonly number[],
  { locks = false }: { locks?: boolean } = {},
): Promise<FoundPupil[]> =>
  db.tx
    .selectFrom('pupils')
    .select(['id', 'name', 'archived_at'])
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .$if(locks, (query) => query.forUpdate())
    .execute();

/** Pupils with their classes by name, current before those in the archive, at most `limit`. @param nameOrId a part of the name */
export async function searchPupils(
  db: SchoolDb,
  nameOrId: string | number,
  limit: number,
): Promise<(FoundPupil & { class_name: string | null })[]> {
  return db.tx
    .selectFrom('pupils as p')
    .leftJoin('classes as c', (join) => join.on('c.school_id', '=', db.schoolId).onRef('c.id', '=', 'p.class_id'))
    .select(['p.id', 'p.name', 'p.archived_at', 'c.name as class_name'])
    .where('p.school_id', '=', db.schoolId)
    .$if(typeof nameOrId === 'number', (query) => query.where('p.id', '=', Number(nameOrId)))
    .$if(typeof nameOrId === 'string', (query) => query.where('p.name_key', 'like', containing(String(nameOrId))))
    .orderBy(sql`p.archived_at is not null`)
    .orderBy('p.name_key')
    .orderBy('p.id')
    .limit(limit)
    .execute();
}

/** Who downloaded the file of a request, the latest first; at most `limit`. */
export const listDownloads = (db: SchoolDb, requestId: number, limit: number) =>
  db.tx
    .selectFrom('subject_request_downloads')
    .select(['downloaded_by', 'downloaded_at'])
    .where('school_id', '=', db.schoolId)
    .where('request_id', '=', requestId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

export async function insertDownload(db: SchoolDb, requestId: number, userId: number, now: Date): Promise<void> {
  await db.tx
    .insertInto('subject_request_downloads')
    .values({ school_id: db.schoolId, request_id: requestId, downloaded_by: userId, downloaded_at: now })
    .execute();
}
