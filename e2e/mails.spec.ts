import { expect, type Page, test } from '@playwright/test';
import { readConfig } from '../server/src/config.ts';
import { exampleMails } from './mail-examples.ts';
import { asWord } from './mail-programs.ts';

const config = readConfig({ PUBLIC_URL: 'https://portal.readwell.co.uk', CONTACT_EMAIL: 'office@readwell.co.uk' });
const mails = Object.entries(exampleMails(config)).flatMap(([kind, examples]) =>
  examples.map(({ subject, html }) => ({ name: `${kind}: ${subject}`, html })),
);

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

/** How the button of a mail looks: its height, and the space between its edge and its text. */
const measureButton = (page: Page) =>
  page.evaluate(() => {
    const cell = document.querySelector('.button');
    const text = cell?.querySelector('a');
    if (!cell || !text) return undefined;
    const range = document.createRange();
    range.selectNodeContents(text);
    const [outer, inner] = [cell.getBoundingClientRect(), range.getBoundingClientRect()];
    return { height: outer.height, beside: inner.left - outer.left, above: inner.top - outer.top };
  });

test('every mail fits on a phone, and its button can be pressed with a thumb', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const { name, html } of mails) {
    await page.setContent(html);
    expect(await widthOf(page), name).toBeLessThanOrEqual(360);
    expect((await measureButton(page))?.height ?? 44, name).toBeGreaterThanOrEqual(44);
  }
});

test('every mail leaves space around its text in Outlook for Windows, which ignores padding outside of cells', async ({
  page,
}) => {
  await page.setViewportSize({ width: 700, height: 800 });
  for (const { name, html } of mails) {
    await page.setContent(asWord(html));
    const space = await page.evaluate(() => {
      const card = document.querySelector('.card')?.getBoundingClientRect();
      const title = document.querySelector('h1')?.getBoundingClientRect();
      return card && title ? { width: card.width, beside: title.left - card.left, above: title.top - card.top } : null;
    });
    expect(space?.width, name).toBeLessThanOrEqual(620);
    expect(Math.min(space?.beside ?? 0, space?.above ?? 0), name).toBeGreaterThanOrEqual(20);
    const button = await measureButton(page);
    expect(Math.min(button?.beside ?? 12, button?.above ?? 7), name).toBeGreaterThanOrEqual(7);
  }
});
