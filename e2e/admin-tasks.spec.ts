import { chooseFrom, mailedLink, expect, expectAccessible, people, test } from './portal.ts';
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
  await page.getByRole('button', { name: 'Send invitations' }).click();
  await expect(page.getByText('An invitation has been sent to the teachers')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'could not be sent' })).toContainText(teacher);

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

test('a teacher sees the staff but no invitations, and is redirected from screens for admins', async ({ logIn }) => {
  const page = await logIn(people.teacher, '/teachers');
  await expect(page.getByText(people.admin)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Invitations' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Add Teacher' })).toHaveCount(0);
  await page.goto('/edit-school');
  await expect(page).toHaveURL(/\/school$/);
  await expect(page.getByRole('link', { name: 'Update the school details' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Changes' })).toHaveCount(0);
  await page.goto('/school/changes');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('an admin edits the school, which is logged; a wrong postcode is rejected', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal);
  const page = await logIn(admin, '/school');
  await page.getByRole('link', { name: 'Update the school details' }).click();
  await page.getByLabel('Postcode').first().fill('nowhere');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: 'The Postcode is invalid' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Postcode').first().fill('sw1a1aa');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Details saved')).toBeVisible();
  await expect(page.getByText('SW1A 1AA')).toBeVisible();
  await page.getByRole('link', { name: 'Changes' }).click();
  await expect(page.getByText('Changed the primary contact').first()).toBeVisible();
});

test('an admin changes their details; a new email address needs the password', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal);
  const page = await logIn(admin, '/account');
  await page.getByLabel('First name').fill('Q');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('There is a problem')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('First name').fill('Quentin');
  await page.getByLabel('Send me the weekly school digest').check();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Details saved')).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('Quentin');

  await page.getByLabel('Email').fill(people.admin);
  await page.getByLabel('Current password').fill('reading-1');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Duplicate email').first()).toBeVisible();
  await page.getByLabel('Current password').fill('wrong-password');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Details incorrect')).toBeVisible();

  const other = `other-${admin}`;
  await page.getByLabel('Email').fill(other);
  await page.getByLabel('Current password').fill('reading-1');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText(`Waiting for confirmation of ${other}`)).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(admin);
  await expectAccessible(page);
  const link = await mailedLink(portal, other, '/confirm/email/');
  await page.getByRole('button', { name: 'Cancel the change' }).click();
  await expect(page.getByText('Waiting for confirmation')).toHaveCount(0);
  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('This link has expired or has already been used.')).toBeVisible();
});

test('an admin resets a pupil’s password', async ({ logIn, portal }) => {
  const { admin, pupils } = await buildSchool(portal, { classes: { 'Year 3 Otters': ['Charlie Oakden'] } });
  const page = await logIn(admin, `/pupils/${pupils.get('Charlie Oakden')}`);
  await page.getByRole('button', { name: 'RESET PASSWORD' }).click();
  await page
    .getByRole('dialog', { name: 'Reset the password of Charlie Oakden?' })
    .getByRole('button', { name: 'Reset password' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'New login card for Charlie Oakden' });
  await expect(
    dialog.getByText("The pupil's password is being reset and new login information will arrive by email shortly."),
  ).toBeInViewport();
  await expect(dialog.getByRole('article', { name: 'Login card for Charlie Oakden' })).toBeInViewport();
  await expect(dialog.getByRole('button', { name: 'Print', exact: true })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'RESET PASSWORD' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'RESET PASSWORD' })).toHaveAttribute('aria-disabled', 'true');
});

test('an admin deletes a pupil', async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal, { classes: { 'Year 3 Otters': ['Charlie Oakden', 'Tilly Marsh'] } });
  const page = await logIn(admin, '/pupils?search=Charlie');
  await chooseFrom(page, 'Actions for Charlie Oakden', 'Delete Charlie Oakden');
  await expect(page.getByRole('heading', { name: 'Delete Charlie Oakden?' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete pupil' }).click();
  await expect(page.getByText('The action was successful')).toBeVisible();
  await expect(page.getByText('Charlie Oakden has been deleted')).toBeVisible();
  await page.getByRole('button', { name: 'Close message' }).click();
  await expect(page.getByText('Charlie Oakden')).toHaveCount(0);
});
