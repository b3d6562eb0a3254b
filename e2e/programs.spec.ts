import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import type { ReplyOf } from '#contract/call.ts';
import type { programCalls } from '#contract/calls/programs.ts';
import { expectSoundLayout } from './layout.ts';
import { callApi, expect, expectAccessibleInBothSchemes, expectPartAccessible, fillLogin, test } from './portal.ts';
import { buildSchool } from './school.ts';
import type { Portal } from './server.ts';

/** Adds an authenticator app to the account of the user. */
async function addApp(page: Page): Promise<void> {
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' });
  const secret = Secret.fromBase32((await dialog.locator('code').innerText()).replaceAll(' ', ''));
  await dialog.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await codes.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('You have 10 of 10 recovery codes left')).toBeVisible();
}

/** Fills in the form of a new program, and sends it. */
async function addProgram(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a program' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a program' });
  await dialog.getByLabel('Name', { exact: true }).fill('Data warehouse');
  await dialog.getByLabel('See pupils and classes', { exact: true }).check();
  await dialog.getByLabel('See reading', { exact: true }).check();
  await dialog.getByLabel('Change pupils and classes', { exact: true }).check();
  await dialog.getByLabel('Some classes', { exact: true }).check();
  await dialog.getByLabel('Year 3 Otters', { exact: true }).check();
  await expectPartAccessible(page, 'dialog[open]');
  await dialog.getByRole('button', { name: 'Add the program' }).click();
}

/** A call of the program. */
const callAs = (portal: Portal, token: string, path: string): Promise<Response> =>
  fetch(`${portal.url}/v1${path}`, { headers: { authorization: `Bearer ${token}` } });

test('an admin makes a token for a program, limits it, sees what it did and revokes it', async ({ page, portal }) => {
  const { id, admin, pupils } = await buildSchool(portal, {
    classes: { 'Year 3 Otters': ['Dilys Marsh'], 'Year 4 Wrens': ['Tilly Marsh'] },
  });
  await fillLogin(page, admin);
  await page.goto('/school');
  const card = page.getByRole('region', { name: 'Programs', exact: true });
  await expect(card.getByText('No program has a token at the moment.')).toBeVisible();
  await addProgram(page);
  const form = page.getByRole('dialog', { name: 'Add a program' });
  await expect(form.getByRole('link', { name: 'Add a passkey or an authenticator app first.' })).toBeVisible();
  await form.getByRole('link', { name: 'Add a passkey or an authenticator app first.' }).click();
  await expect(page).toHaveURL(/\/account\/security$/);
  await addApp(page);

  await page.goto('/school');
  await addProgram(page);
  const shown = page.getByRole('dialog', { name: 'Token of Data warehouse' });
  await expect(shown.getByText('We do not show it again.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expectPartAccessible(page, 'dialog[open]');
  const token = await shown.locator('code').innerText();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(shown).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add a program' })).toBeFocused();
  await expect(card.getByText('Never used')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await expectSoundLayout(page, '/school');

  const own = await callAs(portal, token, '/program');
  const { program } = (await own.json()) as ReplyOf<typeof programCalls.getProgram>;
  expect(program).toMatchObject({ name: 'Data warehouse', scopes: ['read_pupils', 'read_reading', 'write_pupils'] });
  const listed = await callAs(portal, token, `/enterprises/${id}/readers`);
  expect(((await listed.json()) as { readers: { name: string }[] }).readers.map(({ name }) => name)).toEqual([
    'Dilys Marsh',
  ]);
  const summary = `/enterprises/${id}/readers/${pupils.get('Dilys Marsh')}/summary`;
  expect((await callAs(portal, token, summary)).status).toBe(200);
  const renamed = { name: 'Dilys Marshall' };
  await callApi(portal, 'POST', `/enterprises/${id}/readers/${pupils.get('Dilys Marsh')}`, renamed, token);

  await page.reload();
  await expect(card.getByText('Never used')).toHaveCount(0);
  await card.getByRole('button', { name: 'Change Data warehouse' }).click();
  const change = page.getByRole('dialog', { name: 'Change Data warehouse' });
  await change.getByLabel('See pupils and classes', { exact: true }).uncheck();
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(change).toHaveCount(0);
  expect((await callAs(portal, token, `/enterprises/${id}/readers`)).status).toBe(403);
  expect((await callAs(portal, token, summary)).status).toBe(200);

  // The portal stores views a few seconds later.
  const readViews = async () =>
    (await page.request.get(`/v1/enterprises/${id}/readers/${pupils.get('Dilys Marsh')}/views`)).text();
  await expect.poll(readViews).toContain('Data warehouse');
  await page.goto(`/pupils/${pupils.get('Dilys Marsh')}`);
  await page.getByRole('button', { name: 'Show who looked' }).click();
  const row = page.getByRole('table', { name: 'Who looked' }).getByRole('row').filter({ hasText: '(program)' });
  await expect(row.filter({ hasText: 'Received the pupil’s details and reading' })).toContainText(
    'Data warehouse (program)',
  );

  // A login of more than 15 minutes ago is no proof any more. Revoking needs none.
  await portal.edit("update sessions set proved_at = now() - interval '1 hour'");
  await page.goto('/school');
  await card.getByRole('button', { name: 'Change Data warehouse' }).click();
  await change.getByRole('button', { name: 'Save' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(proof.getByLabel('Current password')).toBeVisible();
  await proof.getByRole('button', { name: 'Cancel' }).click();
  await expect(proof).toHaveCount(0);
  await change.getByRole('button', { name: 'Cancel' }).click();
  await card.getByRole('button', { name: 'Revoke Data warehouse' }).click();
  const question = page.getByRole('dialog', { name: 'Revoke Data warehouse?' });
  await expect(question).toBeVisible();
  await expectPartAccessible(page, 'dialog[open]');
  await question.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(card.getByText(/^Revoked on/)).toBeVisible();
  expect((await callAs(portal, token, '/program')).status).toBe(401);

  await page.goto('/school/changes');
  const table = page.getByRole('table', { name: 'Changes' });
  for (const deed of ['Made a token for', 'Changed', 'Revoked'])
    await expect(table.getByText(`${deed} the program Data warehouse`).first()).toBeVisible();
  await page.getByLabel('Person', { exact: true }).selectOption('Programs');
  await expect(table.getByText('Made a token for')).toHaveCount(0);
  const rename = table.getByRole('row').filter({ hasText: 'Renamed Dilys Marshall' });
  await expect(rename).toContainText('a program, for Olive Oak');
  await expectAccessibleInBothSchemes(page);
});
