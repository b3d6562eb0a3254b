import { expect, expectAccessibleInBothSchemes, people, test } from './portal.ts';

test(
  'the week is a picture in the first document: a lark names its pupil, leads to the page, and moves with the week',
  { tag: '@touch' },
  async ({ logIn }) => {
    const page = await logIn(people.admin, '/account');
    const panel = page.locator('section[aria-labelledby="reading-line"]');
    const larks = panel.locator('svg a');
    const tip = panel.locator('p[aria-hidden]');
    const list = panel.getByRole('listitem');

    await test.step('the server renders every pupil of the class', async () => {
      const html = await (await page.request.get('/?class=2')).text();
      await page.goto('/?class=2');
      await expect(larks.first()).toBeVisible();
      const pupils = await larks.count();
      expect(pupils).toBeGreaterThan(20);
      const names = await larks.evaluateAll((links) => links.map((link) => link.getAttribute('aria-label') ?? ''));
      for (const name of names) expect(html).toContain(name.split(':')[0]);
      await panel.getByText('Show as a list').click();
      await expect(list).toHaveText(names);
    });

    await test.step('hovering and the arrow keys name pupils; larks stay in the panel on a phone', async () => {
      const label = (await larks.nth(3).getAttribute('aria-label')) ?? '';
      await larks.nth(3).hover();
      await expect(tip).toContainText(label.split(':')[0] ?? '');
      await larks.first().focus();
      await page.keyboard.press('ArrowRight');
      await expect(larks.nth(1)).toBeFocused();
      await expect(tip).toContainText(((await larks.nth(1).getAttribute('aria-label')) ?? '').split(':')[0] ?? '');
      await expectAccessibleInBothSchemes(page);
      await page.setViewportSize({ width: 375, height: 740 });
      const listOutside = () =>
        panel.evaluate((element) => {
          const { left, right } = element.getBoundingClientRect();
          return [...element.querySelectorAll('svg a')]
            .filter((lark) => lark.getBoundingClientRect().left < left || lark.getBoundingClientRect().right > right)
            .map((lark) => lark.getAttribute('aria-label'));
        });
      await expect.poll(listOutside).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    await test.step('without names neither the tip nor the list has them, and after a reload neither', async () => {
      const name = ((await larks.nth(3).getAttribute('aria-label')) ?? '').split(':')[0] ?? '';
      await panel.getByRole('switch', { name: 'Hide names' }).click();
      await expect(list).toHaveCount(0);
      await page.reload();
      await larks.nth(3).hover();
      await expect(tip).toContainText('level');
      await expect(tip).not.toContainText(name);
      await panel.getByRole('switch', { name: 'Hide names' }).click();
      await expect(panel.getByText('Show as a list')).toBeVisible();
    });

    await test.step('another week has the same larks', async () => {
      const names = () => larks.evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')));
      const thisWeek = await names();
      await panel.getByRole('link', { name: 'Previous week' }).click();
      await expect(page).toHaveURL(/week=\d{4}-\d{2}-\d{2}/);
      await expect.poll(names).not.toEqual(thisWeek);
      await expect(larks).toHaveCount(thisWeek.length);
      await panel.getByRole('link', { name: 'Next week' }).click();
      await expect.poll(names).toEqual(thisWeek);
    });

    await test.step('a lark opens its pupil', async () => {
      const name = ((await larks.last().getAttribute('aria-label')) ?? '').split(':')[0] ?? '';
      await larks.last().click();
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    });
  },
);
