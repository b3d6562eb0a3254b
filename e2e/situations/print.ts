import { isSeen, nameElement } from './in-page.ts';
import { openScreen, run, type Situation } from './situation.ts';

/** A4 without margins. */
const PAPER = { width: 794, height: 1123 };
/** As wide as a desktop, so that the page has its navigation at the left. */
const LANDSCAPE = { width: 1123, height: 794 };
/** A page may end early before a table or chart that is kept whole. */
const MAX_EMPTY_PAGES = 1;

/** What paper does not show, or should not. Runs in the browser. */
function findPrintFaults(): string[] {
  const faults: string[] = [];
  for (const details of document.querySelectorAll('details')) {
    const isPopover = [...details.children].some((part) => /absolute|fixed/.test(getComputedStyle(part).position));
    const content = [...details.children].filter((part) => !part.matches('summary'));
    if (!isSeen(details) || isPopover || content.length === 0) continue;
    if (!content.some((part) => part.checkVisibility()))
      faults.push(`${nameElement(details.querySelector('summary') ?? details)} is folded`);
  }
  for (const element of document.querySelectorAll('body *')) {
    if (!isSeen(element) || element.getBoundingClientRect().height === 0) continue;
    const { position, textOverflow, overflowX } = getComputedStyle(element);
    if (position === 'sticky' || position === 'fixed') faults.push(`${nameElement(element)} is a bar that sticks`);
    if (element.matches('nav') && !element.closest('main')) faults.push('the navigation is printed');
    const isCut = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
    if (isCut && textOverflow === 'ellipsis') faults.push(`${nameElement(element)} is cut`);
  }
  return [...new Set(faults)];
}

const pageHeight = (): number => document.documentElement.scrollHeight;

export const print: Situation = {
  title: 'print opens what is folded, leaves out bars and the navigation, cuts no text and leaves no page empty',
  isChromiumOnly: true,
  async check(page, screens) {
    const browser = page.chromium!;
    const faults: string[] = [];
    for (const screen of screens) {
      await openScreen(page, screen, PAPER);
      await browser.emulateMedia({ media: 'print' });
      await run(page, () => void dispatchEvent(new Event('beforeprint')));
      const found = await run(page, findPrintFaults);
      const expected = Math.ceil((await run(page, pageHeight)) / PAPER.height);
      await page.picture(`print of ${screen.path}`);
      await page.resize(LANDSCAPE);
      found.push(...(await run(page, findPrintFaults)).map((fault) => `in landscape, ${fault}`));
      await run(page, () => void dispatchEvent(new Event('afterprint')));
      await browser.emulateMedia({ media: null });
      const pdf = (await browser.pdf({ format: 'A4' })).toString('latin1');
      const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
      if (pages === 0 || pages > expected + MAX_EMPTY_PAGES)
        found.push(`the PDF has ${pages} pages for the content of ${expected}`);
      faults.push(...found.map((fault) => `print of ${screen.path}: ${fault}`));
    }
    return faults;
  },
};
