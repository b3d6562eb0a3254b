import type { BodyOf } from '#contract/call.ts';
import type { billingCalls } from '#contract/calls/billing.ts';
import { lockSchool } from '../../database/lock-school.ts';
import { type Actor, recordChange } from '../../audit/audit-log.queries.ts';
import type { Config } from '../../config.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import {
  dayOf,
  endOfDay,
  endSubscription,
  evaluatePackageChoice,
  findCustomer,
  findOfferedPackage,
  insertSubscription,
  startOfDay,
} from '../subscriptions/subscriptions.public.ts';
import { saveContact } from './contacts.queries.ts';
import type { InvoiceRow } from './invoices.queries.ts';
import { issueInvoice } from './invoices.service.ts';

const ACTIONS = {
  new: 'subscription_bought',
  upgrade: 'subscription_upgraded',
  extension: 'subscription_extended',
} as const;

/**
 * Buys a package and issues its invoice: a new year, an upgrade for the rest of the current year, or an extension.
 * Throws `package_not_found`, `downgrade`, `invoice_unpaid` or `already_subscribed`.
 */
export async function subscribe(
  db: SchoolDb,
  me: Actor,
  body: BodyOf<typeof billingCalls.subscribe>,
  config: Config,
  now: Date,
): Promise<InvoiceRow> {
  // Only the school itself may enter into a contract.
  if (me.impersonatorId !== null) throw new AppError('not_while_impersonating');
  const school = await lockSchool(db);
  const offer = await findOfferedPackage(db, body.package_id);
  if (!offer || offer.is_trial) throw new AppError('package_not_found');
  const customer = await findCustomer(db);
  const choice = evaluatePackageChoice(offer, customer, now);
  if (choice.kind === 'rejected') throw new AppError(choice.rejection);
  if (choice.kind === 'trial') throw new AppError('package_not_found');
  const contact = { ...body.contact, type: 'billing' as const };
  await saveContact(db, contact);
  const { subscription: current } = customer;
  await endSubscription(db, now);
  const isUpgrade = choice.kind === 'upgrade';
  const subscription = await insertSubscription(db, {
    package_id: offer.id,
    title: offer.title,
    is_trial: false,
    max_readers: offer.max_readers,
    payment_provider: 'invoice',
    payment_provider_subscription_id: null,
    payment_amount_pence: offer.price_pence,
    renewal_status: choice.price > 0 ? 'awaiting_payment' : null,
    starts_at: isUpgrade && current ? current.starts_at : startOfDay(choice.period.from),
    expires_at: isUpgrade && current ? current.expires_at : endOfDay(choice.period.to),
    ended_at: null,
    replaces_id: choice.kind === 'new' ? null : (current?.id ?? null),
  });
  await recordChange(db, me, now, {
    action: ACTIONS[choice.kind],
    subjectKind: 'subscription',
    subjectId: subscription.id,
    details: { package: offer.title, until: dayOf(subscription.expires_at) },
  });
  return issueInvoice(
    db,
    me,
    school,
    {
      subscription,
      kind: choice.kind,
      price: choice.price,
      period: choice.period,
      contact,
      poNumber: body.po_number,
    },
    config,
    now,
  );
}
