import type { ReplyOf } from '#contract/call.ts';
import type { schoolCalls } from '#contract/calls/school.ts';
import { expectSoundLayout } from './layout.ts';
import { callApi, chooseFrom, expect, expectAccessible, expectPartAccessible, test } from './portal.ts';
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

test('an admin deletes a teacher who leaves, and hands over a class', async ({ logIn, portal }) => {
  const school = await buildSchool(portal, {
    classes: { 'Year 3 Otters': ['Dilys Quaglino'], 'Year 4 Kingfishers': [] },
    teacher: ['Rhodri', 'Penhale'],
  });
  const path = `/enterprises/${school.id}`;
  const { enterprise } = await callApi<ReplyOf<typeof schoolCalls.getSchool>>(
    portal,
    'GET',
    path,
    undefined,
    school.token,
  );
  const leaver = enterprise.users.find(({ last_name }) => last_name === 'Penhale');
  for (const classId of school.classes.values())
    await callApi(portal, 'POST', `${path}/groups/${classId}/users/${leaver?.id}`, undefined, school.token);

  const page = await logIn(school.admin, '/teachers');
  await chooseFrom(page, 'Actions for Rhodri Penhale', 'Delete Rhodri Penhale');
  const dialog = page.getByRole('dialog', { name: 'Delete Rhodri Penhale?' });
  await expect(dialog).toContainText('They can no longer log in to your school.');
  const newTeacher = dialog.getByLabel('New teacher of Year 3 Otters', { exact: true });
  await expect(newTeacher).toBeFocused();
  await expectPartAccessible(page, 'dialog[open]');
  await page.setViewportSize({ width: 375, height: 667 });
  await expectSoundLayout(page, 'a teacher leaves');
  await page.setViewportSize({ width: 1280, height: 800 });
  await newTeacher.selectOption('Olive Oak');
  await expect(dialog).toContainText('1 class of theirs, with the pupils in it, will have no teacher.');
  await dialog.getByRole('button', { name: 'Delete teacher' }).click();
  await expect(
    page.getByText('Rhodri Penhale has been deleted, and Olive Oak now teaches Year 3 Otters').first(),
  ).toBeVisible();
  const staff = page.getByRole('table', { name: 'Teachers' });
  await expect(staff.getByRole('row', { name: /^Rhodri Penhale/ })).toHaveCount(0);
  const ownRow = staff.getByRole('row', { name: /^Olive Oak/ });
  await expect(ownRow).toContainText('Year 3 Otters');
  await expect(ownRow).not.toContainText('Year 4 Kingfishers');

  await page.goto('/school/changes');
  await expect(page.getByText('Put Olive Oak in charge of Year 3 Otters')).toBeVisible();
  await expect(
    page.getByText('Deleted a former member of staff from the school, and handed over 1 class'),
  ).toBeVisible();
});
