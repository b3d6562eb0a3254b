import type { ErasureKind } from '#contract/calls/privacy.ts';
import { sql } from 'kysely';
import type { SchoolDb } from '../../../database/school.ts';
import type { TableName } from '../../../database/table-kinds.ts';

/** The rows that an erasure deleted, by table. */
export type ErasureCounts = Partial<Record<TableName, number>>;

/** A receipt as it is stored. */
export interface StoredErasure {
  id: number;
  kind: ErasureKind;
  digest: Buffer;
  counts: ErasureCounts;
  erasedAt: Date;
  isAutomatic: boolean;
  backupsExpireOn: string | null;
}

export async function insertErasure(
  db: SchoolDb,
  erasure: Omit<StoredErasure, 'id' | 'isAutomatic'> & { erasedBy: number | null },
): Promise<number> {
  const { id } = await db.tx
    .insertInto('erasures')
    .values({
      school_id: db.schoolId,
      kind: erasure.kind,
      digest: erasure.digest,
      counts: JSON.stringify(erasure.counts),
      erased_at: erasure.erasedAt,
      erased_by: erasure.erasedBy,
      backups_expire_on: erasure.backupsExpireOn,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A page of the school's receipts, the latest first; or the one with this ID. */
export async function listErasures(
  db: SchoolDb,
  { limit, offset = 0, id }: { limit: number; offset?: number; id?: number },
): Promise<{ erasures: StoredErasure[]; total: number }> {
  const { rows } = await sql<{
    id: number;
    kind: ErasureKind;
    digest: Buffer;
    counts: ErasureCounts;
    erased_at: Date;
    erased_by: number | null;
    backups_expire_on: string | null;
  }>`
    select id, kind, digest, counts, erased_at, erased_by, backups_expire_on from erasures
    where school_id = ${db.schoolId} and (${id ?? null}::bigint is null or id = ${id ?? null}::bigint)
    order by id desc limit ${limit} offset ${offset}`.execute(db.tx);
  const { total } = await db.tx
    .selectFrom('erasures')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('school_id', '=', db.schoolId)
    .executeTakeFirstOrThrow();
  return {
    total,
    erasures: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      digest: Buffer.from(row.digest),
      counts: row.counts,
      erasedAt: row.erased_at,
      isAutomatic: row.erased_by === null,
      backupsExpireOn: row.backups_expire_on,
    })),
  };
}
