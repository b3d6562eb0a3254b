import { startFakeStripe } from '../server/src/testing/fake-stripe.ts';
import { callApi, expect, expectAccessible, test } from './portal.ts';
import { buildSchool } from './school.ts';
import { startPortal } from './server.ts';

const BILLING_CONTACT = {
  type: 'billing',
  contact_name: 'Pat Office',
  address_line_1: '1 Mill Lane',
  postcode: 'SW1A 1AA',
  country_code: 'GBR',
  telephone: '+442079460000',
  email: 'finance@test.example',
};

for (const javaScriptEnabled of [false, true])
  test(`anyone with its link pays an invoice by card in a browser ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
    browser,
  }) => {
    const stripe = await startFakeStripe();
    const portal = await startPortal(stripe.settings);
    const context = await browser.newContext({ javaScriptEnabled });
    await context.route('https://checkout.stripe.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Card details</h1>' }),
    );
    const { id, token } = await buildSchool(portal);
    const { invoice } = await callApi<{ invoice: { hosted_invoice_url: string } }>(
      portal,
      'POST',
      `/enterprises/${id}/subscriptions`,
      { package_id: 5, contact: BILLING_CONTACT },
      token,
    );
    const page = await context.newPage();
    const pay = page.getByRole('button', { name: 'Pay £1,008.00 by card' });

    await test.step('a payment that cannot start says so in place', async () => {
      stripe.setFailure(500);
      await page.goto(invoice.hosted_invoice_url);
      await expect(page.getByRole('heading', { level: 1, name: /^Invoice INV-/ })).toBeVisible();
      await pay.click();
      await expect(page.getByRole('alert')).toBeVisible();
      await expect(page.getByRole('heading', { level: 1, name: /^Invoice INV-/ })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      stripe.setFailure(undefined);
    });

    await test.step('the button leads to the card page, and works again after Back', async () => {
      await page.goto(invoice.hosted_invoice_url);
      await pay.click();
      await expect(page.getByRole('heading', { name: 'Card details' })).toBeVisible();
      await page.goBack();
      await pay.click();
      await expect(page.getByRole('heading', { name: 'Card details' })).toBeVisible();
      expect(stripe.sessions).toHaveLength(2);
    });

    await test.step('a guest who returns from the card page reads that the payment has been received', async () => {
      await page.goto(`${invoice.hosted_invoice_url}?payment=received`);
      await expect(page.getByText('Thank you. We have received your payment.').first()).toBeVisible();
    });

    await context.close();
    await portal.stop();
    await stripe.stop();
  });
