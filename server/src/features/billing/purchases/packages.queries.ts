import type { Selectable } from 'kysely';
import type { SchoolDb } from '../../../database/school.ts';
import type { Tables } from '../../../database/tables.ts';

export type PackageRow = Selectable<Tables['packages']>;

/** The packages on offer, in the order of the catalogue. */
export const listOfferedPackages = (db: SchoolDb): Promise<PackageRow[]> =>
  db.tx
    .selectFrom('packages')
    .selectAll()
    .where('is_offered', '=', true)
    .orderBy('position')
    .orderBy('max_readers')
    .orderBy('id')
    .execute();

/** A package on offer. */
export const findOfferedPackage = (db: SchoolDb, id: number): Promise<PackageRow | undefined> =>
  db.tx.selectFrom('packages').selectAll().where('id', '=', id).where('is_offered', '=', true).executeTakeFirst();
