import { findCover, findSidewaysScroll, isSeen, nameElement } from './in-page.ts';
import { at, openScreen, run, type Situation } from './situation.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
];

/** Texts and controls that do not follow a text size of 32 px. Runs in the browser. */
function findSmall(): string[] {
  const root = parseFloat(getComputedStyle(document.documentElement).fontSize);
  if (root !== 32) return [`the text size of the page is ${root} px`];
  const faults: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    const text = (node.nodeValue ?? '').trim();
    if (!element || text === '' || element.closest('script, style, option') || !isSeen(element)) continue;
    // The level in the mark of a chart has the size of the mark. The list or table beside the chart repeats it.
    if (element.closest('svg [aria-hidden], svg[aria-hidden]') && text.length <= 2) continue;
    // A chart scales its texts.
    const scale = element instanceof SVGGraphicsElement ? (element.getScreenCTM()?.a ?? 1) : 1;
    const size = Math.round(parseFloat(getComputedStyle(element).fontSize) * scale);
    if (size < 24) faults.push(`“${text.slice(0, 40)}” has ${size} px`);
  }
  for (const control of document.querySelectorAll('a[href], button, summary, input, select, textarea')) {
    if (!isSeen(control)) continue;
    const { width, height } = control.getBoundingClientRect();
    // In a sentence the line has the height.
    if (control.matches('a') && getComputedStyle(control).display === 'inline') continue;
    if (height < 24 || width < 24)
      faults.push(`${nameElement(control)} has ${Math.round(width)} × ${Math.round(height)} px`);
  }
  return [...new Set(faults)];
}

/** Log out must be in the window without scrolling. Runs in the browser. */
function findHiddenLogOut(): string[] {
  const button = document.querySelector('form[action="/logout"] button');
  if (!button) return ['“Log out” is missing'];
  const cover = findCover(button);
  const { left, right } = button.getBoundingClientRect();
  if (cover) return [`“Log out” ${cover}`];
  return left < 0 || right > innerWidth ? ['“Log out” is partly outside the window'] : [];
}

export const largeText: Situation = {
  title: 'with a text size of 32 px texts and controls grow, no page scrolls sideways and Log out is in the window',
  needs: 'text of 32 px',
  async check(page, screens) {
    const faults: string[] = [];
    for (const screen of screens)
      for (const size of SIZES) {
        await openScreen(page, screen, size);
        const found = [
          ...(await run(page, findSidewaysScroll)),
          ...(await run(page, findHiddenLogOut)),
          ...(await run(page, findSmall)),
        ];
        faults.push(...found.map((fault) => `${at(screen, size)}, text of 32 px: ${fault}`));
        await page.picture(`text of 32 px on ${screen.path}`);
      }
    return faults;
  },
};
