// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { PackageOffer } from '#contract/calls/billing.ts';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makePackage, makeUnavailablePackage, makeUpgrade } from '../../../../testing/make-package.ts';
import { makeSubscription, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, renderRoutes, signIn } from '../../../../testing/render-in-app.tsx';
import { PackageSelector } from './PackageSelector.tsx';

const TRIAL = makeUnavailablePackage(null, { id: 1, title: 'Free trial', is_trial: true, price: 0 });

/** Shows the packages, and returns the card of each by its title. */
async function showPackages(...packages: PackageOffer[]) {
  signIn(makeUser());
  fakeApi({ 'GET /v1/enterprises/7/subscriptions/packages': () => ({ packages }) });
  renderInApp(<PackageSelector heading="h2" />, '/select-subscription');
  await screen.findByRole('list');
  return (title: string) => {
    const card = screen.getByRole('heading', { name: title }).closest('li')!;
    return { text: card.textContent, ...within(card) };
  };
}

it('a package that is an upgrade shows what is due now, the days covered, and the yearly price after them', async () => {
  const card = await showPackages(makeUpgrade());
  const { text, getByRole } = card('One-form entry');
  expect(text).toContain('£149.51 now, ex VAT');
  expect(text).toContain('24 November 2026 to 22 April 2027, then £840 a year from 23 April 2027');
  expect(text).toContain('90 of 240 places used');
  expect(getByRole('link', { name: 'Upgrade One-form entry' }).getAttribute('href')).toBe(
    '/fill-billing-details?package=5',
  );
});

it('a package for a new year shows its price, the days covered, and the yearly price after them', async () => {
  const card = await showPackages(makePackage({ max_readers: 999 }));
  const { text } = card('One-form entry');
  expect(text).toContain('£840 per year, ex VAT');
  expect(text).toContain('24 November 2026 to 23 November 2027, then £840 a year from 24 November 2027');
  expect(text).toContain('90 places used');
});

it('a package that is too small for the number of pupils says so, and how to archive some', async () => {
  const tooSmall = makeUnavailablePackage('too_many_pupils', {
    title: 'Small group',
    max_readers: 30,
    price: 15_000,
    meta: { active_pupils: 55, missing_places: 25 },
  });
  const card = await showPackages(tooSmall);
  const { text, getByRole, queryByRole } = card('Small group');
  expect(text).toContain('£150 per year, ex VAT');
  expect(text).toContain('You have 55 pupils. This package has 30 places.');
  expect(text).toContain('Archived pupils are erased after 30 days at the latest.');
  expect(text).not.toContain('places used');
  expect(getByRole('link', { name: 'How to archive pupils' }).getAttribute('href')).toBe(
    '/userguide/getting-the-most/classes-and-pupils#pupils-who-leave',
  );
  expect(queryByRole('link', { name: /^(Choose|Change|Extend|Upgrade)/ })).toBeNull();
});

it('near the end of a subscription its package can be extended, and another chosen for renewal', async () => {
  const card = await showPackages(
    makePackage({ has_subscription: true, meta: { is_extending: true } }),
    makePackage({ id: 3, title: 'Half-form entry', max_readers: 120, meta: { is_extending: true } }),
  );
  expect(card('One-form entry').getByRole('link', { name: 'Extend One-form entry' })).toBeTruthy();
  expect(card('Half-form entry').getByRole('link', { name: 'Change at renewal to Half-form entry' })).toBeTruthy();
});

it('the trial is the primary action of a new school', async () => {
  const card = await showPackages(TRIAL, makePackage());
  const variant = (element: HTMLElement) => element.getAttribute('data-variant') ?? 'filled';
  expect(variant(card('Free trial').getByRole('button', { name: 'Start free trial' }))).toBe('filled');
  expect(variant(card('One-form entry').getByRole('link', { name: 'Choose One-form entry' }))).toBe('default');
});

it('choosing the trial starts it and goes to the dashboard', async () => {
  signIn(makeUser());
  const START = 'POST /v1/enterprises/7/subscriptions/trial';
  const sent = fakeApi({
    'GET /v1/enterprises/7/subscriptions/packages': () => ({ packages: [TRIAL, makePackage()] }),
    [START]: () => ({ subscription: makeSubscription({ is_trial: true }) }),
  });
  const routes = [
    { path: '/select-subscription', element: <PackageSelector heading="h2" /> },
    { path: '/', element: <h1>Dashboard</h1> },
  ];
  const { user } = renderRoutes(routes, '/select-subscription');
  await user.click(await screen.findByRole('button', { name: 'Start free trial' }));
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(sent[START]).toEqual([{ package_id: 1 }]);
});

it('a package is the primary action if no trial is offered', async () => {
  const card = await showPackages(makeUnavailablePackage('trial_unavailable', TRIAL), makePackage());
  expect(screen.queryByRole('heading', { name: 'Free trial' })).toBeNull();
  const choose = card('One-form entry').getByRole('link', { name: 'Choose One-form entry' });
  expect(choose.getAttribute('data-variant')).not.toBe('default');
});

it('a package that would be a downgrade links to the contact request', async () => {
  const card = await showPackages(makeUnavailablePackage('downgrade'));
  expect(card('One-form entry').text).toContain('Downgrading is currently unsupported. Contact us for assistance.');
  expect(screen.getByRole('link', { name: 'Contact us for assistance.' }).getAttribute('href')).toBe(
    '/subscription/renew',
  );
});

it('the text below the packages says what an invoice covers, when it is due, and that the account is locked afterwards', async () => {
  await showPackages(makePackage());
  const note = screen.getByText(/^Prices are for 12 months and without VAT, which is added in the United Kingdom./);
  expect(note.textContent).toContain(
    'You get an invoice and have 30 days to pay it. After that, the account is locked until you pay.',
  );
});

it('the packages say that none can be chosen whilst an invoice is unpaid, with a link to the contact request', async () => {
  await showPackages(makeUnavailablePackage('invoice_unpaid'));
  expect(
    screen.getByText('Upgrading is not available whilst there is an unpaid invoice.', { exact: false }).textContent,
  ).toBe('Upgrading is not available whilst there is an unpaid invoice. Contact us for assistance.');
  expect(screen.getByRole('link', { name: 'Contact us for assistance.' }).getAttribute('href')).toBe(
    '/subscription/renew',
  );
});
