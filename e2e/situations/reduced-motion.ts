import { nameElement } from './in-page.ts';
import { openScreen, run, type Situation } from './situation.ts';

type State = typeof globalThis & { motions: string[] };

/** Records every animation and transition that runs longer than 1 ms. Runs in the browser. */
function recordMotions(): void {
  const motions: string[] = [];
  Object.assign(globalThis as State, { motions });
  const record = () => {
    for (const animation of document.getAnimations()) {
      const { target } = animation.effect as KeyframeEffect;
      const duration = Number(animation.effect!.getComputedTiming().duration);
      if (duration > 1) motions.push(`${target ? nameElement(target) : 'an element'} moves for ${duration} ms`);
    }
  };
  record();
  for (const type of ['transitionrun', 'transitionstart', 'animationstart']) addEventListener(type, record, true);
}

/** Opens what opens, ticks what can be ticked and scrolls, so that transitions run. Runs in the browser. */
function moveThings(): void {
  for (const box of document.querySelectorAll<HTMLElement>('main :is([type=checkbox], [role=switch])')) box.click();
  for (const details of document.querySelectorAll('details')) details.open = !details.open;
  for (const link of document.querySelectorAll<HTMLElement>('main a, main button')) link.focus();
  scrollTo(0, 0);
}

/** The recorded motions, and elements whose style would move them for longer. Runs in the browser. */
function listMotions(): string[] {
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) return ['the browser does not ask for reduced motion'];
  const isLong = (durations: string) => durations.split(',').some((text) => parseFloat(text) > 0.001);
  const styled = [...document.querySelectorAll('*')].flatMap((element) =>
    [undefined, '::before', '::after'].flatMap((pseudo) => {
      const { animationName, animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(
        element,
        pseudo,
      );
      const isMoving = (animationName !== 'none' && isLong(animationDuration)) || isLong(transitionDuration);
      const name = `${nameElement(element)}${pseudo ?? ''}`;
      if (isMoving) return [`${name} has a transition or animation longer than 1 ms`];
      return scrollBehavior === 'smooth' ? [`${name} scrolls smoothly`] : [];
    }),
  );
  return [...new Set([...(globalThis as State).motions, ...styled])];
}

export const reducedMotion: Situation = {
  title: 'nothing moves for longer than 1 ms for people who want reduced motion',
  needs: 'reduced motion',
  async check(page, screens) {
    const faults: string[] = [];
    for (const screen of screens) {
      await openScreen(page, screen, { width: 1280, height: 800 });
      await run(page, recordMotions);
      await run(page, moveThings);
      // A transition starts with the next frame.
      await page.becomes(() => run(page, () => document.getAnimations().length === 0));
      faults.push(...(await run(page, listMotions)).map((fault) => `${screen.path}: ${fault}`));
    }
    return faults;
  },
};
