import { readFileSync } from 'node:fs';
import { callApi, expect, expectAccessibleInBothSchemes, expectLoaded, people, test } from './portal.ts';
import { buildSchool } from './school.ts';

test('whoever needs somebody is named first, dismissed with a reason that colleagues see, printed, and put back', async ({
  logIn,
  portal,
}) => {
  // Nobody has given them a book yet.
  const { id, admin, token, teacher, classes } = await buildSchool(portal, {
    classes: { '3W Wrens': ['Ada Baker', 'Ben Carter'], '4O Owls': ['Cleo Dunn'] },
    teacher: ['Tom', 'Finch'],
  });
  const classPath = `/classes/${classes.get('3W Wrens')}`;
  const page = await logIn(admin, '/account');
  const panel = page.getByRole('region', { name: 'Who needs me' });
  const listed = panel.getByRole('list', { name: 'Pupils who need somebody' }).getByRole('listitem');

  await test.step('each with one reason, which leads to what it rests on', async () => {
    await page.goto(classPath);
    await expect(listed).toHaveCount(2);
    await expect(listed.first()).toContainText('Ada Baker');
    await page.setViewportSize({ width: 375, height: 800 });
    await expect(page.getByLabel('Sort by')).toHaveValue('need');
    await page.setViewportSize({ width: 1280, height: 900 });
    await listed.first().getByRole('link', { name: 'No book is assigned' }).click();
    await expect(page).toHaveURL(/\/pupils\/\d+\/books$/);
    await page.goBack();
  });

  await test.step('dismissing asks for a reason, and goes back to the heading', async () => {
    await panel.getByRole('button', { name: 'Dismiss for two weeks: Ada Baker' }).click();
    const dialog = page.getByRole('dialog', { name: /Ada Baker/ });
    await expectAccessibleInBothSchemes(page);
    await dialog.getByRole('button', { name: 'Dismiss for two weeks' }).click();
    await expect(dialog.getByText('There is a problem')).toBeVisible();
    await dialog.getByLabel('Reason').fill('Books come on Monday');
    await dialog.getByRole('button', { name: 'Dismiss for two weeks' }).click();
    await expect(dialog).toBeHidden();
    await expect(listed).toHaveCount(1);
    await expect(panel.getByRole('heading', { name: 'Who needs me' })).toBeFocused();
  });

  await test.step('the list to print names who is left', async () => {
    const download = page.waitForEvent('download');
    await panel.getByRole('button', { name: 'Print list' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('who-needs-me.pdf');
    expect(
      readFileSync(await file.path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  await test.step('a colleague who teaches the class sees the reason, and can put the pupil back', async () => {
    const school = await callApi<{ enterprise: { users: { id: number; email: string }[] } }>(
      portal,
      'GET',
      `/enterprises/${id}`,
      undefined,
      token,
    );
    const colleague = school.enterprise.users.find(({ email }) => email === teacher);
    const assign = `/enterprises/${id}/groups/${classes.get('3W Wrens')}/users/${colleague?.id}`;
    await callApi(portal, 'POST', assign, {}, token);
    await logIn(teacher, classPath);
    await expect(listed).toHaveCount(1);
    await panel.getByText('1 pupil dismissed').click();
    const dismissed = panel.getByRole('list', { name: 'Dismissed pupils' }).getByRole('listitem');
    await expect(dismissed).toContainText('Books come on Monday');
    await expect(dismissed).toContainText('Olive Oak, until');
    await expectAccessibleInBothSchemes(page);
    await dismissed.getByRole('button', { name: 'Put back: Ada Baker' }).click();
    await expect(listed).toHaveCount(2);
    await expect(dismissed).toHaveCount(0);
  });

  await test.step('the other class is none of the colleague’s business', async () => {
    await page.goto(`/classes/${classes.get('4O Owls')}`);
    await expectLoaded(page);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('4O Owls');
    await expect(panel).toHaveCount(0);
  });
});

test('levels are switched on in the legend by keyboard, a table shows all columns, and a page on a pupil is printed', async ({
  logIn,
}) => {
  const page = await logIn(people.admin, '/account');
  await page.goto('/?class=2&from=2026-01-01&to=2026-03-31');
  await expectLoaded(page);
  const accuracy = page.getByRole('region', { name: 'Accuracy over time' });
  await expect(accuracy.getByRole('list', { name: /Legend/ }).getByText('Total')).toBeVisible();
  const faint = accuracy.locator('polyline[data-faint]');
  const level = accuracy
    .getByRole('list', { name: /Legend/ })
    .getByRole('button')
    .first();

  await test.step('a level is faint until it is chosen', async () => {
    await level.focus();
    await expect(level).toHaveAttribute('aria-pressed', 'false');
    const before = await faint.count();
    expect(before).toBeGreaterThan(0);
    await page.keyboard.press('Space');
    await expect(level).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(() => faint.count()).toBeLessThan(before);
    await page.keyboard.press('Space');
    await expect(faint).toHaveCount(before);
  });

  await test.step('what a bucket stands for lies beside it', async () => {
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 900 });
      const chart = accuracy.getByRole('slider');
      await chart.focus();
      for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'End']) {
        await page.keyboard.press(key);
        const tip = (await accuracy.getByRole('tooltip').boundingBox())!;
        const bucket = (await chart.locator('rect[class*=highlight]').boundingBox())!;
        const isBeside =
          tip.x >= bucket.x + bucket.width || tip.x + tip.width <= bucket.x || tip.y >= bucket.y + bucket.height;
        expect(isBeside, `${key} at ${width}: ${JSON.stringify({ tip, bucket })}`).toBe(true);
      }
    }
  });

  await test.step('on a phone most charts show their figures alone, until one is opened; paper has them all', async () => {
    await page.goto('/?class=2&from=2026-01-01&to=2026-03-31');
    await expectLoaded(page);
    const chart = page.getByRole('region', { name: 'Books read by pupil', exact: true });
    const pupil = chart.getByRole('link').first();
    const toggle = chart.getByRole('button', { name: 'Chart: Books read by pupil' });
    await expect(accuracy.getByRole('slider')).toBeVisible();
    await expect(chart.getByText('Average per pupil')).toBeVisible();
    await expect(pupil).toBeHidden();
    await page.emulateMedia({ media: 'print' });
    await expect(chart.locator('[data-row]').first()).toBeVisible();
    await page.emulateMedia({ media: 'screen' });
    await toggle.focus();
    await page.keyboard.press('Enter');
    await expect(toggle).toHaveAttribute('aria-expanded', 'true');
    await expect(pupil).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    // The title, which lies under the button's line.
    await chart.getByRole('heading', { level: 2 }).click({ force: true });
    await expect(pupil).toBeHidden();
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect(pupil).toBeVisible();
    await expect(toggle).toBeHidden();
  });

  await test.step('tables need no scrolling', async () => {
    for (const name of ['Accuracy over time', 'Reading time by pupil', 'Accuracy by pupil']) {
      await page.getByRole('button', { name: `Show as table: ${name}` }).click();
      const table = page.getByRole('region', { name: `${name}: table` });
      await expect(table.getByRole('columnheader', { name: 'Total' })).toBeVisible();
      const isWhole = await table.evaluate(
        (box) => box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight,
      );
      expect(isWhole, name).toBe(true);
    }
    await expectAccessibleInBothSchemes(page);
  });

  await test.step('pupils stand under the band they read in, each band with its count', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Show as chart: Accuracy by pupil' }).click();
    const pupils = page.getByRole('region', { name: 'Accuracy by pupil', exact: true });
    const bands = await pupils.getByRole('heading', { level: 3 }).allTextContents();
    expect(bands.length).toBeGreaterThan(0);
    for (const band of bands) {
      const [, name = '', count] = /^(.*?) ?(\d+) pupils?$/.exec(band) ?? [];
      await expect(pupils.getByRole('list', { name: `Accuracy by pupil: ${name}` }).getByRole('listitem')).toHaveCount(
        Number(count),
      );
    }
  });

  await test.step('on paper a school’s charts have all pupils', async () => {
    const seen = (name: string) =>
      page.getByRole('region', { name, exact: true }).locator('[data-row]').filter({ visible: true });
    const expectAllOnPaper = async () => {
      for (const name of ['Reading time by pupil', 'Books read by pupil', 'Accuracy by pupil']) {
        const pages = page.getByRole('region', { name, exact: true }).getByText(/^\d+–\d+ of \d+$/);
        const all = Number(/\d+$/.exec(await pages.innerText()));
        expect(all).toBeGreaterThan(60);
        await expect(seen(name)).toHaveCount(30);
        await page.emulateMedia({ media: 'print' });
        // The browser fires this before it lays out the paper.
        await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
        await expect(seen(name)).toHaveCount(all);
        await expect(pages).toBeHidden();
        await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
        await page.emulateMedia({ media: 'screen' });
        await expect(seen(name)).toHaveCount(30);
      }
    };
    await page.goto('/?from=2026-01-01&to=2026-03-31');
    await expectLoaded(page);
    const byPupil = page.getByRole('region', { name: 'Accuracy by pupil', exact: true });
    await byPupil.getByRole('button', { name: /^Next pupils/ }).click();
    await expect(byPupil.getByText(/^31–60 of/)).toBeVisible();
    await expectAllOnPaper();
  });

  await test.step('the page for a parents’ evening is a PDF with the name of the pupil', async () => {
    await page.goto('/classes/2/pupils/29');
    await expectLoaded(page);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Print for parents’ evening' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/\.pdf$/);
    expect(
      readFileSync(await file.path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });
});
