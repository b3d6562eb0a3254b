import { expect, expectLoaded, people, test } from './portal.ts';
import { sampled } from './breadth.ts';
import { adminScreens, guestScreens } from './screen-list.ts';

const TABLET = { width: 768, height: 1024 };

/**
 * Lists buttons and summaries below 24 by 24 px, and other targets that are smaller and too near to another one
 * (WCAG 2.5.8), one per line. Runs in the browser.
 */
function smallTargets(): string[] {
  const MIN_PX = 24;
  const isClipped = (element: Element | null): boolean =>
    element !== null && (getComputedStyle(element).clipPath !== 'none' || isClipped(element.parentElement));
  const targets = [...document.querySelectorAll('a[href], button, summary, input, select, textarea')].filter(
    (element) =>
      element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) &&
      !element.matches(':disabled') &&
      !isClipped(element),
  );
  /** A link in a line of text is as high as the line. */
  const isInSentence = (element: Element): boolean => {
    if (getComputedStyle(element).display !== 'inline') return false;
    let block = element;
    while (getComputedStyle(block).display.startsWith('inline') && block.parentElement) block = block.parentElement;
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      if (!text.parentElement?.closest('a, button') && /\p{L}/u.test(text.nodeValue ?? '')) return true;
    return false;
  };
  const boxes = targets
    .filter((element) => !isInSentence(element))
    .map((element) => {
      const box = element.getBoundingClientRect();
      const x = box.left + box.width / 2;
      const y = box.top + box.height / 2;
      return { element, box, x, y, isSmall: Math.min(box.width, box.height) < MIN_PX - 0.5 };
    });
  return boxes.flatMap((small) => {
    if (!small.isSmall) return [];
    const nameOf = ({ textContent, ariaLabel }: Element) => (ariaLabel ?? textContent).trim().slice(0, 40);
    const what = `“${nameOf(small.element)}” (${small.box.width.toFixed()} × ${small.box.height.toFixed()})`;
    if (small.element.matches('button, summary')) return [what];
    const near = boxes.find((other) => {
      if (other === small || other.element.contains(small.element) || small.element.contains(other.element))
        return false;
      if (other.isSmall) return Math.hypot(other.x - small.x, other.y - small.y) < MIN_PX;
      const dx = Math.max(other.box.left - small.x, 0, small.x - other.box.right);
      const dy = Math.max(other.box.top - small.y, 0, small.y - other.box.bottom);
      return Math.hypot(dx, dy) < MIN_PX / 2;
    });
    return near ? [`${what} beside “${nameOf(near.element)}”`] : [];
  });
}

for (const [who, screens] of [
  ['guests', guestScreens],
  ['admins', adminScreens],
] as const)
  test(
    `on a tablet each target of the screens for ${who} is 24 px high and wide, or has that much room`,
    {
      tag: '@touch',
    },
    async ({ logIn, page }) => {
      if (who === 'admins') await logIn(people.admin, '/account');
      await page.setViewportSize(TABLET);
      for (const [name, path] of sampled([...screens]))
        await test.step(name, async () => {
          await page.goto(path);
          await expectLoaded(page);
          expect.soft(await page.evaluate(smallTargets), path).toEqual([]);
        });
    },
  );
