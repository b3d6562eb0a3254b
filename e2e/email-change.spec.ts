import type { Page } from '@playwright/test';
import { expect, expectAccessible, fillLogin, mailedLink, PASSWORD, test } from './portal.ts';
import { expectSoundLayout } from './layout.ts';
import { buildSchool } from './school.ts';

async function requestChange(page: Page, email: string): Promise<void> {
  await page.goto('/account');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText(`Waiting for confirmation of ${email}`)).toBeVisible();
}

test('a new email address waits for a day, is stopped from the old one, and another is used at once', async ({
  page,
  portal,
}) => {
  const { admin } = await buildSchool(portal);
  await fillLogin(page, admin);
  await test.step('a cancelled change cannot be confirmed', async () => {
    const cancelled = `cancelled-${admin}`;
    await requestChange(page, cancelled);
    const link = await mailedLink(portal, cancelled, '/confirm/email/');
    await page.getByRole('button', { name: 'Cancel the change' }).click();
    await expect(page.getByText('Waiting for confirmation')).toHaveCount(0);
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('This link has expired or has already been used.')).toBeVisible();
  });

  const first = `first-${admin}`;
  await requestChange(page, first);
  await page.goto(await mailedLink(portal, first, '/confirm/email/'));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Your email address has been confirmed.').first()).toBeVisible();
  await expect(page.getByText('Until then, log in with your old address')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/account');
  await expect(page.getByText(`Your email changes to ${first}`)).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(admin);
  await expectAccessible(page);

  const announced = await mailedLink(portal, admin, '/email-change/');
  await page.goto(announced);
  await expect(page.getByText(`to ${first}`)).toBeVisible();
  await expectAccessible(page);
  await expectSoundLayout(page, '/email-change');
  await page.getByRole('button', { name: 'This was not me: stop the change' }).click();
  await expect(page.getByText('The change has been stopped').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Choose a new password' }).click();
  await expect(page.getByText(`Your email changes to ${first}`)).toHaveCount(0);

  const second = `second-${admin}`;
  await requestChange(page, second);
  await page.goto(await mailedLink(portal, second, '/confirm/email/'));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Your email address has been confirmed.').first()).toBeVisible();
  await expect.poll(() => mailedLink(portal, admin, '/email-change/')).not.toBe(announced);
  await page.goto(await mailedLink(portal, admin, '/email-change/'));
  await page.getByRole('button', { name: 'This was me: change it without waiting' }).click();
  await expect(page.getByText('Your email address has changed.').first()).toBeVisible();
  await page.getByRole('link', { name: 'Go to My details' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(second);
});
