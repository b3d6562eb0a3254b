import type { SoldPackage } from '#contract/calls/billing-console.ts';
import { sql } from 'kysely';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { hasNextPeriodStarted } from './billing-console.queries.ts';

/** All packages, with the number of schools that have each now. */
export async function listSoldPackages(db: PlatformDb, today: string): Promise<SoldPackage[]> {
  const packages = await db.tx.selectFrom('packages').selectAll().orderBy('position').orderBy('id').execute();
  const counts = await db.tx
    .selectFrom('subscriptions as b')
    .select([
      sql<number | null>`case when ${hasNextPeriodStarted(today)} then (b.next_period->>'package_id')::bigint
        else b.package_id end`.as('package_id'),
      sql<number>`count(*)`.as('n'),
    ])
    .where('b.ended_at', 'is', null)
    .groupBy(sql`1`)
    .execute();
  const schools = new Map(counts.map(({ package_id, n }) => [package_id, n]));
  return packages.map(({ position: _, price_pence, ...row }) => ({
    ...row,
    price: price_pence,
    schools: schools.get(row.id) ?? 0,
  }));
}

type PackageChange = Pick<SoldPackage, 'title' | 'description' | 'max_readers' | 'is_offered'> & {
  price_pence: number;
};

/**
 * Adds a package after the others and returns its ID. IDs are chosen in the content folder and here: the ID that another
 * operator takes at the same moment is skipped.
 */
export async function insertPackage(db: PlatformDb, offer: PackageChange): Promise<number> {
  const inserted = await db.tx
    .insertInto('packages')
    .columns(['id', 'position', 'title', 'description', 'price_pence', 'is_trial', 'max_readers', 'is_offered'])
    .expression((from) =>
      from
        .selectFrom('packages')
        .select(({ fn, val }) => [
          sql<number>`greatest(coalesce(${fn.max('id')}, 0), 1000) + 1`.as('id'),
          sql<number>`coalesce(${fn.max('position')}, 0) + 1`.as('position'),
          val(offer.title).as('title'),
          val(offer.description).as('description'),
          sql<number>`${offer.price_pence}::integer`.as('price_pence'),
          sql<boolean>`false`.as('is_trial'),
          sql<number>`${offer.max_readers}::integer`.as('max_readers'),
          sql<boolean>`${offer.is_offered}::boolean`.as('is_offered'),
        ]),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted ? inserted.id : insertPackage(db, offer);
}

/** Changes a package. False if it does not exist. A trial stays free. */
export async function updatePackageRow(db: PlatformDb, id: number, change: PackageChange): Promise<boolean> {
  const row = await db.tx
    .updateTable('packages')
    .set({ ...change, price_pence: sql`case when is_trial then 0 else ${change.price_pence}::integer end` })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
