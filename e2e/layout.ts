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
    for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
      if (word.length < 2) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const parts = [...range.getClientRects()].filter(({ width }) => width > 0);
      const isBroken = parts.length > 1 && Math.abs(parts.at(-1)!.top - parts[0]!.top) > parts[0]!.height / 2;
      // A word longer than any line must break.
      const length = parts.reduce((sum, { width }) => sum + width, 0);
      if (isBroken && length <= room) faults.push(`“${word}” is broken inside, in ${nameOf(text)}`);
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
