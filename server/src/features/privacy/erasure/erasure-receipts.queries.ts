import type { ErasureKind } from '#contract/calls/privacy.ts';
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
  const erasures = db.tx.selectFrom('erasures').where('school_id', '=', db.schoolId);
  const rows = await erasures
    .select(['id', 'kind', 'digest', 'counts', 'erased_at', 'erased_by', 'backups_expire_on'])
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await erasures.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return {
    total,
    erasures: rows.map(({ erased_at, erased_by, backups_expire_on, ...row }) => ({
      ...row,
      erasedAt: erased_at,
      isAutomatic: erased_by === null,
      backupsExpireOn: backups_expire_on,
    })),
  };
}
