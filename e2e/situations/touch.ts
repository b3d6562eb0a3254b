import { findCoverAfterScroll, isSeen, nameElement } from './in-page.ts';
import { at, openScreen, run, type Situation, type SituationPage } from './situation.ts';

/** An iPad in both directions. */
const SIZES = [
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
];
const LISTS = ['/pupils', '/classes/2'];

type State = typeof globalThis & { hoverOnly: { element: Element; control: HTMLElement | undefined }[] };

/** Lists what a mouse shows, one of each look, with the control beside it. Returns how many. Runs in the browser. */
function listHoverOnly(): number {
  const listRules = (rules: CSSRuleList): CSSStyleRule[] =>
    [...rules].flatMap((rule) => [
      ...(rule instanceof CSSStyleRule ? [rule] : []),
      ...('cssRules' in rule ? listRules(rule.cssRules as CSSRuleList) : []),
    ]);
  const isHidden = (element: Element) => {
    const { opacity, visibility, display, clipPath } = getComputedStyle(element);
    return opacity === '0' || visibility === 'hidden' || display === 'none' || clipPath === 'inset(50%)';
  };
  const hoverOnly = [...document.styleSheets]
    .flatMap((sheet) => listRules(sheet.cssRules))
    .filter(({ style }) =>
      ['opacity', 'visibility', 'display', 'clip-path'].some((name) => style.getPropertyValue(name)),
    )
    .flatMap(({ selectorText }) => selectorText.split(/,(?![^(]*\))/))
    .filter((selector) => selector.includes(':hover'))
    .flatMap((selector) => {
      const place = selector.slice(0, selector.indexOf(':hover'));
      const element = [...document.querySelectorAll(selector.replaceAll(':hover', ''))].find(isHidden);
      const controls = element?.closest(place)?.querySelectorAll<HTMLElement>('button, a, summary, input') ?? [];
      return element ? [{ element, control: [...controls].find(isSeen) }] : [];
    });
  Object.assign(globalThis as State, { hoverOnly });
  return hoverOnly.length;
}

/** Presses the control beside what a mouse shows. Runs in the browser. */
function pressBeside(index: number): void {
  const { control } = (globalThis as State).hoverOnly[index]!;
  control?.focus();
  // All that a disabled control does is to explain why.
  if (control?.getAttribute('aria-disabled') === 'true') control.click();
}

/** Returns the name of what the press has not shown. Runs in the browser. */
function findStillHidden(index: number): string[] {
  const { element } = (globalThis as State).hoverOnly[index]!;
  return isSeen(element) ? [] : [`${nameElement(element)} appears only on hover`];
}

async function findHoverOnly(page: SituationPage): Promise<string[]> {
  if (!(await run(page, () => matchMedia('(hover: none)').matches))) return ['the browser has a mouse'];
  const faults: string[] = [];
  const count = await run(page, listHoverOnly);
  for (let index = 0; index < count; index += 1) {
    await run(page, pressBeside, index);
    faults.push(...(await run(page, findStillHidden, index)));
  }
  return faults;
}

/** The control that selects all pupils must be visible above them. Runs in the browser. */
function findHiddenSelectAll(): string[] {
  const controls = [...document.querySelectorAll('main :is(input, button, label)')].filter((control) =>
    nameElement(control).startsWith('“Select all'),
  );
  const faults = controls.map((control) => findCoverAfterScroll(control, nameElement(control)));
  const visible = controls.filter((_, index) => faults[index] === null);
  if (visible.length === 0) return [faults[0] ?? '“Select all” is missing'];
  scrollTo(0, 0);
  const first = document.querySelector('tbody input[type=checkbox]')!;
  const isAbove = visible.some((control) => control.getBoundingClientRect().top < first.getBoundingClientRect().top);
  return isAbove ? [] : ['“Select all” is below the pupils'];
}

export const touch: Situation = {
  title: 'without a mouse everything can be reached, and an iPad shows Select all above the pupils',
  needs: 'touch without a mouse',
  async check(page, screens) {
    const faults: string[] = [];
    for (const screen of screens)
      for (const size of SIZES) {
        await openScreen(page, screen, size);
        faults.push(...(await findHoverOnly(page)).map((fault) => `${at(screen, size)}: ${fault}`));
      }
    for (const path of LISTS)
      for (const size of SIZES) {
        await openScreen(page, { path }, size);
        faults.push(...(await run(page, findHiddenSelectAll)).map((fault) => `${at({ path }, size)}: ${fault}`));
        await page.picture(`touch on ${path}`);
      }
    return [...new Set(faults)];
  },
};
