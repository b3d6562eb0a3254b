import { run, type Situation, type SituationPage } from './situation.ts';

type State = typeof globalThis & { announcements: string[] };

/**
 * Records what live regions announce from now on. A region that is added together with its text is silent, unless it is an
 * alert. Runs in the browser.
 */
function recordAnnouncements(): void {
  const regions =
    '[aria-live="polite"], [aria-live="assertive"], [role="status"], [role="alert"], [role="log"], output';
  const announcements: string[] = [];
  Object.assign(globalThis as State, { announcements });
  const textOf = (region: Element) => (region as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim();
  const known = new Map([...document.querySelectorAll(regions)].map((region) => [region, textOf(region)]));
  new MutationObserver((records) => {
    const changed = new Set<Element>();
    for (const { target, addedNodes } of records) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(regions);
      if (region) changed.add(region);
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const added of [node, ...node.querySelectorAll('*')]) if (added.matches(regions)) changed.add(added);
    }
    for (const region of changed) {
      const text = textOf(region);
      const isNew = known.has(region) ? known.get(region) !== text : region.matches('[role="alert"]');
      if (isNew && text) announcements.push(text);
      known.set(region, text);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}

/** Whether a text that matches was announced. Runs in the browser. */
const wasAnnounced = (pattern: string): boolean =>
  (globalThis as State).announcements.some((text) => new RegExp(pattern, 'i').test(text));

const forgetAnnouncements = (): void => void (globalThis as State).announcements.splice(0);

/** Types into the search, as a person does. Runs in the browser. */
function search(text: string): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')!;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

const sort = (): void => document.querySelector<HTMLElement>('th a[href*="sort"], th a[href]')?.click();

const STEPS: [name: string, act: (page: SituationPage) => Promise<void>, announced: string][] = [
  ['a search', (page) => run(page, search, 'wisniewski'), '^1 pupil\\b'],
  ['a search without result', (page) => run(page, search, 'zzzz'), 'no pupils'],
  ['a search that is cleared', (page) => run(page, search, ''), '\\d\\d pupils'],
  ['another order', (page) => run(page, sort), 'sorted'],
];

export const liveRegions: Situation = {
  title: 'the results of a search, none, all again and another order are announced to screen readers',
  async check(page) {
    await page.resize({ width: 1280, height: 800 });
    await page.open('/pupils');
    await run(page, recordAnnouncements);
    const faults: string[] = [];
    for (const [name, act, announced] of STEPS) {
      await run(page, forgetAnnouncements);
      await act(page);
      if (!(await page.becomes(() => run(page, wasAnnounced, announced))))
        faults.push(`/pupils: ${name} is not announced (expected: ${announced})`);
    }
    return faults;
  },
};
