import { extractText, getDocumentProxy } from 'unpdf';
import { callApi, expect, expectAccessibleInBothSchemes, expectLoaded, people, savePdf, test } from './portal.ts';
import { buildSchool, sendReading } from './school.ts';
import { shortClassName } from '../web/build/class-names.ts';

/** Where the parts of a chart over time have their style. */
const BUCKET_DRAWING = 'features/reading/dashboard/components/BucketDrawing.module.css';

const PAPER_MARGINS = { top: '15mm', bottom: '15mm', left: '15mm', right: '15mm' };

test('pupils who need help are listed first; a reason is done or snoozed, which colleagues see and can undo', async ({
  logIn,
  portal,
}) => {
  // No book is assigned to them yet.
  const { id, admin, token, teacher, classes } = await buildSchool(portal, {
    classes: { '3W Wrens': ['Ada Baker', 'Ben Carter'], '4O Owls': ['Cleo Dunn'] },
    teacher: ['Tom', 'Finch'],
  });
  const classPath = `/classes/${classes.get('3W Wrens')}`;
  const page = await logIn(admin, '/account');
  const panel = page.getByRole('region', { name: 'Who needs me' });
  const listed = panel.getByRole('list', { name: 'Pupils who need help' }).getByRole('listitem');

  /** On the class page the list is folded into the sentence about the week. */
  const openList = () => page.locator('summary', { hasText: 'Who needs me' }).click();

  await test.step('each has a reason with a link to its evidence', async () => {
    await page.goto(classPath);
    await expect(listed.first()).toBeHidden();
    await openList();
    await expect(listed).toHaveCount(2);
    await expect(listed.first()).toContainText('Ada Baker');
    await page.setViewportSize({ width: 375, height: 800 });
    await expect(page.getByLabel('Sort by')).toHaveValue('need');
    await page.setViewportSize({ width: 1280, height: 900 });
    await listed.first().getByRole('link', { name: 'No books assigned' }).click();
    await expect(page).toHaveURL(/\/pupils\/\d+\/books$/);
    await page.goBack();
    await openList();
  });

  await test.step('Done asks what was done and returns focus to the heading', async () => {
    await panel.getByRole('button', { name: 'Done: Ada Baker' }).click();
    const dialog = page.getByRole('dialog', { name: 'What did you do for Ada Baker?' });
    await expect(dialog.getByLabel('What you did (optional)')).toBeFocused();
    await expectAccessibleInBothSchemes(page);
    await dialog.getByRole('button', { name: 'New books' }).click();
    await expect(dialog.getByLabel('What you did (optional)')).toHaveValue('New books');
    await dialog.getByRole('button', { name: 'Done', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(listed).toHaveCount(1);
    await expect(panel.getByRole('heading', { name: 'Who needs me' })).toBeFocused();
  });

  await test.step('Snooze takes one click and can be undone', async () => {
    await panel.getByRole('button', { name: 'Snooze for two weeks: Ben Carter' }).click();
    await expect(listed).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await expect(listed).toHaveCount(1);
  });

  await test.step('the printed list has the remaining pupils', async () => {
    expect(await savePdf(page, panel.getByRole('button', { name: 'Print list' }))).toBe('who-needs-me.pdf');
  });

  await test.step('a colleague who teaches the class sees what was done, and can undo it', async () => {
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
    await openList();
    await expect(listed).toHaveCount(1);
    await panel.getByText('1 reason done or snoozed').click();
    const hidden = panel.getByRole('list', { name: 'Done or snoozed' }).getByRole('listitem');
    await expect(hidden).toContainText('New books');
    await expect(hidden).toContainText('Done by Olive Oak on');
    await expectAccessibleInBothSchemes(page);
    await hidden.getByRole('button', { name: 'Undo: Ada Baker' }).click();
    await expect(listed).toHaveCount(2);
    await expect(hidden).toHaveCount(0);
  });

  await test.step('the colleague cannot see the other class', async () => {
    await page.goto(`/classes/${classes.get('4O Owls')}`);
    await expectLoaded(page);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('4O Owls');
    await expect(panel).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Manage books', exact: true })).toHaveCount(0);
    const books = page.getByRole('region', { name: 'Assigned books' });
    await expect(books).toContainText('Only an admin can change the books of this class.');
    await expectAccessibleInBothSchemes(page);
    await page.goto(`/classes/${classes.get('4O Owls')}/books`);
    await expect(page).toHaveURL(`/classes/${classes.get('4O Owls')}`);
  });
});

test('a pupil’s page starts with the reasons and one action for each', async ({ logIn, portal }) => {
  const school = await buildSchool(portal, { classes: { '3W Wrens': ['Ada Baker'] }, teacher: ['Tom', 'Finch'] });
  const { id, admin, token, teacher, classes, pupils } = school;
  const ada = pupils.get('Ada Baker');
  const api = <T>(method: 'GET' | 'POST', path: string, body?: object) => callApi<T>(portal, method, path, body, token);
  const library = `/enterprises/${id}/readers/${ada}/books`;
  const { books } = await api<{ books: { id: number }[] }>('GET', `${library}?level_from=3&level_to=3&per_page=1`);
  const page = await logIn(admin, `/pupils/${ada}`);
  const reasons = page.getByRole('region', { name: 'Why this pupil needs help' });

  await test.step('no books: the library', async () => {
    await expect(reasons.getByRole('link', { name: 'No books assigned' })).toBeVisible();
    await expect(reasons.getByRole('link', { name: 'Assign books' })).toHaveAttribute(
      'href',
      new RegExp(`/pupils/${ada}/books$`),
    );
  });

  await test.step('low accuracy: books one level lower, in one click that can be undone', async () => {
    await api('POST', `${library}/${books[0]?.id}`, {});
    await sendReading(portal, school, 'Ada Baker', { book_id: books[0]?.id ?? 0, words_correct: 84 });
    await page.reload();
    await expect(reasons.getByRole('link', { name: /^Level 3: 84% accuracy/ })).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await reasons.getByRole('button', { name: 'Assign level 2 books' }).click();
    const dialog = page.getByRole('dialog', { name: 'Level 2 books for Ada Baker' });
    await expect(dialog.getByRole('checkbox')).toHaveCount(3);
    await expectAccessibleInBothSchemes(page);
    await dialog.getByRole('button', { name: 'Assign 3 books' }).click();
    await expect(page.getByText('3 books assigned to Ada Baker')).toBeVisible();
    const assigned = async () =>
      (await api<{ meta: { total_filtered: number } }>('GET', `${library}?show=assigned`)).meta.total_filtered;
    expect(await assigned()).toBe(4);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(assigned).toBe(1);
  });

  await test.step('an accuracy leads to a page that shows it first, with its sessions', async () => {
    await sendReading(portal, school, 'Ada Baker', { book_id: 101 });
    const first = page.getByRole('main').getByRole('heading', { level: 2 }).first();
    const sessions = page.getByRole('main').getByRole('table').first().locator('tbody tr');
    await page.goto(`/classes/${classes.get('3W Wrens')}`);
    await page.getByRole('link', { name: '92%: accuracy of Ada Baker in the last six weeks' }).click();
    await expect(first).toHaveText('All levels: 92%');
    await expect(sessions).toHaveCount(2);
    await page.goto('/');
    await page.getByRole('link', { name: /^Level 3: 84% accuracy/ }).click();
    await expect(first).toHaveText('Level 3: 84%');
    await expect(sessions).toHaveCount(1);
    await expect(sessions).toContainText('84 of 100');
    await page.goto(`/pupils/${ada}`);
  });

  await test.step('Done moves the reason to what was done', async () => {
    await reasons.getByRole('button', { name: /^Done: Ada Baker, Level 3/ }).click();
    const dialog = page.getByRole('dialog', { name: 'What did you do for Ada Baker?' });
    await dialog.getByRole('button', { name: 'Heard them read' }).click();
    await dialog.getByRole('button', { name: 'Done', exact: true }).click();
    await expect(reasons.getByText('No reason to help at the moment.')).toBeVisible();
    await expect(reasons.getByRole('list', { name: 'Done or snoozed' })).toContainText('Heard them read');
    await reasons.getByText('What was done: 1 entry').click();
    await expectAccessibleInBothSchemes(page);
  });

  await test.step('a teacher of another class sees who to ask', async () => {
    await logIn(teacher, `/pupils/${ada}`);
    await expect(
      page.getByText('Only admins can see this pupil’s words to practise and why they may need help, and act on it.'),
    ).toBeVisible();
    await expect(reasons).toHaveCount(0);
  });
});

test(
  'charts work with the keyboard, as tables and on paper, and a pupil’s report can be printed',
  { tag: '@touch' },
  async ({ logIn }) => {
    const page = await logIn(people.admin, '/account');
    await page.goto('/?class=2&from=2026-01-01&to=2026-03-31');
    await expectLoaded(page);
    const accuracy = page.getByRole('region', { name: 'Accuracy over time' });
    await expect(accuracy.getByRole('list', { name: /Legend/ }).getByText('Total')).toBeVisible();
    const titles = ['Accuracy', 'Books read', 'Reading time'].map((what) => `${what} by pupil`);
    for (const title of ['Accuracy over time', 'Reading time over time', ...titles]) {
      const box = page
        .getByRole('region', { name: title, exact: true })
        .locator(`.${shortClassName('body', 'ui/ChartPanel.module.css')}`);
      expect({ title, height: (await box.boundingBox())?.height }).toEqual({ title, height: 350 });
    }
    const faint = accuracy.locator('polyline[data-faint]');
    const level = accuracy
      .getByRole('list', { name: /Legend/ })
      .getByRole('button')
      .first();

    await test.step('a level is faint until selected', async () => {
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

    await test.step('the tooltip is next to its bucket', async () => {
      for (const width of [1280, 375]) {
        await page.setViewportSize({ width, height: 900 });
        const chart = accuracy.getByRole('slider');
        await chart.focus();
        for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'End']) {
          await page.keyboard.press(key);
          const tip = (await accuracy.getByRole('tooltip').boundingBox())!;
          const bucket = (await chart.locator(`.${shortClassName('highlight', BUCKET_DRAWING)}`).boundingBox())!;
          const isBeside =
            tip.x >= bucket.x + bucket.width || tip.x + tip.width <= bucket.x || tip.y >= bucket.y + bucket.height;
          expect(isBeside, `${key} at ${width}: ${JSON.stringify({ tip, bucket })}`).toBe(true);
        }
      }
    });

    await test.step('on a phone most charts show only their figures until opened', async () => {
      await page.goto('/?class=2&from=2026-01-01&to=2026-03-31');
      await expectLoaded(page);
      const chart = page.getByRole('region', { name: 'Books read by pupil', exact: true });
      const pupil = chart.getByRole('link').first();
      const toggle = chart.getByRole('button', { name: 'Chart: Books read by pupil' });
      await expect(accuracy.getByRole('slider')).toBeVisible();
      await expect(chart.getByText('Average per pupil')).toBeVisible();
      await expect(toggle).toHaveAttribute('aria-expanded', 'false');
      await expect(pupil).toBeHidden();
      await toggle.focus();
      await page.keyboard.press('Enter');
      await expect(toggle).toHaveAttribute('aria-expanded', 'true');
      await expect(pupil).toBeVisible();
      await expectAccessibleInBothSchemes(page);
    });

    await test.step('a folded chart stays folded at every width and after a reload, and is printed', async () => {
      const chart = page.getByRole('region', { name: 'Accuracy over time', exact: true });
      const toggle = chart.getByRole('button', { name: 'Chart: Accuracy over time' });
      await page.setViewportSize({ width: 1280, height: 900 });
      await expect(chart.getByRole('slider')).toBeVisible();
      // The title is covered by the button's area.
      await chart.getByRole('heading', { level: 2 }).click({ force: true });
      await expect(chart.getByRole('slider')).toBeHidden();
      await page.reload();
      await expectLoaded(page);
      await expect(toggle).toHaveAttribute('aria-expanded', 'false');
      await expect(chart.getByText('Average')).toBeVisible();
      await expect(chart.getByRole('slider')).toBeHidden();
      await page.emulateMedia({ media: 'print' });
      await expect(chart.getByRole('slider')).toBeVisible();
      await page.emulateMedia({ media: null });
      await toggle.click();
      await expect(chart.getByRole('slider')).toBeVisible();
      await page.setViewportSize({ width: 375, height: 900 });
    });

    await test.step('a name beside a bar is written out', async () => {
      const names = page.getByRole('region', { name: 'Reading time by pupil', exact: true }).getByRole('link');
      for (const width of [1280, 1024, 768]) {
        await page.setViewportSize({ width, height: 900 });
        await expect(names.first()).toBeVisible();
        const cut = await names.evaluateAll((links) =>
          links.flatMap((link) => (link.scrollWidth > link.clientWidth ? [link.textContent] : [])),
        );
        expect.soft(cut, `at ${width} px`).toEqual([]);
      }
      await page.setViewportSize({ width: 375, height: 900 });
    });

    await test.step('tables need no scrolling', async () => {
      for (const name of ['Accuracy over time', 'Reading time by pupil', 'Accuracy by pupil']) {
        const toggle = page.getByRole('button', { name: `Chart: ${name}` });
        if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
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

    await test.step('pupils are grouped by band, each with its count', async () => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole('button', { name: 'Show as chart: Accuracy by pupil' }).click();
      const pupils = page.getByRole('region', { name: 'Accuracy by pupil', exact: true });
      const headings = pupils.getByRole('heading', { level: 3 });
      await expect(headings.first()).toBeVisible();
      const bands = await headings.allTextContents();
      for (const band of bands) {
        const [, name = '', count] = /^(.*?) ?(\d+) pupils?$/.exec(band) ?? [];
        await expect(
          pupils.getByRole('list', { name: `Accuracy by pupil: ${name}` }).getByRole('listitem'),
        ).toHaveCount(Number(count));
      }
    });

    await test.step('on paper one table has all pupils, and a school fits on four pages', async () => {
      for (const path of ['/?class=2&from=2026-01-01&to=2026-03-31', '/?from=2026-01-01&to=2026-03-31']) {
        await page.goto(path);
        await expectLoaded(page);
        if (path.includes('class'))
          await expect(
            page.getByRole('region', { name: 'Words this class struggles with' }).getByRole('listitem').first(),
          ).toBeVisible();
        const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ format: 'A4', margin: PAPER_MARGINS })));
        const { totalPages, text } = await extractText(pdf, { mergePages: true });
        expect(totalPages, path).toBeLessThanOrEqual(4);
        for (const name of ['Reading time over time', 'Ewan Galbraith']) expect(text).toContain(name);
      }
    });

    await test.step('the page for a parents’ evening is a PDF with the name of the pupil', async () => {
      await page.goto('/classes/2/pupils/29');
      await expectLoaded(page);
      const button = page.getByRole('button', { name: 'Print for parents’ evening' });
      expect(await savePdf(page, button)).toMatch(/\.pdf$/);
    });
  },
);
