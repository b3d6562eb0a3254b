// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { PackageOffer } from '#contract/calls/billing.ts';
import type { Quote } from '#contract/quote.ts';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makePackage, makeUnavailablePackage, makeUpgrade } from '../../../testing/make-package.ts';
import { makeInvoice, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import FillBillingDetailsPage from './FillBillingDetailsPage.tsx';

const CONTACT = {
  id: 1,
  type: 'billing',
  contact_name: 'Pat Office',
  job_role: null,
  address_line_1: '1 Mill Lane',
  address_line_2: null,
  address_line_3: null,
  address_line_4: null,
  postcode: 'SW1A 1AA',
  country_code: 'GBR',
  telephone: '02079460000',
  email: 'pat@school.example',
};
const PACKAGE = '/v1/enterprises/7/packages/5';
const SUBSCRIBE = 'POST /v1/enterprises/7/subscriptions';
const NEW_QUOTE: Quote = {
  net: 90_000,
  vat: 18_000,
  total: 108_000,
  period: { from: '2026-11-25', to: '2027-11-24' },
  due_yearly: { net: 90_000, vat: 18_000, total: 108_000, from: '2027-11-25' },
};

/** Renders the page of a package. `atContinue` is the package as returned at Continue. */
function showPage(
  offer: PackageOffer,
  replies: (() => object)[] = [],
  atContinue = offer,
  abroad = offer,
  url = '/fill-billing-details?package=5',
) {
  signIn(makeUser());
  const sent = fakeApi({
    [`GET ${PACKAGE}`]: () => ({ package: offer, meta: offer.meta }),
    [`GET ${PACKAGE}?country_code=GBR`]: () => ({ package: atContinue, meta: atContinue.meta }),
    [`GET ${PACKAGE}?country_code=IND`]: () => ({ package: abroad, meta: abroad.meta }),
    'GET /v1/enterprises/7/contacts/billing': () => ({ billing_address: CONTACT }),
    [SUBSCRIBE]: () => replies.shift()?.() ?? { invoice: makeInvoice() },
  });
  const routes = [
    { path: '/fill-billing-details', Component: FillBillingDetailsPage },
    { path: '/feedback/:email', element: <h1>Thank you</h1> },
    { path: '/select-subscription', element: <h1>Choose a package</h1> },
  ];
  const page = renderRoutes(routes, url);
  const proceed = async () => page.user.click(await screen.findByRole('button', { name: 'Continue' }));
  const confirm = async () => page.user.click(await screen.findByRole('button', { name: 'Confirm subscription' }));
  const totals = () => (sent[SUBSCRIBE] ?? []).map((body) => (body as { expected_total: number }).expected_total);
  return { ...page, proceed, confirm, totals, sent };
}

const valueOf = (name: string) => screen.getByText(name, { selector: 'dt' }).parentElement?.querySelector('dd');

it('the billing details show the chosen package and its price above a form for the billing contact and a purchase order number', async () => {
  showPage(makePackage());
  const chosen = await screen.findByRole('region', { name: 'Chosen package' });
  expect(chosen.textContent).toContain('One-form entry');
  expect(chosen.textContent).toContain('£840 now');
  const valuesOf = (labels: string[]) => labels.map((label) => screen.getByLabelText<HTMLInputElement>(label).value);
  expect(valuesOf(['Contact name', 'Address line 1', 'Postcode', 'Country', 'Phone', 'Contact email'])).toEqual([
    'Pat Office',
    '1 Mill Lane',
    'SW1A 1AA',
    'GBR',
    '02079460000',
    'pat@school.example',
  ]);
  expect(valuesOf(['Purchase order number (optional)'])).toEqual(['']);
});

it('the summary of a purchase shows what is due now, for which days, what a year costs after them, and the places used', async () => {
  const { proceed, confirm, totals } = showPage(makeUpgrade());
  expect((await screen.findByRole('region', { name: 'Chosen package' })).textContent).toContain(
    '£149.51 now, then £840 a year from 23 April 2027, ex VAT',
  );
  await proceed();
  await screen.findByRole('heading', { level: 1, name: 'Check and confirm' });
  expect(valueOf('Days covered')?.textContent).toBe('24 November 2026 to 22 April 2027');
  expect(valueOf('Places used')?.textContent).toBe('90 of 240');
  expect(valueOf('Price')?.textContent).toBe('£149.51');
  expect(valueOf('VAT at 20%')?.textContent).toBe('£29.90');
  expect(valueOf('Total now')?.textContent).toBe('£179.41');
  expect(valueOf('After that')?.textContent).toContain('£840 a year from 23 April 2027');
  await confirm();
  await screen.findByRole('heading', { name: 'Thank you' });
  expect(totals()).toEqual([17_941]);
});

it('the billing details redirect to the choice of a package when the URL names none', async () => {
  showPage(makePackage(), [], undefined, undefined, '/fill-billing-details');
  expect(await screen.findByRole('heading', { name: 'Choose a package' })).toBeTruthy();
});

it('the summary of a purchase shows the old and the new price after a change, and confirms at the new price', async () => {
  const changed = () =>
    rejectWith(409, { error: 'Changed', error_type: 'conflict', code: 'price_changed', quote: NEW_QUOTE });
  const { user, proceed, confirm, totals, sent } = showPage(makePackage(), [changed]);
  await user.type(await screen.findByLabelText('Purchase order number (optional)'), 'PO 7');
  await proceed();
  await confirm();
  expect(await screen.findByText(/It was £1,008.00 and is now £1,080.00, including VAT/)).toBeTruthy();
  expect(valueOf('Total now')?.textContent).toBe('£1,080.00');
  expect(valueOf('Days covered')?.textContent).toBe('25 November 2026 to 24 November 2027');
  expect(valueOf('After that')?.textContent).toContain('£900 a year from 25 November 2027');
  expect(valueOf('Purchase order')?.textContent).toBe('PO 7');
  await confirm();
  await screen.findByRole('heading', { name: 'Thank you' });
  expect(totals()).toEqual([100_800, 108_000]);
  expect(sent[SUBSCRIBE]).toMatchObject([{ po_number: 'PO 7' }, { po_number: 'PO 7' }]);
});

it('the summary of a purchase reports that the school has too many pupils, and keeps the form', async () => {
  const tooMany = () =>
    rejectWith(409, { error: 'Too many', error_type: 'conflict', code: 'too_many_pupils', pupils: 241 });
  const { user, proceed, confirm } = showPage(makePackage(), [tooMany]);
  await user.type(await screen.findByLabelText('Purchase order number (optional)'), 'PO 7');
  await proceed();
  await confirm();
  expect(await screen.findByText(/You have 241 pupils. This package has 240 places./)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'How to archive pupils' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(screen.getByLabelText<HTMLInputElement>('Purchase order number (optional)').value).toBe('PO 7');
});

it('the billing details stay on screen when the package can no longer be purchased at Continue', async () => {
  const { user, proceed } = showPage(makePackage(), [], makeUnavailablePackage('invoice_unpaid'));
  await user.type(await screen.findByLabelText('Purchase order number (optional)'), 'PO 7');
  await proceed();
  expect(await screen.findByText(/Upgrading is not available whilst there is an unpaid invoice./)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Purchase order number (optional)').value).toBe('PO 7');
});

it('the summary of a purchase charges the VAT of the chosen country', async () => {
  const abroad = makePackage({
    meta: {
      due_now: { net: 84_000, vat: 0, total: 84_000 },
      due_yearly: { net: 84_000, vat: 0, total: 84_000, from: '2027-11-24' },
    },
  });
  const { user, proceed, confirm, totals } = showPage(makePackage(), [], makePackage(), abroad);
  await user.selectOptions(await screen.findByLabelText('Country'), 'IND');
  await proceed();
  await screen.findByRole('heading', { level: 1, name: 'Check and confirm' });
  expect(valueOf('VAT')?.textContent).toBe('None outside the United Kingdom');
  expect(valueOf('Total now')?.textContent).toBe('£840.00');
  await confirm();
  await screen.findByRole('heading', { name: 'Thank you' });
  expect(totals()).toEqual([84_000]);
});

it('the billing details link to the other packages if this one is too small', async () => {
  showPage(makeUnavailablePackage('too_many_pupils', { max_readers: 30 }));
  expect(await screen.findByText(/You have 90 pupils. This package has 30 places./)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Choose a package' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
});

it('the billing details keep what was typed from the form to the summary and back, and ask before the user leaves either', async () => {
  const { user, proceed } = showPage(makePackage());
  await user.type(await screen.findByLabelText('Purchase order number (optional)'), 'PO 7');
  await proceed();
  await screen.findByRole('heading', { level: 1, name: 'Check and confirm' });
  await user.click(screen.getByRole('link', { name: 'Change package' }));
  expect((await screen.findByRole('dialog', { name: 'Leave this page?' })).textContent).toContain(
    'Nothing has been bought yet.',
  );
  await user.click(screen.getByRole('button', { name: 'Stay' }));
  await user.click(screen.getByRole('button', { name: 'Change billing details' }));
  expect(screen.getByLabelText<HTMLInputElement>('Purchase order number (optional)').value).toBe('PO 7');
  await proceed();
  await screen.findByRole('heading', { level: 1, name: 'Check and confirm' });
  expect(valueOf('Purchase order')?.textContent).toBe('PO 7');
  await user.click(screen.getByRole('link', { name: 'Change package' }));
  await user.click(await screen.findByRole('button', { name: 'Leave' }));
  expect(await screen.findByRole('heading', { name: 'Choose a package' })).toBeTruthy();
});

/** The labels of the form, each with a value and its name in the API. */
const FIELDS = [
  ['Contact name', 'Robin Reed', 'contact_name'],
  ['Job role (optional)', 'Bursar', 'job_role'],
  ['Address line 1', '2 Oak Row', 'address_line_1'],
  ['Address line 2 (optional)', 'Second line', 'address_line_2'],
  ['Address line 3 (optional)', 'Third line', 'address_line_3'],
  ['Address line 4 (optional)', 'Leeds', 'address_line_4'],
  ['Postcode', 'LS1 1AA', 'postcode'],
  ['Phone', '01130000000', 'telephone'],
  ['Contact email', 'robin@school.example', 'email'],
] as const;
const typeInto = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

it('a purchase sends every field of the billing contact and the purchase order number', async () => {
  const { proceed, confirm, sent } = showPage(makePackage());
  await screen.findByLabelText('Contact name');
  for (const [label, value] of FIELDS) typeInto(label, value);
  typeInto('Purchase order number (optional)', 'PO 7');
  await proceed();
  await screen.findByRole('heading', { level: 1, name: 'Check and confirm' });
  await confirm();
  await screen.findByRole('heading', { name: 'Thank you' });
  const contact = Object.fromEntries(FIELDS.map(([, value, name]) => [name, value]));
  expect(sent[SUBSCRIBE]).toEqual([
    {
      package_id: 5,
      contact: { type: 'billing', country_code: 'GBR', ...contact },
      po_number: 'PO 7',
      expected_total: 100_800,
    },
  ]);
});

it('the billing details require every field of the billing contact but the optional ones', async () => {
  const { proceed } = showPage(makePackage());
  await screen.findByLabelText('Contact name');
  for (const [label] of FIELDS) typeInto(label, '');
  await proceed();
  await screen.findByText('There is a problem');
  const missing = FIELDS.filter(([label]) => screen.getByLabelText(label).getAttribute('aria-invalid') === 'true');
  expect(missing.map(([label]) => label)).toEqual([
    'Contact name',
    'Address line 1',
    'Postcode',
    'Phone',
    'Contact email',
  ]);
});
