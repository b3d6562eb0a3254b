import { callApi, chooseFrom, expect, expectAccessibleInBothSchemes, expectPartAccessible, test } from './portal.ts';
import { buildSchool } from './school.ts';

test('an admin turns on Pupil premium and tags two pupils; their teacher sees it, another does not', async ({
  logIn,
  portal,
}) => {
  const { id, token, admin, teacher, pupils, classes } = await buildSchool(portal, {
    classes: { 'Year 3 Otters': ['Charlie Oakden', 'Tilly Marsh', 'Wren Hale'] },
    teacher: ['Rhodri', 'Penhale'],
  });
  let page = await logIn(admin, '/school');
  await expect(page.getByText('Off', { exact: true })).toHaveCount(2);
  await page.getByRole('button', { name: 'Turn on Pupil premium' }).click();
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Enter the purpose.' })).toBeVisible();
  await expectPartAccessible(page, 'dialog[open]');
  await page.getByLabel('Purpose').fill('To plan extra reading time');
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await expect(page.getByText('Purpose: To plan extra reading time')).toBeVisible();
  await expectAccessibleInBothSchemes(page);

  await page.goto('/pupils');
  await page.getByRole('checkbox', { name: 'Select Charlie Oakden' }).check();
  await page.getByRole('checkbox', { name: 'Select Tilly Marsh' }).check();
  await chooseFrom(page, 'More actions for the selected pupils', 'Tags');
  await page.getByRole('checkbox', { name: 'Pupil premium' }).check();
  await expectPartAccessible(page, 'dialog[open]');
  await page.getByRole('button', { name: 'Save tags' }).click();
  await expect(page.getByText('Tags of 2 pupils changed')).toBeVisible();
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('Pupil premium');
  await expect(page.getByRole('link', { name: 'Wren Hale' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Charlie Oakden' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Tilly Marsh' })).toBeVisible();
  const url = page.url();

  // A teacher of no class sees every pupil, and no tag.
  const pupilPage = `/pupils/${pupils.get('Charlie Oakden')}`;
  page = await logIn(teacher, '/pupils');
  await expect(page.getByRole('link', { name: 'Charlie Oakden' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Tag' })).toHaveCount(0);
  await page.goto(url);
  await expect(page.getByText('No pupils found with these filters.')).toBeVisible();
  await page.goto(pupilPage);
  await expect(page.getByRole('heading', { level: 1, name: 'Charlie Oakden' })).toBeVisible();
  await expect(page.getByText('Pupil premium')).toHaveCount(0);

  type Staff = { enterprise: { users: { id: number; email: string }[] } };
  const { enterprise } = await callApi<Staff>(portal, 'GET', `/enterprises/${id}`, undefined, token);
  const teacherId = enterprise.users.find(({ email }) => email === teacher)?.id;
  const classId = classes.get('Year 3 Otters');
  await callApi(portal, 'POST', `/enterprises/${id}/groups/${classId}/teachers/${teacherId}`, undefined, token);

  page = await logIn(teacher, url);
  await expect(page.getByRole('link', { name: 'Tilly Marsh' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Wren Hale' })).toHaveCount(0);
  await page.goto(pupilPage);
  await expect(page.getByText('Pupil premium')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change tags' })).toHaveCount(0);
});
