import { expect, expectAccessible, people, test } from './portal.ts';

test('an admin invites teachers, resends and deletes invitations, and changes roles', async ({ logIn }) => {
  const page = await logIn(people.admin);
  await page.goto('/add-teacher');
  await page.getByLabel('Email of teacher 1').fill('not an email');
  await page.getByRole('button', { name: 'Send invitations' }).click();
  await expect(page.getByText('There is a problem')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Email of teacher 1').fill('new.teacher@willowbank.example');
  await page.getByLabel('Email of teacher 2').fill(people.teacher);
  await expect(page.getByLabel('Email of teacher 3')).toBeVisible();
  await page.getByRole('button', { name: 'Send invitations' }).click();
  await expect(page.getByText('An invitation has been sent to the teachers')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'could not be sent' })).toContainText(people.teacher);

  await page.getByLabel('Email of teacher 1').fill('');
  await page.getByRole('link', { name: 'Teachers', exact: true }).first().click();
  await page.getByRole('button', { name: 'Resend the invitation to new.teacher@willowbank.example' }).click();
  await expect(
    page.getByRole('button', { name: 'Resent the invitation to new.teacher@willowbank.example' }),
  ).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Delete the invitation to new.teacher@willowbank.example' }).click();
  await page.getByRole('button', { name: 'Delete invitation' }).click();
  await expect(page.getByText(/^The invitation to .* has been deleted$/)).toBeVisible();

  await page.getByRole('button', { name: 'View Permissions' }).click();
  await expect(page.getByRole('row', { name: /Delete Pupils from School/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close', exact: true }).click();

  await expect(page.getByRole('button', { name: /Promote Helen Ashworth|Demote Helen Ashworth/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Promote Rhodri Penhale' }).click();
  await expect(page.getByText('The teacher has ben promoted')).toBeVisible();
  await page.getByRole('button', { name: 'Demote Rhodri Penhale' }).click();
  await expect(page.getByText('The teacher has been demoted')).toBeVisible();
});

test('a teacher sees the staff, but no invitations, and is sent away from what is for admins', async ({ logIn }) => {
  const page = await logIn(people.teacher);
  await page.goto('/teachers');
  await expect(page.getByText(people.admin)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Invitations' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Add Teacher' })).toHaveCount(0);
  await page.goto('/edit-school');
  await expect(page).toHaveURL(/\/school$/);
  await expect(page.getByRole('link', { name: 'Update the school details' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Changes' })).toHaveCount(0);
});

test('the school is changed and its log says so; a wrong postcode is refused', async ({ logIn }) => {
  const page = await logIn(people.admin);
  await page.goto('/school');
  await page.getByRole('link', { name: 'Update the school details' }).click();
  await page.getByLabel('Postcode').first().fill('nowhere');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: 'The Postcode is invalid' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Postcode').first().fill('sw1a1aa');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Details saved')).toBeVisible();
  await expect(page.getByText('SW1A 1AA')).toBeVisible();
  await expect(page.getByText('Changed the primary contact').first()).toBeVisible();
});

test('recordings are switched at once, and switched back when the server refuses', async ({ logIn }) => {
  const page = await logIn(people.admin);
  await page.goto('/school');
  await page.route('**/v1/enterprises/1', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { error: 'An error occurred', error_type: 'server' } })
      : route.fallback(),
  );
  await page.getByRole('button', { name: 'Enable recordings' }).click();
  await expect(page.getByText('The change could not be saved. Recordings are still disabled.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Enable recordings' })).toBeVisible();
  await page.unroute('**/v1/enterprises/1');
  await page.getByRole('button', { name: 'Enable recordings' }).click();
  await expect(page.getByRole('button', { name: 'Disable recordings' })).toBeVisible();
});

test('one’s own details are changed; a new email asks for the password', async ({ logIn }) => {
  const page = await logIn(people.otherAdmin);
  await page.goto('/account');
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
});

test('a pupil’s password is reset, and a pupil is deleted', async ({ logIn }) => {
  const page = await logIn(people.admin);
  await page.goto('/pupils/30');
  await page.getByRole('button', { name: 'RESET PASSWORD' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click();
  await expect(
    page.getByText("The pupil's password is being reset and new login information will arrive by email shortly."),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'RESET PASSWORD' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText("The pupil's password has been reset.")).toBeVisible();
  await expectAccessible(page);

  await page.goto('/pupils?search=Charlie');
  await page.getByRole('button', { name: 'Delete Charlie Oakden' }).click();
  await expect(page.getByRole('heading', { name: 'Delete Charlie Oakden?' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete pupil' }).click();
  await expect(page.getByText('The action was successful')).toBeVisible();
  await expect(page.getByText('Charlie Oakden')).toHaveCount(0);
});
