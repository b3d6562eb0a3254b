import { sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';
import { findSubscription, type SubscriptionRow } from './subscriptions.queries.ts';

/** The facts about a school that decide which packages it may choose, and at what price. */
export interface Customer {
  subscription: SubscriptionRow | undefined;
  hasHadOne: boolean;
  /** An invoice is unpaid, overdue or not. */
  hasOpenInvoice: boolean;
  /** Pupils who take up a place. */
  activePupils: number;
  /** The country of the billing contact or, without one, of the primary contact. */
  billingCountry: string;
}

/** The school as a customer. */
export async function findCustomer(db: SchoolDb): Promise<Customer> {
  const [subscription, hadOne, openInvoice, activePupils, contact] = await Promise.all([
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
    hasHadOne: hadOne !== undefined,
    hasOpenInvoice: openInvoice !== undefined,
    activePupils,
    billingCountry: contact?.country_code ?? 'GBR',
  };
}

/** How many pupils take up a place: those who are not in the archive. */
export async function countActivePupils(db: SchoolDb): Promise<number> {
  const { pupils } = await db.tx
    .selectFrom('pupils')
    .select(sql<number>`count(*)`.as('pupils'))
    .where('school_id', '=', db.schoolId)
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow();
  return pupils;
}
