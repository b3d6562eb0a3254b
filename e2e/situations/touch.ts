import { findCoverAfterScroll, isSeen, nameElement } from './in-page.ts';
import { at, openScreen, run, type Situation } from './situation.ts';

/** An iPad in both directions. */
const SIZES = [
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
];
const LISTS = ['/pupils', '/classes/2'];

/** Elements that only a mouse can show. Runs in the browser. */
function findHoverOnly(): string[] {
  if (!matchMedia('(hover: none)').matches) return ['the browser has a mouse'];
  const reveals = ['opacity', 'visibility', 'display', 'clip-path', 'clip'];
  const listRules = (rules: CSSRuleList): CSSStyleRule[] =>
    [...rules].flatMap((rule) => [
      ...(rule instanceof CSSStyleRule ? [rule] : []),
      ...('cssRules' in rule ? listRules(rule.cssRules as CSSRuleList) : []),
    ]);
  const rules = [...document.styleSheets].flatMap((sheet) => listRules(sheet.cssRules));
  return rules
    .filter(
      ({ selectorText, style }) =>
        selectorText.includes(':hover') && reveals.some((name) => style.getPropertyValue(name)),
    )
    .flatMap(({ selectorText, style }) => {
      if (style.display === 'none' || style.opacity === '0' || style.visibility === 'hidden') return [];
      const revealed = [...document.querySelectorAll(selectorText.replaceAll(':hover', ''))];
      return revealed
        .filter((element) => !isSeen(element))
        .map((element) => `${nameElement(element)} appears only on hover`);
    });
}

/** The control that selects all pupils must be visible above them. Runs in the browser. */
function findHiddenSelectAll(): string[] {
  const controls = [...document.querySelectorAll('main :is(input, button, label)')].filter((control) =>
    nameElement(control).startsWith('“Select all'),
  );
  const faults = controls.map((control) => findCoverAfterScroll(control, nameElement(control)));
  const visible = controls.filter((_, index) => faults[index] === null);
  if (visible.length === 0) return [faults[0] ?? '“Select all” is missing'];
  const first = document.querySelector('tbody input[type=checkbox], ul input[type=checkbox]')!;
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
        faults.push(...(await run(page, findHoverOnly)).map((fault) => `${at(screen, size)}: ${fault}`));
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
