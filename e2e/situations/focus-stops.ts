import { findCover, nameElement, shownPart } from './in-page.ts';
import { at, openScreen, run, type Situation, type SituationPage } from './situation.ts';

/** A desktop, and the same at 200 % and 400 % zoom. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 640, height: 512 },
  { width: 320, height: 256 },
];
const PRESSES = 70;
/** A page may scroll or show a control in the frames after the focus has moved. */
const FRAMES = 40;

interface Stop {
  /** 0 outside the document, otherwise the same for the same element. */
  id: number;
  name: string;
  isFirst: boolean;
  /** The browser's own controls have the focus. */
  isPageLeft: boolean;
  /** Tab moves inside it first: a date, or the controls of a video. */
  hasParts: boolean;
  fault: string | null;
}

type State = typeof globalThis & { focusStops: Element[]; firstStop: Element | undefined };

/** Focuses the first or the last stop of the page. Runs in the browser. */
function placeFocus(isLast: boolean): void {
  const controls = 'a[href], button, input, select, textarea, summary, audio, video, iframe, [tabindex]';
  const stops = [...document.querySelectorAll<HTMLElement>(controls)].filter(
    (element) => element.tabIndex >= 0 && !element.matches(':disabled, :disabled *') && element.checkVisibility(),
  );
  Object.assign(globalThis as State, { focusStops: [], firstStop: stops[0] });
  stops.at(isLast ? -1 : 0)?.focus();
}

/** Describes the focused element. Runs in the browser. */
function inspectStop(): Stop {
  const { focusStops, firstStop } = globalThis as State;
  const element = document.activeElement;
  const isPageLeft = !document.hasFocus();
  if (!element || element === document.body || element === document.documentElement)
    return { id: 0, name: 'the document', isFirst: false, isPageLeft, hasParts: false, fault: null };
  if (!focusStops.includes(element)) focusStops.push(element);
  const hasRing = [element, shownPart(element), ...element.querySelectorAll('*'), element.closest(':has(> :focus)')]
    .filter((part) => part !== null)
    .some((part) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(part);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
    });
  return {
    id: focusStops.indexOf(element) + 1,
    name: nameElement(element),
    isFirst: element === firstStop,
    isPageLeft,
    hasParts: element.matches('audio, video, iframe, input:is([type^="date"], [type="time"])'),
    fault: findCover(element) ?? (hasRing ? null : 'has no visible focus ring'),
  };
}

/** Runs in the browser. */
const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

/** Presses Tab or Shift+Tab from one end of the page. */
async function pressThrough(page: SituationPage, isBackwards: boolean): Promise<string[]> {
  const faults = new Map<string, string>();
  const seen = new Set<number>();
  await run(page, placeFocus, isBackwards);
  const start = await run(page, inspectStop);
  if (start.isPageLeft) return ['the page does not get the focus'];
  let previous = start.id;
  for (let press = 1; press <= PRESSES; press += 1) {
    await page.pressTab(isBackwards);
    let stop = await run(page, inspectStop);
    for (let frame = 1; stop.fault && frame < FRAMES; frame += 1) {
      await run(page, nextFrame);
      stop = await run(page, inspectStop);
    }
    const { id, name, isFirst, isPageLeft, hasParts, fault } = stop;
    if (isPageLeft) break;
    const add = (text: string) => {
      if (!faults.has(`${id} ${text}`))
        faults.set(`${id} ${text}`, `${isBackwards ? 'Shift+Tab' : 'Tab'} ${press}: ${name} ${text}`);
    };
    if (id > 0 && fault) add(fault);
    if (id > 0 && id === previous && !hasParts) add('keeps the focus');
    else if (id !== previous && seen.has(id)) add('has the focus again before the page is left');
    if (id === 0 || isFirst) seen.clear();
    if (id > 0 && !isFirst) seen.add(id);
    previous = id;
  }
  return [...faults.values()];
}

export const focusStops: Situation = {
  title: 'Tab and Shift+Tab move the focus to elements that can be seen, at 100 %, 200 % and 400 % zoom',
  async check(page, screens) {
    const faults: string[] = [];
    for (const screen of screens)
      for (const wanted of SIZES) {
        for (const isBackwards of [false, true]) {
          const size = await openScreen(page, screen, wanted);
          faults.push(...(await pressThrough(page, isBackwards)).map((fault) => `${at(screen, size)}, ${fault}`));
        }
        await page.picture(`focus after Shift+Tab on ${screen.path}`);
      }
    return faults;
  },
};
