/** Helpers for functions that run in a page, in any browser. They are sent together as source, so they call only each other. */

/** The name of an element as a person would say it. */
function nameElement(element: Element): string {
  if (element.matches('header')) return 'the header';
  if (element.matches('thead, th')) return 'the head of the table';
  if (element.matches('nav')) return 'the navigation';
  const { labels, placeholder } = element as HTMLInputElement;
  const text = element instanceof HTMLElement ? element.innerText : element.textContent;
  const [line = ''] = text.trim().split('\n');
  const label = element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? line;
  const name = (label.trim() || placeholder || '').replaceAll(/\s+/g, ' ');
  return name ? `“${name.slice(0, 40)}”` : `<${element.localName}>`;
}

/** Whether an ancestor, or the element itself, is clipped to nothing, as for screen readers. */
function isClipped(element: Element): boolean {
  for (let part: Element | null = element; part; part = part.parentElement) {
    const { overflow, clipPath, position, clip } = getComputedStyle(part);
    const { width, height } = part.getBoundingClientRect();
    const isSmall = width <= 2 || height <= 2;
    if (isSmall && (overflow === 'hidden' || overflow === 'clip' || clipPath !== 'none')) return true;
    if (position === 'absolute' && clip === 'rect(0px, 0px, 0px, 0px)') return true;
  }
  return false;
}

/** What shows a control: the control, or its label where the control itself is clipped. */
function shownPart(element: Element): Element {
  const [label] = (element as HTMLInputElement).labels ?? [];
  return label && (isClipped(element) || getComputedStyle(element).opacity === '0') ? label : element;
}

const isSeen = (element: Element): boolean =>
  element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) && !isClipped(element);

/** The element around that stays in the window while the page scrolls, or the element itself. */
function barAround(element: Element): Element {
  for (let part: Element | null = element; part; part = part.parentElement)
    if (['sticky', 'fixed'].includes(getComputedStyle(part).position)) return part;
  return element;
}

/**
 * Why an element cannot be seen, or null. Half of it is enough, or 20 px of its height, because Firefox does not scroll to an
 * element that is partly in the window. Of a box wider than half of the window, only the part in the window counts.
 */
function findCover(element: Element): string | null {
  const enoughPx = 20;
  const target = shownPart(element);
  if (!target.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) return 'is invisible';
  if (isClipped(target)) return 'is clipped to nothing';
  const boxes = [...target.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
  if (boxes.length === 0) return 'has no size';
  const own = [element, target, ...((element as HTMLInputElement).labels ?? [])];
  const covers = new Map<string, number>();
  let wanted = 0;
  let seen = 0;
  for (const box of boxes) {
    const isWide = box.width > innerWidth / 2;
    const [left, right] = isWide ? [Math.max(0, box.left), Math.min(innerWidth, box.right)] : [box.left, box.right];
    const rows = Math.max(5, Math.ceil(box.height / 8));
    wanted += Math.min(rows / 2, (enoughPx * rows) / box.height);
    for (let row = 0.5; row < rows; row += 1)
      for (let column = 0.5; column < 9; column += 1) {
        const hit = document.elementFromPoint(
          left + ((right - left) * column) / 9,
          box.top + (box.height * row) / rows,
        );
        if (hit && own.some((part) => part.contains(hit))) seen += 1 / 9;
        else {
          const cover = hit ? `is hidden under ${nameElement(barAround(hit))}` : 'is outside the window';
          covers.set(cover, (covers.get(cover) ?? 0) + 1);
        }
      }
  }
  if (seen >= wanted) return null;
  return [...covers].toSorted(([, left], [, right]) => right - left)[0]?.[0] ?? null;
}

/** Scrolls to an element and returns why it cannot be seen there, or null. */
function findCoverAfterScroll(element: Element | null | undefined, name: string): string | null {
  if (!element) return `${name} is missing`;
  shownPart(element).scrollIntoView({ block: 'center' });
  // A script can scroll these, but a person cannot.
  for (let part = element.parentElement; part?.parentElement; part = part.parentElement)
    if (getComputedStyle(part).overflowY === 'hidden') part.scrollTop = 0;
  const cover = findCover(element);
  return cover && `${name} ${cover}`;
}

/** How far the page scrolls sideways. */
function findSidewaysScroll(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px wider than the window`] : [];
}

const HELPERS = {
  nameElement,
  isClipped,
  shownPart,
  isSeen,
  barAround,
  findCover,
  findCoverAfterScroll,
  findSidewaysScroll,
};

/** The source of a function with its helpers. */
export const inPage = (work: unknown): string => {
  const helpers = Object.entries(HELPERS).map(([name, helper]) => `const ${name} = ${String(helper)};`);
  return `(...values) => { ${helpers.join('\n')}\nreturn (${String(work)})(...values); }`;
};

export { nameElement, isClipped, shownPart, isSeen, barAround, findCover, findCoverAfterScroll, findSidewaysScroll };
