import type { SchoolDb } from '../../../database/school.ts';
import { findRequest, type StoredRequest, updateRequest } from './subject-requests.queries.ts';

/** A part of a file: the request, the run that makes the file, and the index from 0. */
export interface PartName {
  requestId: number;
  version: string;
  part: number;
}

/**
 * Begins to make the file of a request that waits for one. A run that began before, such as one of a process that died,
 * can store nothing from then on. Returns undefined if the request waits for no file.
 */
export async function claimFile(db: SchoolDb, requestId: number, version: string): Promise<StoredRequest | undefined> {
  const request = await findRequest(db, requestId, { locks: true });
  if (request?.closed_at !== null || request.file_state !== 'making') return undefined;
  await updateRequest(db, requestId, { file_version: version });
  await deleteParts(db, requestId);
  return request;
}

/** Locks a request whose file is being made in this version. Undefined if it was closed or another run has begun. */
async function lockClaimed(db: SchoolDb, requestId: number, version: string): Promise<StoredRequest | undefined> {
  const request = await findRequest(db, requestId, { locks: true });
  const isCurrent = request?.closed_at === null && request.file_state === 'making' && request.file_version === version;
  return isCurrent ? request : undefined;
}

/** Stores a part. Returns false if the file is no longer needed. */
export async function insertPart(
  db: SchoolDb,
  { requestId, version, part }: PartName,
  sealed: Buffer,
  expiresAt: Date,
): Promise<boolean> {
  if (!(await lockClaimed(db, requestId, version))) return false;
  await db.tx
    .insertInto('subject_request_parts')
    .values({ school_id: db.schoolId, request_id: requestId, version, part, sealed, expires_at: expiresAt })
    .execute();
  return true;
}

/** Stores that a file is ready or has failed. Does nothing if the file is no longer needed. */
export async function finishFile(
  db: SchoolDb,
  requestId: number,
  version: string,
  result: Pick<StoredRequest, 'file_state'> &
    Partial<Pick<StoredRequest, 'file_size' | 'file_made_at' | 'file_expires_at'>>,
): Promise<void> {
  if (!(await lockClaimed(db, requestId, version))) return;
  await updateRequest(db, requestId, result);
  if (result.file_state === 'failed') await deleteParts(db, requestId);
}

export async function deleteParts(db: SchoolDb, requestId: number): Promise<void> {
  await db.tx
    .deleteFrom('subject_request_parts')
    .where('school_id', '=', db.schoolId)
    .where('request_id', '=', requestId)
    .execute();
}

/** Reads a sealed part; undefined after the last one, or once the file is deleted. */
export async function findPart(db: SchoolDb, { requestId, version, part }: PartName): Promise<Buffer | undefined> {
  const row = await db.tx
    .selectFrom('subject_request_parts')
    .select('sealed')
    .where('school_id', '=', db.schoolId)
    .where('request_id', '=', requestId)
    .where('version', '=', version)
    .where('part', '=', part)
    .executeTakeFirst();
  return row && Buffer.from(row.sealed);
}
