import { expect } from '../portal.ts';
import type { Journey } from './journey.ts';
import { chooseScreen, createContact, readState, type School } from './registration.ts';

/** The list of invoices, which has no specified place. */
async function listInvoices(journey: Journey, { id, admin }: School): Promise<{ status: string }[]> {
  const path = '/v1/enterprises/{id}';
  const described = journey.outside('invoiceList').replySchema('GET', path, 'enterprise', 'invoices');
  const name = Object.entries(described.properties ?? {}).find(([, { type }]) => type === 'array')?.[0] ?? '';
  const reply = await admin.readDocumented('GET enterprises/{id}', [id], { include: 'invoices,readers' });
  const { enterprise } = reply as { enterprise: { invoices: Record<string, { status: string }[]> } };
  const list = enterprise.invoices[name];
  if (!list) throw journey.createError('the OpenAPI document describes no list of invoices.');
  return list;
}

/** Marks an invoice as paid, as an operator does. The name of its file has its number. */
async function payInvoice({ portal }: Journey, pdf: string): Promise<void> {
  const { headers } = await fetch(pdf);
  const [number = ''] = /INV-\d+/.exec(headers.get('content-disposition') ?? '') ?? [];
  await portal.operator('invoices', 'paid', number, 'BACS 1');
}

/** Buys a package, is locked, pays and upgrades. */
export async function manageSubscription(journey: Journey, school: School): Promise<void> {
  const { id, admin, email } = school;
  const listPaid = async () => {
    const { packages } = await admin.call('GET enterprises/{id}/subscriptions/packages', [id]);
    return packages.filter(({ is_trial }) => !is_trial).sort((left, right) => left.price - right.price);
  };
  const createOrder = (package_id: number) => ({
    contact: createContact(email, 'billing'),
    po_number: 'PO 118',
    package_id,
  });

  await journey.step('Buy a package', async () => {
    const [smallest] = await listPaid();
    const { invoice } = await admin.call('POST enterprises/{id}/subscriptions', [id], createOrder(smallest!.id));
    expect(invoice.status).toBe('open');
    const guest = journey.client();
    const opened = await Promise.all(
      [invoice.invoice_pdf, invoice.hosted_invoice_url].map((url) => guest.openUrl(url)),
    );
    expect(
      opened.map(({ status, headers }) => [status, headers.get('content-type')?.split(';')[0]]),
      'the URLs of an invoice without a session',
    ).toEqual([
      [200, 'application/pdf'],
      [200, 'text/html'],
    ]);
    const { billing_address } = await admin.call('GET enterprises/{id}/contacts/billing', [id]);
    expect(billing_address).toMatchObject({ type: 'billing', email });
    const state = await readState(journey, school);
    expect(state.invoices.meta).toMatchObject({ has_open_invoice: true, has_outstanding_invoice: false });
    expect(state.invoices.meta.open_invoice?.id).toBe(invoice.id);
    expect(state.subscription).toMatchObject({ is_trial: false, renewal_status: 'awaiting_payment' });
    expect((await listInvoices(journey, school)).map(({ status }) => status)).toEqual(['open']);
    expect(chooseScreen(state)).toBe('/');
  });

  await journey.step('Find the school locked, and pay', async () => {
    await journey.portal.edit(
      `update invoices set due_date = '2020-01-01', locks_on = '2020-01-08' where school_id = ${id}`,
    );
    const state = await readState(journey, school);
    expect(chooseScreen(state)).toBe('/payment-required');
    await admin.expectError(402, 'GET enterprises/{id}/readers', [id], { 'search[value]': 'Amara', length: 50 });
    await payInvoice(journey, state.invoices.meta.outstanding_invoice?.invoice_pdf ?? '');
    const paid = await readState(journey, school);
    expect(chooseScreen(paid)).toBe('/');
    expect(paid.readers?.map(({ name }) => name)).toContain('Amara Bell');
    expect((await listInvoices(journey, school)).map(({ status }) => status)).toEqual(['paid']);
  });

  await journey.step('Upgrade for the rest of the year', async () => {
    await journey.portal.edit(
      `update subscriptions set starts_at = now() - interval '184 days', expires_at = now() + interval '181 days' where school_id = ${id} and ended_at is null`,
    );
    const [current, larger] = await listPaid();
    expect(current).toMatchObject({ has_subscription: true, meta: { is_upgrading: false, prorated_price: null } });
    const offer = await admin.call('GET enterprises/{id}/packages/{packageId}', [id, larger!.id]);
    expect(offer.meta.is_upgrading).toBe(true);
    expect(offer.meta.prorated_price).toBeGreaterThan(0);
    expect(offer.meta.prorated_price).toBeLessThan(larger!.price - current!.price);
    await admin.call('POST enterprises/{id}/subscriptions', [id], createOrder(larger!.id));
    const { subscription } = await admin.call('GET enterprises/{id}/subscriptions', [id]);
    expect(subscription?.max_readers).toBe(larger!.max_readers);
    const unpaid = await admin.expectError(409, 'POST enterprises/{id}/subscriptions', [id], createOrder(larger!.id));
    expect(unpaid.error).toContain('Upgrading is not available whilst there is an unpaid invoice.');
  });
}
