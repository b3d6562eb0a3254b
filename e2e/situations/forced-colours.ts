import sharp from 'sharp';
import { isSeen, nameElement } from './in-page.ts';
import { openScreen, run, type Situation, type SituationPage } from './situation.ts';

const SIZE = { width: 1280, height: 800 };
/** The contrast that a boundary needs (WCAG 1.4.11). */
const CONTRAST = 3;
/** How far inside or outside its box a boundary may be. */
const DEPTH = 4;

interface Control {
  name: string;
  kind: 'box' | 'button';
  isOn: boolean;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Marks the controls that have a boundary without forced colours, one of each look. Runs in the browser. */
function markControls(): void {
  const looks = new Set<string>();
  const groundOf = (element: Element | null): string => {
    for (let part = element; part; part = part.parentElement) {
      const { backgroundColor } = getComputedStyle(part);
      if (!/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor)) return backgroundColor;
    }
    return '';
  };
  for (const control of document.querySelectorAll('button, summary, a[class], input, select, textarea')) {
    // A link that skips the menu is outside until it has the focus.
    if (!isSeen(control) || control.getBoundingClientRect().bottom < 0) continue;
    const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(control);
    const ground = groundOf(control.parentElement);
    const hasBorder = parseFloat(borderTopWidth) > 0 && borderTopStyle !== 'none' && !borderTopColor.endsWith(', 0)');
    const isFilled = groundOf(control) !== ground;
    const isBox = control.matches('[type=checkbox], [type=radio], [role=switch]');
    if (!isBox && !hasBorder && !isFilled) continue;
    const { type, checked } = control as HTMLInputElement;
    const look = [control.localName, type, checked, control.className, control.getAttribute('data-variant')].join(' ');
    if (looks.has(look)) continue;
    looks.add(look);
    control.setAttribute('data-seen-as', isBox ? 'box' : 'button');
  }
}

/** The marked controls that can be seen, with their boxes on the page. Runs in the browser. */
const listControls = (): Control[] =>
  [...document.querySelectorAll<HTMLInputElement>('[data-seen-as]')].filter(isSeen).map((control) => {
    const { left, top, width, height } = control.getBoundingClientRect();
    const kind = control.getAttribute('data-seen-as') as Control['kind'];
    const isOn = control.matches(':checked');
    return { name: nameElement(control), kind, isOn, left: left + scrollX, top: top + scrollY, width, height };
  });

/** Ticks each marked box and clears each ticked one. Runs in the browser. */
function switchBoxes(): void {
  for (const box of document.querySelectorAll<HTMLElement>('[data-seen-as="box"]')) box.click();
}

type Pixels = (x: number, y: number) => [red: number, green: number, blue: number];

async function readPixels(page: SituationPage): Promise<Pixels> {
  const png = await page.chromium!.screenshot({ fullPage: true });
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return (x, y) => {
    const column = Math.min(info.width - 1, Math.max(0, Math.round(x)));
    const row = Math.min(info.height - 1, Math.max(0, Math.round(y)));
    const start = (row * info.width + column) * 3;
    return [data[start]!, data[start + 1]!, data[start + 2]!];
  };
}

const luminance = (colour: readonly number[]): number => {
  const [red = 0, green = 0, blue = 0] = colour.map((value) =>
    value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

function contrastOf(left: readonly number[], right: readonly number[]): number {
  const [dark = 0, light = 0] = [luminance(left), luminance(right)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Whether three of the four sides of a control stand out from what is around it. */
function hasBoundary(pixels: Pixels, { left, top, width, height }: Control): boolean {
  const outside = pixels(left - DEPTH, top - DEPTH);
  const stands = (x: number, y: number, towardsX: number, towardsY: number) =>
    Array.from({ length: 2 * DEPTH }, (_, step) => step - DEPTH / 2).some(
      (step) => contrastOf(pixels(x + step * towardsX, y + step * towardsY), outside) >= CONTRAST,
    );
  const sides = [
    [left + width / 2, top, 0, 1],
    [left + width / 2, top + height - 1, 0, -1],
    [left, top + height / 2, 1, 0],
    [left + width - 1, top + height / 2, -1, 0],
  ] as const;
  return sides.filter(([x, y, towardsX, towardsY]) => stands(x, y, towardsX, towardsY)).length >= 3;
}

/** The share of a control's pixels that differ between two pictures. */
function shareOfChange(before: Pixels, after: Pixels, { left, top, width, height }: Control): number {
  let changed = 0;
  for (let y = top; y < top + height; y += 1)
    for (let x = left; x < left + width; x += 1) if (contrastOf(before(x, y), after(x, y)) >= CONTRAST) changed += 1;
  return changed / (width * height);
}

export const forcedColours: Situation = {
  title: 'with forced colours each control has a visible boundary, and a ticked one differs from one that is not',
  isChromiumOnly: true,
  async check(page, screens) {
    const faults: string[] = [];
    for (const screen of screens) {
      await openScreen(page, screen, SIZE);
      await run(page, markControls);
      await page.chromium!.emulateMedia({ forcedColors: 'active' });
      const controls = await run(page, listControls);
      const before = await readPixels(page);
      const found = controls
        .filter((control) => !hasBoundary(before, control))
        .map(({ name }) => `${name} has no boundary`);
      await page.picture(`forced colours on ${screen.path}`);
      await run(page, switchBoxes);
      const after = await readPixels(page);
      const switched = await run(page, listControls);
      for (const control of controls) {
        const now = switched.find(
          ({ name, kind, top }) => name === control.name && kind === 'box' && top === control.top,
        );
        if (control.kind !== 'box' || !now || now.isOn === control.isOn) continue;
        if (shareOfChange(before, after, control) < 0.05) found.push(`${control.name} looks the same on and off`);
      }
      faults.push(...found.map((fault) => `forced colours on ${screen.path}: ${fault}`));
      await page.chromium!.emulateMedia({ forcedColors: null });
    }
    return faults;
  },
};
