import type { Page } from '@playwright/test';
import { expect } from './portal.ts';

/** Lists layout faults of the page, one per line. Runs in the browser, also outside Chromium (browsers/). */
export function layoutFaults(): string[] {
  const faults: string[] = [];
  const root = document.documentElement;
  const sideways = root.scrollWidth - root.clientWidth;
  if (sideways > 0) faults.push(`the page is ${sideways} px wider than the window`);

  /** Visually hidden, for screen readers. */
  const isClipped = (element: Element | null): boolean => {
    if (!element) return false;
    let found = clipped.get(element);
    if (found === undefined) {
      const { clip, clipPath, position, width } = getComputedStyle(element);
      const isItself = clipPath !== 'none' || (position === 'absolute' && (clip !== 'auto' || width === '1px'));
      clipped.set(element, (found = isItself || isClipped(element.parentElement)));
    }
    return found;
  };
  const clipped = new Map<Element, boolean>();
  const isSeen = (element: Element): boolean =>
    element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) && !isClipped(element);
  /** The block that contains a text, unless it is deliberately truncated with an ellipsis. */
  const blockOf = (element: Element): Element => {
    let block = element;
    while (getComputedStyle(block).display.startsWith('inline') && block.parentElement) block = block.parentElement;
    return block;
  };
  const nameOf = (text: string) => `“${text.trim().replaceAll(/\s+/g, ' ').slice(0, 60)}”`;

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.nodeValue ?? '';
    const element = node.parentElement;
    if (!element || text.trim() === '' || element.closest('script, style, svg, option, pre, [data-wide]')) continue;
    if (!isSeen(element)) continue;
    const block = blockOf(element);
    const style = getComputedStyle(block);
    if (style.textOverflow === 'ellipsis' || getComputedStyle(element).textOverflow === 'ellipsis') continue;
    const box = block.getBoundingClientRect();
    range.selectNodeContents(node);
    const written = range.getBoundingClientRect();
    if (written.right > box.right + 1 || written.left < box.left - 1)
      faults.push(
        `${nameOf(text)} is wider than its box (${Math.round(written.width)} in ${Math.round(box.width)} px)`,
      );

    const room = block.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    for (const { 0: word, index } of text.matchAll(/\+?[\p{L}\p{M}\p{N}_]+(?:[.@][\p{L}\p{M}\p{N}_]+)*/gu)) {
      if (word.length < 2) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const parts = [...range.getClientRects()].filter(({ width }) => width > 0);
      const isBroken = parts.length > 1 && Math.abs(parts.at(-1)!.top - parts[0]!.top) > parts[0]!.height / 2;
      // A word longer than any line must break, but a short one needs a wider box.
      const length = parts.reduce((sum, { width }) => sum + width, 0);
      if (isBroken && length <= Math.max(room, 8 * parseFloat(style.fontSize)))
        faults.push(`“${word}” is broken inside, in ${nameOf(text)}`);
    }
  }
  for (const figures of document.querySelectorAll('dl')) {
    const isOfBoxes = [...figures.children].every((box) => getComputedStyle(box).borderStyle === 'solid');
    if (!isSeen(figures) || !isOfBoxes) continue;
    const tops = [...figures.children].map((figure) => Math.round(figure.getBoundingClientRect().top));
    const isAlone = (top: number) => tops.indexOf(top) === tops.lastIndexOf(top);
    if (!tops.every(isAlone) && isAlone(tops.at(-1)!))
      faults.push(`${nameOf(figures.lastElementChild!.textContent)} is left alone in its row`);
  }
  return [...new Set(faults)].slice(0, 12);
}

/** Fails when text overflows its box, a word breaks, a figure is alone in its row, or the page scrolls sideways. Polls, because charts resize shortly after the window. */
export const expectSoundLayout = (page: Page, path: string): Promise<void> => {
  const size = page.viewportSize();
  return expect
    .configure({ soft: true, message: `layout of ${path} at ${size?.width} × ${size?.height}` })
    .poll(() => page.evaluate(layoutFaults))
    .toEqual([]);
};

/**
 * Lists boxes outside the window or their container, buttons that something covers, and texts cut with an ellipsis that
 * are nowhere in full, one per line. Runs in the browser.
 * @param selector the part of the page to check: an open dialog or menu, or the body
 */
export function boxFaults(selector: string): string[] {
  const faults: string[] = [];
  const part = [...document.querySelectorAll(selector)].at(-1);
  if (!part) return [`${selector} is not there`];
  const window = { left: 0, right: document.documentElement.clientWidth };
  const nameOf = (element: Element) =>
    `${element.localName}.${element.getAttribute('class') ?? ''} “${(element.getAttribute('aria-label') || element.textContent).trim().replaceAll(/\s+/g, ' ').slice(0, 40)}”`;
  const isHidden = (element: Element): boolean => {
    const { clipPath, opacity } = getComputedStyle(element);
    return clipPath !== 'none' || opacity === '0' || (element !== part && isHidden(element.parentElement!));
  };
  const isOutside = ({ left, right }: DOMRect, box: { left: number; right: number }) =>
    left < box.left - 1 || right > box.right + 1;
  const elements = [...part.querySelectorAll('*')].filter(
    (element) =>
      element.checkVisibility({ checkVisibilityCSS: true }) &&
      !element.closest('svg *, select *, [data-wide]') &&
      element.getClientRects().length > 0 &&
      !isHidden(element),
  );
  for (const element of elements) {
    const { display, position, textOverflow, overflowX } = getComputedStyle(element);
    if (display === 'inline' || position === 'absolute') continue;
    const box = element.getBoundingClientRect();
    const parent = element.parentElement!;
    if (isOutside(box, window)) faults.push(`${nameOf(element)} is outside the window`);
    else if (
      position === 'static' &&
      !getComputedStyle(parent).display.startsWith('inline') &&
      getComputedStyle(parent).display !== 'contents' &&
      box.right > parent.getBoundingClientRect().right + 1 &&
      Number.parseFloat(getComputedStyle(element).marginRight) >= 0
    )
      faults.push(`${nameOf(element)} is wider than its container ${nameOf(parent)}`);
    if (
      overflowX !== 'visible' &&
      element.scrollWidth > element.clientWidth + 1 &&
      !element.matches('input, textarea, select')
    ) {
      const text = element.textContent.trim();
      const isElsewhere = elements.some(
        (other) =>
          other !== element &&
          !other.contains(element) &&
          !element.contains(other) &&
          getComputedStyle(other).textOverflow !== 'ellipsis' &&
          other.textContent.includes(text),
      );
      const isInFull = isElsewhere || element.closest('[title], a, li:has(a)') || element.querySelector('[title], a');
      if (textOverflow !== 'ellipsis') faults.push(`${nameOf(element)} is cut without an ellipsis`);
      else if (!isInFull) faults.push(`${nameOf(element)} is cut and nowhere in full`);
    }
  }
  for (const button of elements.filter((element) => element.matches('a[href], button, summary, select'))) {
    if (getComputedStyle(button).pointerEvents === 'none') continue;
    button.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = button.getClientRects()[0]!;
    // A link to skip to the content is above the window until it has the focus.
    if (top + height <= 0) continue;
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!hit || !(button.contains(hit) || hit.contains(button)))
      faults.push(`${nameOf(button)} is covered by ${hit ? nameOf(hit) : 'nothing'}`);
  }
  scrollTo({ top: 0, behavior: 'instant' });
  return [...new Set(faults)].slice(0, 12);
}
