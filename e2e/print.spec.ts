import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, expectLoaded, people, test } from './portal.ts';

const MARGINS = { top: '10mm', bottom: '10mm', left: '10mm', right: '10mm' };

/** The height of a sheet of A4 in points. */
const SHEET = 842;

/** Prints the page. Returns the text, and how much of the first sheet has text, from its upper edge. */
async function printPage(page: Page) {
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ format: 'A4', margin: MARGINS })));
  const { text } = await extractText(pdf, { mergePages: true });
  const { items } = await (await pdf.getPage(1)).getTextContent();
  const heights = items.flatMap((item) => ('str' in item && item.str.trim() ? [item.transform[5] as number] : []));
  return { text: text.replaceAll(/\s+/g, ' '), used: 1 - Math.min(...heights) / SHEET };
}

test('paper has what is folded on the screen, but no menus', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  for (const [path, folded] of [
    ['/', page.locator('details', { hasText: 'Not read since' }).getByRole('link', { includeHidden: true })],
    [
      '/classes/2',
      page
        .getByRole('list', { name: 'Pupils who need help', includeHidden: true })
        .getByRole('link', { includeHidden: true }),
    ],
    ['/faq/1', page.locator('details:not([open]) p')],
  ] as const)
    await test.step(path, async () => {
      await page.goto(path);
      await expectLoaded(page);
      await expect(folded.first()).toBeHidden();
      const { text } = await printPage(page);
      for (const words of await folded.allTextContents()) expect.soft(text).toContain(words.trim().slice(0, 30));
      expect.soft(text).not.toContain('All charts');
      expect.soft(text).not.toContain('Delete class');
    });
});

test('more than half of the first sheet of a printed dashboard is used, and a list that is cut names how many there are', async ({
  logIn,
}) => {
  const page = await logIn(people.admin, '/account');
  for (const path of ['/', '/?class=2'])
    await test.step(path, async () => {
      await page.goto(path);
      await expectLoaded(page);
      const { text, used } = await printPage(page);
      // A chart that does not fit is whole on the next sheet.
      expect.soft(used, path).toBeGreaterThan(0.55);
      const listed = page.getByRole('list', { name: 'Pupils who need help' }).getByRole('listitem');
      // The list of a class in which many need help begins with the worst quarter.
      const button = page.getByRole('button', { name: /^Show (all \d+ pupils|the other \d+)$/ });
      const first = await listed.count();
      const [number] = /\d+/.exec(await button.innerText()) ?? [];
      const all = (await button.innerText()).startsWith('Show all') ? Number(number) : first + Number(number);
      await button.click();
      await expect(listed).toHaveCount(all);
      const names = await listed.getByRole('link').and(page.locator('.strong')).allTextContents();
      const printed = names.filter((name) => text.includes(`${name} `));
      const isCut = new RegExp(`\\d+ of ${all} pupils`).test(text);
      expect.soft(isCut || printed.length === all, path).toBe(true);
    });
});
