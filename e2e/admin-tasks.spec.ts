import { chooseFrom, expect, expectAccessible, test } from './portal.ts';
import { buildSchool } from './school.ts';

test('an admin invites teachers, resends and deletes invitations', async ({ logIn, portal }) => {
  const { admin, teacher } = await buildSchool(portal, { teacher: ['Rhodri', 'Penhale'] });
  const invited = 'new.teacher@oak-row.example';
  const page = await logIn(admin, '/add-teacher');
  await page.getByLabel('Email of teacher 1').fill('not an email');
  await page.getByRole('button', { name: 'Send invitations' }).click();
  await expect(page.getByText('There is a problem')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Email of teacher 1').fill(invited);
  await page.getByLabel('Email of teacher 2').fill(teacher);
  await expect(page.getByLabel('Email of teacher 3')).toBeVisible();
  await page.getByRole('button', { name: 'Send 2 invitations' }).click();
  await expect(page.getByText('An invitation has been sent to the teachers').first()).toBeVisible();
  await expect(page.getByRole('main').getByText('could not be sent').locator('..')).toContainText(teacher);

  await page.getByLabel('Email of teacher 1').fill('');
  await page.getByRole('link', { name: 'Teachers', exact: true }).first().click();
  await page.getByRole('button', { name: `Resend the invitation to ${invited}` }).click();
  await expect(page.getByRole('button', { name: `Resent the invitation to ${invited}` })).toBeVisible();
  await page.reload();
  await chooseFrom(page, `Actions for ${invited}`, `Delete the invitation to ${invited}`);
  await page.getByRole('button', { name: 'Delete invitation' }).click();
  await expect(page.getByText(/^The invitation to .* has been deleted$/)).toBeVisible();
});

test('an admin reads the permissions, and promotes and demotes a teacher', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal, { teacher: ['Rhodri', 'Penhale'] });
  const page = await logIn(admin, '/teachers');
  await page.getByRole('button', { name: 'View Permissions' }).click();
  await expect(page.getByRole('row', { name: /Delete Pupils from School/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close', exact: true }).click();

  await expect(page.getByLabel('Actions for Olive Oak')).toHaveCount(0);
  await chooseFrom(page, 'Actions for Rhodri Penhale', 'Promote Rhodri Penhale');
  await expect(page.getByRole('dialog')).toContainText(/Make Rhodri Penhale an admin\?.*can delete pupils and staff/);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Promote', exact: true }).click();
  await expect(page.getByText('The teacher has ben promoted')).toBeVisible();
  await chooseFrom(page, 'Actions for Rhodri Penhale', 'Demote Rhodri Penhale');
  await expect(page.getByRole('dialog')).toContainText(/Make Rhodri Penhale a teacher\?.*cannot manage staff/);
  await page.getByRole('button', { name: 'Demote', exact: true }).click();
  await expect(page.getByText('The teacher has been demoted')).toBeVisible();
});
