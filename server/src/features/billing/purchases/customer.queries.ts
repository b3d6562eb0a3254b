import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { countActivePupils, findSubscription, type SubscriptionRow } from '../subscriptions/subscriptions.public.ts';

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
    db.tx
      .selectFrom('invoices')
      .select('id')
      .where('school_id', '=', db.schoolId)
      .where('status', '=', 'open')
      .executeTakeFirst(),
    countActivePupils(db),
    db.tx
      .selectFrom('contacts')
      .select('country_code')
      .where('school_id', '=', db.schoolId)
      .orderBy('type')
      .limit(1)
      .executeTakeFirst(),
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
