import {
  statedSince,
  type YearGroup,
  yearEndSince,
  yearGroupOn,
  formatYearGroups,
  moveUpTo,
} from '../contract/src/year-group.ts';
import { chooseFrom, expect, expectAccessibleInBothSchemes, pasteText, test, tickBox } from './portal.ts';
import { buildSchool } from './school.ts';

/** The year groups of a class that were entered today, after a year end today. */
function afterYearEnd(codes: readonly YearGroup[]): string {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(new Date());
  const recorded = codes.map((code) => moveUpTo({ code, since: statedSince(today) }, yearEndSince(today)));
  return formatYearGroups(recorded.map((moved) => yearGroupOn(moved, today)).filter((code) => code !== null));
}

test('year groups of a pasted list are corrected for a selection, undone, filtered, and shown before and after a year end', async ({
  logIn,
  portal,
}) => {
  const { admin } = await buildSchool(portal);
  const page = await logIn(admin, '/school/add-readers');
  await pasteText(
    page.getByLabel('Name of pupil 1', { exact: true }),
    'Name\tYear\tClass\nAda Quill\t3\tWrens\nBen Quill\t3\tWrens\nCleo Quill\t\tWrens\n',
  );
  await page.getByRole('button', { name: /^Add 3 pupils$/ }).click();
  const logins = page.getByRole('dialog', { name: 'New logins' });
  await logins.getByRole('checkbox', { name: 'I have downloaded the files' }).check();
  await logins.getByRole('button', { name: 'Close', exact: true }).click();

  await page.goto('/classes');
  await expect(page.getByRole('row', { name: /Wrens/ })).toContainText('Year 3');
  await page.getByRole('link', { name: 'Wrens', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Teacher' })).toContainText('Year 3');
  for (const name of ['Ben Quill', 'Cleo Quill']) await tickBox(page.getByRole('checkbox', { name: `Select ${name}` }));
  await chooseFrom(page, 'More actions for the selected pupils', 'Change year group');
  const dialog = page.getByRole('dialog', { name: 'Change year group of 2 pupils' });
  await expect(dialog).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await dialog.getByLabel('Year group', { exact: true }).selectOption({ label: 'Year 4' });
  await dialog.getByRole('button', { name: 'Change year group' }).click();
  await expect(page.getByRole('region', { name: 'Teacher' })).toContainText('Years 3 and 4');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Teacher' })).not.toContainText('Years');

  await page.goto('/pupils');
  await page.getByLabel('Year group', { exact: true }).selectOption({ label: 'Year not known' });
  const pupils = page.getByRole('table', { name: 'Pupils' });
  await expect(pupils.getByRole('link', { name: 'Ada Quill', exact: true })).toHaveCount(0);
  await tickBox(page.getByRole('checkbox', { name: 'Select Cleo Quill' }));
  await chooseFrom(page, 'More actions for the selected pupils', 'Change year group');
  const ofCleo = page.getByRole('dialog', { name: 'Change year group of Cleo Quill' });
  await ofCleo.getByLabel('Year group', { exact: true }).selectOption({ label: 'Year 4' });
  await ofCleo.getByRole('button', { name: 'Change year group' }).click();
  await expect(page.getByText('No pupils found with these filters.')).toBeVisible();
  await page.getByLabel('Year group', { exact: true }).selectOption({ label: 'Year 4' });
  await expect(page).toHaveURL(/year_group=4/);
  await expect(pupils.getByRole('link', { name: 'Cleo Quill', exact: true })).toBeVisible();
  await expect(pupils.getByRole('link', { name: 'Ada Quill', exact: true })).toHaveCount(0);
  await expectAccessibleInBothSchemes(page);

  await page.goto('/year-end');
  await page.getByRole('combobox', { name: 'What happens to Wrens' }).selectOption('moves_up');
  await page.getByRole('textbox', { name: 'New name of Wrens' }).fill('Larks');
  await page.getByRole('button', { name: 'Apply the year-end changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply the year-end changes' }).click();
  await expect(page.getByText('1 class moved up and 0 pupils left', { exact: false })).toBeVisible();
  await page.goto('/classes');
  await expect(page.getByRole('row', { name: /Larks/ })).toContainText(afterYearEnd(['3', '4']));
});
