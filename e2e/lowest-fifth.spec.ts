import { academicYearOf, calendarOf, listSchoolDays, plusDays, usualYear } from '#contract/school-calendar.ts';
import { callApi, expect, expectAccessibleInBothSchemes, test } from './portal.ts';
import { buildSchool, sendReading } from './school.ts';

test('the lowest fifth of a year shows who reads least well, and what a colleague did for them', async ({
  logIn,
  portal,
}) => {
  const names = ['Ada Baker', 'Ben Carter', 'Cleo Dunn', 'Dev Evans', 'Eva Finch', 'Finn Gray'];
  const school = await buildSchool(portal, { classes: { 'Year 3 Wrens': names } });
  // Finn has read nothing.
  for (const [index, name] of names.slice(0, 5).entries())
    await sendReading(portal, school, name, { book_id: 101, words_correct: index === 0 ? 70 : 95 });
  const page = await logIn(school.admin, '/');

  await test.step('a reason is marked as done on the dashboard', async () => {
    const panel = page.getByRole('region', { name: 'Who needs me' });
    await panel.getByRole('button', { name: 'Done: Ada Baker' }).click();
    const dialog = page.getByRole('dialog', { name: 'What did you do for Ada Baker?' });
    await dialog.getByLabel('What you did (optional)').fill('read with her');
    await dialog.getByRole('button', { name: 'Done', exact: true }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('the list has the pupil, how she reads, and what was done', async () => {
    await page.getByRole('link', { name: 'The lowest fifth of a year' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'The lowest fifth of a year' })).toBeVisible();
    await expect(page.getByLabel('Year group', { exact: true })).toHaveValue('3');
    const rows = page.getByRole('table', { name: 'The lowest fifth of Year 3' }).locator('tbody').getByRole('row');
    await expect(rows).toHaveCount(1);
    for (const text of [
      'Ada Baker',
      'Year 3 Wrens',
      '70%',
      'Done by Olive Oak on',
      'read with her',
      'No books of their own',
    ])
      await expect(rows).toContainText(text);
    await expect(rows).toContainText('New: no reading before');
    await expect(
      page.getByText('1 of the 5 pupils who can be placed. 1 read too little to be placed.', { exact: true }),
    ).toBeVisible();
    await expectAccessibleInBothSchemes(page);
  });

  await test.step('the name leads to the pupil', async () => {
    await page.getByRole('link', { name: 'Ada Baker' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Ada Baker' })).toBeVisible();
    await expect(page.getByText('What was done: 1 entry', { exact: true })).toBeVisible();
  });
});

test('an admin sets the school hours, and the class page divides its reading time by them', async ({
  logIn,
  portal,
}) => {
  const school = await buildSchool(portal, { classes: { '3W Wrens': ['Ada Baker'] } });
  const yesterday = plusDays(new Date().toISOString().slice(0, 10), -1);
  const year = academicYearOf(yesterday);
  // Terms until the end of August, so that the last six weeks always have a school day.
  const halves = usualYear(year).map((half, index) => (index === 5 ? { ...half, to: `${year + 1}-08-31` } : half));
  await callApi(
    portal,
    'POST',
    `/enterprises/${school.id}/term-dates`,
    { academic_year: year, half_terms: halves.map(({ from, to }) => ({ first_day: from, last_day: to })) },
    school.token,
  );
  const recent = { from: plusDays(yesterday, -39), to: yesterday };
  const schoolDay = listSchoolDays(calendarOf({ [year]: halves }, null), recent).at(-1);
  // At midday in winter, at one o’clock in summer.
  const started_at = `${schoolDay}T12:00:00.000Z`;
  await sendReading(portal, school, 'Ada Baker', { book_id: 101, started_at, reading_time: 1200 });
  const page = await logIn(school.admin, '/account');
  const classPath = `/classes/${school.classes.get('3W Wrens')}`;
  await page.goto(classPath);
  await expect(page.getByText('Last six weeks: in school hours 20 min, outside 0 min', { exact: true })).toBeVisible();

  await page.goto('/school');
  const card = page.getByRole('region', { name: 'School hours' });
  await expect(card).toContainText('08:45 to 15:30');
  await card.getByRole('button', { name: 'Change school hours' }).click();
  const dialog = page.getByRole('dialog', { name: 'School hours' });
  await expect(dialog.getByLabel('School starts', { exact: true })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await dialog.getByLabel('School starts', { exact: true }).fill('14:00');
  await dialog.getByRole('button', { name: 'Save school hours' }).click();
  await expect(dialog).toBeHidden();
  await expect(card).toContainText('14:00 to 15:30');

  await page.goto(classPath);
  await expect(page.getByText('Last six weeks: in school hours 0 min, outside 20 min', { exact: true })).toBeVisible();
  const pupilPath = await page.getByRole('link', { name: 'Ada Baker', exact: true }).first().getAttribute('href');
  // The usual range, the current month, may begin after the reading.
  const withDays = new URL(pupilPath ?? '/', portal.url);
  for (const [end, day] of Object.entries(recent)) withDays.searchParams.set(end, day);
  await page.goto(withDays.href);
  await expect(page.getByText('In school hours 0 min, outside 20 min', { exact: true })).toBeVisible();
});
