import { findCoverAfterScroll, findSidewaysScroll, isSeen, nameElement } from './in-page.ts';
import { at, openScreen, run, type Situation, type SituationPage } from './situation.ts';

/** A window of 1280 × 1024 at 400 % zoom. */
const SIZE = { width: 320, height: 256 };

/** Bars that stay in the window while the page scrolls may take a third of it. Runs in the browser. */
function findHighBars(share: number): string[] {
  scrollTo({ top: (document.documentElement.scrollHeight - innerHeight) * share, behavior: 'instant' });
  const bars: { name: string; top: number; bottom: number }[] = [];
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const { position } = getComputedStyle(element);
    if ((position !== 'sticky' && position !== 'fixed') || !isSeen(element)) continue;
    const { top, bottom, width } = element.getBoundingClientRect();
    if (width === 0 || top === bottom || bottom <= 0 || top >= innerHeight) continue;
    if (position === 'sticky') {
      // In the flow of the page it would be somewhere else.
      const { cssText } = element.style;
      element.style.setProperty('position', 'static', 'important');
      const moved = Math.abs(element.getBoundingClientRect().top - top);
      element.style.cssText = cssText;
      if (moved < 1) continue;
    }
    bars.push({ name: nameElement(element), top: Math.max(0, top), bottom: Math.min(innerHeight, bottom) });
  }
  let taken = 0;
  let end = 0;
  for (const { top, bottom } of bars.toSorted((left, right) => left.top - right.top)) {
    taken += Math.max(0, bottom - Math.max(top, end));
    end = Math.max(end, bottom);
  }
  if (taken <= innerHeight / 3) return [];
  const names = new Set(bars.map(({ name, top, bottom }) => `${name} ${Math.round(bottom - top)} px`));
  return [`bars take ${Math.round(taken)} of ${innerHeight} px (${[...names].join(', ')})`];
}

const isPupilTicked = (): boolean => document.querySelectorAll('tbody input:checked').length === 1;

/** Ticks the first pupil and returns what cannot be reached on the way. Runs in the browser. */
function tickFirstPupil(): string[] {
  const search = document.querySelector('input[type=search]');
  const box = document.querySelector<HTMLInputElement>('tbody input[type=checkbox]');
  const faults = [findCoverAfterScroll(search, 'the search'), findCoverAfterScroll(box, 'the first pupil’s checkbox')];
  box?.click();
  return faults.filter((fault) => fault !== null);
}

/** What cannot be reached of the actions for the ticked pupil. Opens one. Runs in the browser. */
function openAction(): string[] {
  const actions = [...document.querySelectorAll<HTMLElement>('main button')].filter(
    (button) => isSeen(button) && /^(Change Class|Reset Passwords|Clear selection)$/.test(button.textContent.trim()),
  );
  const faults = ['Change Class', 'Reset Passwords', 'Clear selection'].map((name) =>
    findCoverAfterScroll(
      actions.find((button) => button.textContent.trim() === name),
      `“${name}”`,
    ),
  );
  actions.find((button) => button.textContent.trim() === 'Change Class')?.click();
  return faults.filter((fault) => fault !== null);
}

const isDialogOpen = (): boolean => document.querySelector('dialog[open] button') !== null;

/** The fields and buttons of the dialog that cannot be reached. Runs in the browser. */
function findHiddenInDialog(): string[] {
  const controls = [...document.querySelectorAll('dialog[open] :is(button, select, input)')].filter(isSeen);
  return controls.flatMap((control) => findCoverAfterScroll(control, `${nameElement(control)} of the dialog`) ?? []);
}

/** Ticks a pupil and opens an action for it. */
async function findUnreachable(page: SituationPage): Promise<string[]> {
  const screen = { path: '/pupils' };
  const size = await openScreen(page, screen, SIZE);
  const faults = await run(page, tickFirstPupil);
  if (!(await page.becomes(() => run(page, isPupilTicked)))) faults.push('the first pupil cannot be ticked');
  await page.picture('a ticked pupil at 400 % zoom');
  faults.push(...(await run(page, openAction)));
  if (!(await page.becomes(() => run(page, isDialogOpen)))) faults.push('“Change Class” opens no dialog');
  faults.push(...(await run(page, findHiddenInDialog)));
  return faults.map((fault) => `${at(screen, size)}: ${fault}`);
}

export const lowWindow: Situation = {
  title: 'at 400 % zoom no page scrolls sideways, bars take a third of the window at most and pupils can be moved',
  async check(page, screens) {
    const faults: string[] = [];
    for (const screen of screens) {
      const size = await openScreen(page, screen, SIZE);
      const found = await run(page, findSidewaysScroll);
      for (const share of [0, 0.3, 0.6, 1])
        found.push(...(await run(page, findHighBars, share)).map((fault) => `scrolled to ${share * 100} %, ${fault}`));
      faults.push(...found.map((fault) => `${at(screen, size)}: ${fault}`));
      await page.picture(`400 % zoom of ${screen.path}`);
    }
    return [...faults, ...(await findUnreachable(page))];
  },
};
