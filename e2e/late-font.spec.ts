import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, expectListening, people, test } from './portal.ts';

const screens = ['/', '/classes/2', '/pupils', '/pupils/29', '/teachers', '/school', '/school/add-readers', '/account'];

/** A font of pdf.js with the widths of Arial, which a machine that runs the journeys may not have. */
const readStandIn = (name: string): Buffer =>
  readFileSync(fileURLToPath(import.meta.resolve(`pdfjs-dist/standard_fonts/LiberationSans-${name}.ttf`)));

/** Gives the style sheet's stand-in faces a file instead of a font of the machine. Returns how many have loaded. */
async function loadStandIns(): Promise<number> {
  const isStandIn = (name: string) => /^"?Public Sans stand-in"?$/.test(name);
  const faces = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule)
    .filter(({ style }) => isStandIn(style.getPropertyValue('font-family')))
    .map(({ cssText, style }) => {
      const file = style.getPropertyValue('font-weight').startsWith('600') ? 'Bold' : 'Regular';
      return cssText.replace(/src: [^;]*/, `src: url("/stand-in/${file}.ttf")`);
    });
  const sheet = new CSSStyleSheet();
  // Otherwise Linux rounds the width of each letter to whole pixels.
  const precision = '* { text-rendering: geometricPrecision }';
  sheet.replaceSync([...faces, precision].join('\n'));
  document.adoptedStyleSheets.push(sheet);
  const loads = await Promise.allSettled(
    [...document.fonts].filter(({ family }) => isStandIn(family)).map((face) => face.load()),
  );
  return loads.filter(({ status }) => status === 'fulfilled').length;
}

interface TextPlace {
  text: string;
  /** The middle of the first line, and the length of all lines, in pixels. */
  middle: number;
  width: number;
  lineHeight: string;
}

/** Where each text of the page is. Runs in the browser. */
function measureTexts(): TextPlace[] {
  const texts: TextPlace[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
    const [first] = lines;
    const parent = node.parentElement;
    // The axes of charts are rendered again when their width is known.
    if (!first || !(parent instanceof HTMLElement) || !parent.checkVisibility({ visibilityProperty: true })) continue;
    texts.push({
      text: node.textContent!.trim(),
      middle: first.y + first.height / 2,
      width: lines.reduce((sum, { width }) => sum + width, 0),
      lineHeight: getComputedStyle(parent).lineHeight,
    });
  }
  return texts.filter(({ text }) => text);
}

/** Opens a screen while the line holds back Public Sans, and measures its texts before and after the font arrives. */
async function measureBothFonts(page: Page, path: string): Promise<[before: TextPlace[], after: TextPlace[]]> {
  const { promise: fontIsDue, resolve: sendFont } = Promise.withResolvers<void>();
  await page.route('**/public-sans-*.woff2', async (route) => {
    await fontIsDue;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'domcontentloaded' });
  await expectListening(page);
  expect(await page.evaluate(loadStandIns)).toBe(4);
  const before = await page.evaluate(measureTexts);
  sendFont();
  await page.evaluate(() => document.fonts.ready);
  const after = await page.evaluate(measureTexts);
  await page.unroute('**/public-sans-*.woff2');
  return [before, after];
}

test('no line moves when the font arrives after the page', async ({ logIn }) => {
  test.slow();
  const page = await logIn(people.admin, '/account');
  for (const file of ['Regular', 'Bold'])
    await page.route(`**/stand-in/${file}.ttf`, (route) => route.fulfill({ body: readStandIn(file) }));
  for (const path of screens)
    await test.step(path, async () => {
      const [before, after] = await measureBothFonts(page, path);
      expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
      const moved = after.filter(({ middle }, index) => Math.abs(middle - before[index]!.middle) > 2);
      const width = (texts: TextPlace[]) => texts.reduce((sum, text) => sum + text.width, 0);
      expect.soft(moved).toEqual([]);
      expect.soft(width(after) / width(before), 'width').not.toBe(1);
      expect.soft(Math.abs(width(after) / width(before) - 1), 'width').toBeLessThan(0.025);
      expect.soft(after.filter(({ lineHeight }) => lineHeight === 'normal')).toEqual([]);
    });
});
