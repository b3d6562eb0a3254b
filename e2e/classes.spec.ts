import { callApi, chooseFrom, expect, expectAccessible, people, test, tickBox, tokenOf } from './portal.ts';
import { buildSchool } from './school.ts';

test('a class is created, renamed and deleted', { tag: '@touch' }, async ({ logIn, portal }) => {
  const { admin } = await buildSchool(portal, { classes: { 'Year 4 Kingfishers': [] } });
  const page = await logIn(admin, '/classes');
  await page.getByRole('button', { name: 'Add Class' }).click();
  await page.getByRole('button', { name: 'Add class', exact: true }).click();
  await expect(page.getByText('There is a problem')).toBeVisible();
  await page.getByLabel('Name of the class').fill('Year 3 Badgers');
  await page.getByRole('button', { name: 'Add class', exact: true }).click();
  await expect(page.getByText('The class has been successfully created')).toBeVisible();

  await page.getByLabel('Actions for Year 3 Badgers').click();
  await page.getByRole('link', { name: 'Manage class Year 3 Badgers' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Year 3 Badgers' })).toBeVisible();
  await expect(page.getByText('No pupils in this class')).toBeVisible();

  await chooseFrom(page, 'More to do with Year 3 Badgers', 'Edit name');
  await page.getByLabel('Name of the class').fill('Year 3 Otters');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Year 3 Otters' })).toBeVisible();

  await chooseFrom(page, 'More to do with Year 3 Otters', 'Delete class');
  await expect(page.getByRole('heading', { name: 'Delete Year 3 Otters?' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete class' }).click();
  await expect(page.getByText('The class has been successfully deleted')).toBeVisible();
  await expect(page).toHaveURL(/\/classes$/);
  await expect(page.getByRole('link', { name: 'Year 3 Otters', exact: true })).toHaveCount(0);
});

test('a deleted class is restored with Undo, and from the archive by a colleague', async ({ logIn, portal }) => {
  const { admin, teacher, id, token, classes } = await buildSchool(portal, {
    classes: { 'Year 3 Otters': ['Abena Owusu-Mensah', 'Tilly Marsh'], 'Year 4 Kingfishers': [] },
    teacher: ['Mina', 'Patel'],
  });
  const path = `/enterprises/${id}/groups/${classes.get('Year 3 Otters')}`;
  const mina = await callApi<{ user: { id: number } }>(
    portal,
    'GET',
    '/users/me',
    undefined,
    await tokenOf(portal, teacher),
  );
  await callApi(portal, 'POST', `${path}/users/${mina.user.id}`, {}, token);
  const deleteOtters = async () => {
    await chooseFrom(page, 'Actions for Year 3 Otters', 'Delete Year 3 Otters');
    await expect(page.getByRole('dialog')).toContainText('Its 2 pupils stay in the school, without a class.');
    await expect(page.getByRole('dialog')).toContainText('from the archive for 30 days');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete class' }).click();
    await expect(page.getByText('The class has been successfully deleted')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Year 3 Otters', exact: true })).toHaveCount(0);
  };

  let page = await logIn(teacher, '/classes');
  await deleteOtters();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Year 3 Otters has been restored')).toBeVisible();
  await expect(page.getByRole('row', { name: /Year 3 Otters/ })).toContainText('Mina Patel');

  await deleteOtters();
  await page.getByRole('main').getByRole('link', { name: 'Archive' }).click();
  await page.getByRole('button', { name: 'Restore Year 3 Otters' }).click();
  await expect(page.getByText('The archive is empty')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Archive' })).toBeFocused();
  await page.goto('/classes');
  await deleteOtters();

  page = await logIn(admin, '/classes');
  await page.getByRole('button', { name: 'Add Class' }).click();
  await page.getByLabel('Name of the class').fill('Year 3 Otters');
  await page.getByRole('button', { name: 'Add class', exact: true }).click();
  await expect(page.getByText('The class has been successfully created')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Archive' }).click();
  const deleted = page.getByRole('table', { name: 'Deleted classes' });
  await expect(deleted.getByRole('row', { name: /Year 3 Otters/ })).toContainText('Mina Patel');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore Year 3 Otters' }).click();
  await expect(page.getByText(/restored as Year 3 Otters \(2\)/)).toBeVisible();
  await page.goto(`/classes/${classes.get('Year 3 Otters')}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Year 3 Otters (2)' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Tilly Marsh', exact: true })).toBeVisible();
  await expect(page.getByText('Teacher: Mina Patel')).toBeVisible();
});

test('a class gets two teachers, keeps the second when the first is removed, and shows them who can add pupils', async ({
  logIn,
  portal,
}) => {
  const { admin, teacher, classes } = await buildSchool(portal, {
    classes: { 'Year 3 Otters': ['Abena Owusu-Mensah'], 'Year 4 Kingfishers': [] },
    teacher: ['Kwabena', 'Asante'],
  });
  const page = await logIn(admin, `/classes/${classes.get('Year 3 Otters')}`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Assign Teacher' }).click();
  await dialog.getByRole('button', { name: 'Assign teacher' }).click();
  await expect(page.getByRole('link', { name: 'Choose a teacher.' })).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Teacher' }).selectOption({ label: 'Olive Oak (you)' });
  await dialog.getByRole('button', { name: 'Assign teacher' }).click();
  await expect(page.getByText('The teacher has been assigned to the class')).toBeVisible();
  await chooseFrom(page, 'More to do with Year 3 Otters', 'Add teacher');
  await expect(dialog.getByRole('option')).toHaveText(['Choose a teacher', 'Kwabena Asante']);
  await expectAccessible(page);
  await dialog.getByRole('combobox', { name: 'Teacher' }).selectOption({ label: 'Kwabena Asante' });
  await dialog.getByRole('button', { name: 'Add teacher' }).click();
  await expect(page.getByText('Teachers: Olive Oak and Kwabena Asante')).toBeVisible();

  await chooseFrom(page, 'More to do with Year 3 Otters', 'Remove teacher');
  await dialog.getByRole('combobox', { name: 'Teacher' }).selectOption({ label: 'Olive Oak (you)' });
  await dialog.getByRole('button', { name: 'Remove teacher' }).click();
  await expect(page.getByText('The teacher has been removed from the class')).toBeVisible();
  await expect(page.getByText('Teacher: Kwabena Asante')).toBeVisible();
  await page.goto('/teachers');
  await expect(
    page.getByRole('row', { name: /Kwabena Asante/ }).getByRole('link', { name: 'Year 3 Otters' }),
  ).toBeVisible();

  await test.step('the page of an empty class tells a teacher of another class who can add pupils', async () => {
    await logIn(teacher, `/classes/${classes.get('Year 4 Kingfishers')}`);
    await expect(page.getByText('The class’s teacher or an administrator of your school can add them.')).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'Add Pupils' })).toHaveCount(0);
  });
});

test('a pupil is found, added to a class, and removed with Undo', async ({ logIn, portal }) => {
  const { admin, classes } = await buildSchool(portal, {
    classes: { 'Year 3 Otters': [], 'Year 4 Kingfishers': ['Abena Owusu-Mensah', 'Tilly Marsh'] },
  });
  const page = await logIn(admin, `/classes/${classes.get('Year 3 Otters')}`);
  await page.getByRole('button', { name: 'Add existing pupils' }).click();
  await expect(page.getByText('Every pupil of your school is in a class. Search to move one here.')).toBeVisible();
  const search = page.getByRole('searchbox');
  await search.fill('a');
  await expect(page.getByText('Please enter at least 2 characters.')).toBeVisible();
  await search.fill('zzzz');
  await expect(page.getByText('No pupils found. Please check you have entered their name correctly.')).toBeVisible();
  await search.fill('Abena Owusu');
  await tickBox(page.getByRole('checkbox', { name: /Abena Owusu-Mensah/ }));
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add 1 pupil' }).click();
  await expect(page.getByText('The pupils have been added to the class')).toBeVisible();

  await chooseFrom(page, 'Actions for Abena Owusu-Mensah', 'Remove from class: Abena Owusu-Mensah');
  await expect(page.getByText('The pupil has been removed from the class')).toBeVisible();
  await expect(page.getByText('No pupils in this class')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('table').getByRole('link', { name: 'Abena Owusu-Mensah', exact: true })).toBeVisible();
});

test('the passwords of selected pupils are reset, and their cards are in sight with the focus', async ({
  logIn,
  portal,
}) => {
  const names = ['Ada', 'Ben', 'Cleo', 'Dev', 'Eva', 'Finn', 'Gwen', 'Hugo', 'Iris', 'Jan'].flatMap((first) =>
    ['Crane', 'Finch', 'Wren'].map((last) => `${first} ${last}`),
  );
  const { admin, classes } = await buildSchool(portal, { classes: { 'Year 3 Otters': names } });
  const page = await logIn(admin, `/classes/${classes.get('Year 3 Otters')}`);
  const boxes = page
    .getByRole('table', { name: 'Pupils of Year 3 Otters' })
    .getByRole('checkbox', { name: /^Select [A-Z]\w+ (Crane|Finch|Wren)$/ });
  await tickBox(boxes.nth(28));
  await tickBox(boxes.nth(29));
  await page.getByRole('button', { name: 'Reset Passwords' }).click();
  await expect(page.getByRole('dialog', { name: 'Reset the passwords of 2 pupils?' })).toBeVisible();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New login cards for 2 pupils' });
  await expect(dialog.getByRole('article')).toHaveCount(2);
  await expect(dialog.getByRole('article').first()).toBeInViewport();
  await expect(dialog.getByRole('button', { name: 'Print', exact: true })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('You made new login cards for 2 pupils')).toBeVisible();
  await expect(page.getByText('2 of 30 selected')).toHaveCount(0);
});

test('a selected pupil changes class', async ({ logIn, portal }) => {
  const { admin, classes } = await buildSchool(portal, {
    classes: { 'Year 3 Otters': ['Abena Owusu-Mensah'], 'Year 4 Kingfishers': [] },
  });
  const page = await logIn(admin, `/classes/${classes.get('Year 3 Otters')}`);
  const change = page.getByRole('button', { name: 'Change Class' });
  const resetPasswords = page.getByRole('button', { name: 'Reset Passwords' });
  for (const button of [change, resetPasswords]) {
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await expect(button).toHaveAccessibleDescription('Tick a pupil first.');
  }
  await tickBox(page.getByRole('checkbox', { name: 'Select Abena Owusu-Mensah' }));
  await expect(page.getByText('1 of 1 selected')).toBeVisible();
  await page.getByLabel('More actions for the selected pupils').click();
  for (const action of [
    'Print words',
    'Assign books',
    'Remove from class',
    'Pages for parents’ evening',
    'Certificates',
    'CSV',
    'Delete',
  ])
    await expect(page.getByRole('button', { name: action, exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await change.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change class' }).click();
  await expect(page.getByRole('link', { name: 'Choose a class.' })).toBeVisible();
  await page.getByRole('combobox', { name: 'New class' }).selectOption(`${classes.get('Year 4 Kingfishers')}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Change class' }).click();
  await expect(page.getByText('No pupils in this class')).toBeVisible();
  // The move cannot be undone, and the page says so.
  await page.route('**/v1/enterprises/*/groups/*/readers/move', (route) => route.abort());
  await page.getByRole('button', { name: 'Undo' }).click();
  const failure = page.getByRole('alert').filter({ hasText: 'This could not be undone: 1 pupil moved to' });
  await expect(failure).toContainText('Error: Network Error');
  await page.unrouteAll();
  await failure.getByRole('button', { name: 'Close' }).click();
  await expect(failure).toBeHidden();
  await page.goto(`/classes/${classes.get('Year 4 Kingfishers')}`);
  await expect(page.getByRole('table').getByRole('link', { name: 'Abena Owusu-Mensah', exact: true })).toBeVisible();
});

test('a teacher cannot change another teacher’s class, and sees who can', async ({ logIn }) => {
  const page = await logIn(people.teacher, '/classes');
  await page.getByLabel('Actions for Year 6 Owls').click();
  await expect(page.getByRole('link', { name: 'Manage class Year 6 Owls' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete Year 6 Owls' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Year 6 Owls', exact: true }).click();
  await expect(page.getByText(/^Only .* or an admin can change this class\.$/)).toBeVisible();
  await page.getByLabel('More to do with Year 6 Owls').click();
  await expect(page.getByRole('button', { name: 'Certificate' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Edit name|Delete class|Add existing pupils/ })).toHaveCount(0);
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Manage books' })).toHaveCount(0);
  await expect(page.getByText(/^Only .* or an admin can change the books of this class\.$/)).toBeVisible();
  await page.locator('tbody').getByRole('link').first().click();
  await page.getByRole('link', { name: 'MANAGE BOOKS' }).click();
  await expect(page.getByText(/Only .* or an admin can change them\./)).toBeVisible();
});
