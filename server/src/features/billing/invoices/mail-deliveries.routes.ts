import type { ListedDelivery } from '#contract/mail-delivery.ts';
import { roleAllows } from '#contract/permissions.ts';
import type { StaffSession } from '../../../context.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import type { FoundDelivery } from '../../../mail/delivery.queries.ts';
import { findDeliveries } from '../../../mail/mail.ts';
import { findStaffAccounts } from '../../accounts/access/access.public.ts';
import { contactRows } from './contacts.queries.ts';
import { aboutInvoice } from './invoices.mail.ts';
import { listInvoices } from './invoices.queries.ts';

/** The invoices whose emails are shown, the latest first. */
const MAX_INVOICES = 20;

/** The emails whose state this member of staff sees: to their own address, to the contacts and about invoices. */
async function listMailDeliveries(db: SchoolDb, me: StaffSession): Promise<ListedDelivery[]> {
  const contacts = roleAllows(me.role, 'edit_contacts') ? await contactRows(db).execute() : [];
  const invoices = roleAllows(me.role, 'manage_subscription') ? (await listInvoices(db)).slice(0, MAX_INVOICES) : [];
  const addresses = contacts.flatMap(({ email }) => email ?? []);
  // A supply teacher's account has no address.
  const own = (await findStaffAccounts(db, [me.userId])).get(me.userId)?.email ?? '';
  const found = await findDeliveries(db, own, addresses, invoices.map(aboutInvoice));
  const toListed = (
    about: ListedDelivery['about'],
    delivery: FoundDelivery | undefined,
    invoice_number: string | null = null,
  ): ListedDelivery[] => {
    if (!delivery) return [];
    const { recipient: email, ...state } = delivery;
    return [{ about, invoice_number, email, ...state, is_blocked: found.blocked.has(email.toLowerCase()) }];
  };
  return [
    ...toListed('account', found.toOwn),
    ...contacts.flatMap(({ type, email }) =>
      toListed(type === 'billing' ? 'billing_contact' : 'primary_contact', found.to.get((email ?? '').toLowerCase())),
    ),
    ...invoices.flatMap((invoice) => toListed('invoice', found.about.get(aboutInvoice(invoice)), invoice.number)),
  ];
}

export const mailDeliveryHandlers = defineHandlers({
  listMailDeliveries: {
    handle: async ({ db, me }) => ({ deliveries: await listMailDeliveries(db, me) }),
  },
});
