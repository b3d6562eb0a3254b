import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { chooseFrom, expect, expectAccessible, fillLogin, PASSWORD, saveFile, submitLogin, test } from './portal.ts';
import { buildSchool } from './school.ts';
import type { Portal } from './server.ts';

const PERIOD_MS = 30_000;

/** A device that holds passkeys and confirms who its owner is at once. */
async function addDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Lets the time pass in which a login counts as a proof. */
const passProof = (portal: Portal) => portal.edit("update sessions set proved_at = now() - interval '1 hour'");

/** Adds an authenticator app in the middle of a login. Returns the recovery codes. */
async function addApp(page: Page): Promise<{ codes: string[] }> {
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' });
  const secret = Secret.fromBase32((await dialog.locator('code').innerText()).replaceAll(' ', ''));
  await dialog.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const kept = page.getByRole('dialog', { name: 'Your recovery codes' });
  await expect(kept.locator('code')).toHaveCount(10);
  const codes = await kept.locator('code').allInnerTexts();
  await kept.getByRole('button', { name: 'I have kept them' }).click();
  return { codes };
}

async function logOut(page: Page): Promise<void> {
  await page.goto('/logout');
  await expect(page).toHaveURL(/\/login/);
}

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await submitLogin(page, email);
}

test('with an authenticator app, a login takes a code, and a recovery code when the phone is lost', async ({
  page,
  portal,
}) => {
  const { admin } = await buildSchool(portal);
  await fillLogin(page, admin);
  await page.goto('/account');
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' });
  await expect(dialog.getByRole('img', { name: 'QR code' })).toBeVisible();
  await expectAccessible(page, { part: 'dialog[open]' });
  const secret = Secret.fromBase32((await dialog.locator('code').innerText()).replaceAll(' ', ''));
  const codeAt = (timestamp: number) => new TOTP({ secret }).generate({ timestamp });

  await dialog.getByLabel('Code', { exact: true }).fill(codeAt(0));
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText('This code is not correct.').first()).toBeVisible();
  const enrolledAt = Date.now();
  await dialog.getByLabel('Code', { exact: true }).fill(codeAt(enrolledAt));
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();

  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await expect(codes.locator('code')).toHaveCount(10);
  await expectAccessible(page, { part: 'dialog[open]' });
  const recoveryCode = await codes.locator('code').first().innerText();
  await codes.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('You have 10 of 10 recovery codes left')).toBeVisible();

  await logOut(page);
  await enterPassword(page, admin);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('This code is not correct.').first()).toBeVisible();
  // The next code: that of the enrolment is used up.
  await page.getByLabel('Code').fill(codeAt(enrolledAt + PERIOD_MS));
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).not.toHaveURL(/\/login/);

  await logOut(page);
  await enterPassword(page, admin);
  await page.getByLabel('Code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).not.toHaveURL(/\/login/);
  await page.goto('/account/security');
  await expect(page.getByText('You have 9 of 10 recovery codes left')).toBeVisible();

  await page.goto('/account');
  await page.getByLabel('Password (optional)').fill('kite harbour 7');
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Your password has been changed. Log in with the new one.').first()).toBeVisible();
});

test('an operator adds an authenticator app at the first login, and confirms a code to work in a school', async ({
  page,
  portal,
}) => {
  const { admin } = await buildSchool(portal);
  const school = await buildSchool(portal, { teacher: ['Ivy', 'Wren'] });
  expect(await portal.operator('add', admin)).toContain('is now an operator');
  await page.goto('/admin');
  await submitLogin(page, admin);
  const { codes } = await addApp(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Schools' })).toBeVisible();

  await passProof(portal);
  await page.goto(`/admin/schools/${school.id}`);
  await page.getByRole('button', { name: 'Log in as Ivy Wren' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in as Ivy Wren' });
  await dialog.getByLabel('Reason').fill('Request 4711');
  await dialog.getByRole('button', { name: 'Log in as Ivy Wren' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByLabel('Current password').fill(PASSWORD);
  await proof.getByLabel('Code').fill(codes[0] ?? '');
  await expectAccessible(page, { part: 'dialog[open]' });
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('region', { name: 'Logged in as another person' })).toContainText('Ivy');
});

test('a school that requires a second factor shows a notice first, and then asks for one at the login', async ({
  page,
  portal,
}) => {
  const { id, admin, teacher } = await buildSchool(portal, { teacher: ['Ivy', 'Wren'] });
  await fillLogin(page, admin);
  await expect(page.getByText(/you need a passkey or an authenticator app to log in/)).toBeVisible();
  await page.goto('/school');
  const card = page.getByRole('region', { name: 'Login security' });
  await expect(card).toContainText('Required for admins from');
  await expect(card).toContainText('Ivy Wren');
  await card.getByRole('button', { name: 'Change who needs one' }).click();
  await page.getByLabel('All staff').check();
  await expectAccessible(page, { part: 'dialog[open]' });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(card).toContainText('Required for all staff from');

  // An open page would find out that the session has ended, and leave by itself.
  await page.goto('about:blank');
  await portal.edit(
    `update schools set admins_factor_from = '2026-01-01', teachers_factor_from = '2026-01-01' where id = ${id}`,
  );
  await page.goto('/school');
  await expect(page).toHaveURL(/\/login/);
  await enterPassword(page, teacher);
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible();
  await expectAccessible(page);
  await addApp(page);
  await expect(page.getByRole('heading', { level: 1, name: /Dashboard/ })).toBeVisible();
});

test('an admin proves who they are before a download, and resets the second factor of a colleague', async ({
  page,
  portal,
}) => {
  const { admin, teacher } = await buildSchool(portal, { teacher: ['Ivy', 'Wren'] });
  await portal.edit(
    `insert into login_factors (user_id, kind, name, created_at, confirmed_at, sealed_secret)
      select id, 'authenticator', 'Lost phone', now(), now(), '\\x00' from users where email = '${teacher}'`,
  );
  await fillLogin(page, admin);
  await passProof(portal);
  await page.goto('/school');
  await page.getByRole('button', { name: 'Download the school' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'did not confirm that it is you' })).toBeVisible();
  await page.getByRole('button', { name: 'Download the school' }).click();
  await proof.getByLabel('Current password').fill(PASSWORD);
  expect((await saveFile(page, proof.getByRole('button', { name: 'Confirm' }))).name).toMatch(/\.zip$/);

  await page.goto('/teachers');
  await chooseFrom(page, 'Actions for Ivy Wren', 'Reset second factor of Ivy Wren');
  const dialog = page.getByRole('dialog', { name: 'Reset the second factor of Ivy Wren' });
  await dialog.getByRole('button', { name: 'Reset second factor' }).click();
  await expect(dialog.getByText('Say how you checked who they are.').first()).toBeVisible();
  await expectAccessible(page, { part: 'dialog[open]' });
  await dialog.getByLabel('In person').check();
  await dialog.getByRole('button', { name: 'Reset second factor' }).click();
  await expect(dialog).toHaveCount(0);
  await page.context().clearCookies();
  await fillLogin(page, teacher);
});

test('a passkey logs a user in by itself, and after its removal the password alone is enough', async ({
  page,
  portal,
}) => {
  const { admin } = await buildSchool(portal);
  await addDevice(page);
  await fillLogin(page, admin);
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill('School laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('School laptop', { exact: true })).toBeVisible();

  const isLoggedIn = page.getByRole('banner').getByRole('button', { name: 'Log out' });
  // A browser that does not know yet that its owner has a passkey.
  await page.context().clearCookies();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(isLoggedIn).toBeVisible();

  // Now the email field offers the passkey, and this device takes each offer.
  await page.goto('/logout');
  await expect(isLoggedIn).toBeVisible();

  await page.goto('/account/security');
  await page.getByLabel('Actions for School laptop').click();
  await page.getByRole('button', { name: 'Remove School laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('You have none yet.')).toBeVisible();
  await page.context().clearCookies();
  await fillLogin(page, admin);
});
