import type { Selectable } from 'kysely';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { Tables } from '../../../database/tables.ts';
import { findBillingContact, findOpenInvoice } from '../invoices/invoices.public.ts';
import { countActivePupils, findSubscription, type SubscriptionRow } from '../subscriptions/subscriptions.public.ts';

export type PackageRow = Selectable<Tables['packages']>;

const offeredPackages = (db: SchoolDb) => db.tx.selectFrom('packages').selectAll().where('is_offered', '=', true);

/** The packages on offer, in the order of the catalogue. */
export const listOfferedPackages = (db: SchoolDb): Promise<PackageRow[]> =>
  offeredPackages(db).orderBy('position').orderBy('max_readers').orderBy('id').execute();

/** A package on offer. */
export const findOfferedPackage = (db: SchoolDb, id: number): Promise<PackageRow | undefined> =>
  offeredPackages(db).where('id', '=', id).executeTakeFirst();

/** The facts about a school that decide which packages it may choose, and at what price. */
export interface Customer {
  subscription: SubscriptionRow | undefined;
  /** Of any kind, a trial included. */
  hasHadSubscription: boolean;
  /** An invoice is unpaid, overdue or not. */
  hasOpenInvoice: boolean;
  /** Pupils who take up a place. */
  activePupils: number;
  /** The country of the billing contact or, without one, of the primary contact. */
  billingCountry: string;
}

/** Reads these facts. */
export async function findCustomer(db: SchoolDb): Promise<Customer> {
  const [subscription, anySubscription, openInvoice, activePupils, contact] = await Promise.all([
    findSubscription(db),
    db.tx.selectFrom('subscriptions').select('id').where('school_id', '=', db.schoolId).limit(1).executeTakeFirst(),
    findOpenInvoice(db),
    countActivePupils(db),
    findBillingContact(db),
  ]);
  return {
    subscription,
    hasHadSubscription: anySubscription !== undefined,
    hasOpenInvoice: openInvoice !== undefined,
    activePupils,
    billingCountry: contact?.country_code ?? 'GBR',
  };
}

/** True when the school exists. */
export async function hasSchool(db: PlatformDb, schoolId: number): Promise<boolean> {
  const row = await db.tx.selectFrom('schools').select('id').where('id', '=', schoolId).executeTakeFirst();
  return row !== undefined;
}
