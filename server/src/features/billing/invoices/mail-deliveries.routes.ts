import type { ListedDelivery } from '#contract/mail-delivery.ts';
import { roleAllows } from '#contract/permissions.ts';
import type { StaffSession } from '../../../context.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import {
  findDeliveriesAbout,
  findDeliveriesTo,
  type FoundDelivery,
  listBlockedAddresses,
} from '../../../mail/delivery.queries.ts';
import { findStaffAccounts } from '../../accounts/access/access.public.ts';
import { contactRows } from './contacts.queries.ts';
import { aboutInvoice } from './invoices.mail.ts';
import { listInvoices } from './invoices.queries.ts';

/** The invoices whose emails are shown, the latest first. */
const MAX_INVOICES = 20;

const keyOf = (email: string): string => email.toLowerCase();

/** The emails whose state this member of staff sees: to their own address, to the contacts and about invoices. */
async function listMailDeliveries(db: SchoolDb, me: StaffSession): Promise<ListedDelivery[]> {
  const contacts = roleAllows(me.role, 'edit_contacts') ? await contactRows(db).execute() : [];
  const invoices = roleAllows(me.role, 'manage_subscription') ? (await listInvoices(db)).slice(0, MAX_INVOICES) : [];
  const addresses = contacts.flatMap(({ email }) => email ?? []);
  // A supply teacher's account has no address.
  const own = (await findStaffAccounts(db, [me.userId])).get(me.userId)?.email ?? '';
  return withPlatform(db, async (platform) => {
    const toOwn = (await findDeliveriesTo(platform, [own])).get(keyOf(own));
    const toContacts = await findDeliveriesTo(platform, addresses, db.schoolId);
    const aboutInvoices = await findDeliveriesAbout(platform, db.schoolId, invoices.map(aboutInvoice));
    const blocked = await listBlockedAddresses(platform, [own, ...addresses]);
    const toListed = (
      about: ListedDelivery['about'],
      found: FoundDelivery | undefined,
      invoice_number: string | null = null,
    ): ListedDelivery[] => {
      if (!found) return [];
      const { recipient, ...delivery } = found;
      return [{ about, invoice_number, email: recipient, ...delivery, is_blocked: blocked.has(keyOf(recipient)) }];
    };
    return [
      ...toListed('account', toOwn),
      ...contacts.flatMap(({ type, email }) =>
        toListed(type === 'billing' ? 'billing_contact' : 'primary_contact', toContacts.get(keyOf(email ?? ''))),
      ),
      ...invoices.flatMap((invoice) => toListed('invoice', aboutInvoices.get(aboutInvoice(invoice)), invoice.number)),
    ];
  });
}

export const mailDeliveryHandlers = defineHandlers({
  listMailDeliveries: {
    handle: async ({ db, me }) => ({ deliveries: await listMailDeliveries(db, me) }),
  },
});
