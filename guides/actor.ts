import type { Locator, Page } from '@playwright/test';
import type { Cue } from './screencast.ts';

/** How long it takes to read a caption, in milliseconds: a base plus some per letter. */
const readingTime = (text: string): number => 900 + text.length * 48;

/** Draws a pointer, which headless browsers lack, and a ring where it clicks. */
function drawPointer(): void {
  const pointer = document.createElement('div');
  pointer.setAttribute('aria-hidden', 'true');
  pointer.style.cssText =
    'position:fixed;left:0;top:0;z-index:2147483647;width:36px;height:36px;pointer-events:none;translate:-100px -100px;filter:drop-shadow(0 1px 2px #0006)';
  pointer.innerHTML =
    '<svg width="36" height="36" viewBox="0 0 26 26"><path d="M3 2l18 11-8 1.5L9 22z" fill="#e76f52" stroke="#fff" stroke-width="2" stroke-linejoin="round"/></svg>';
  const show = () => {
    // Above dialogs, which are in the browser's top layer.
    if (!pointer.isConnected) document.documentElement.append(pointer);
    const [x, y] = (sessionStorage.getItem('guide-pointer') ?? '640,400').split(',');
    pointer.style.translate = `${Number(x) - 4}px ${Number(y) - 3}px`;
  };
  document.addEventListener('DOMContentLoaded', show);
  document.addEventListener(
    'mousemove',
    ({ clientX, clientY }) => {
      sessionStorage.setItem('guide-pointer', `${clientX},${clientY}`);
      show();
    },
    true,
  );
  document.addEventListener(
    'mousedown',
    ({ clientX, clientY }) => {
      const ring = document.createElement('div');
      ring.style.cssText = `position:fixed;left:${clientX - 20}px;top:${clientY - 20}px;z-index:2147483646;width:40px;height:40px;border:4px solid #e76f52;border-radius:50%;pointer-events:none`;
      document.documentElement.append(ring);
      const grow = [
        { scale: 0.3, opacity: 1 },
        { scale: 1.1, opacity: 0 },
      ];
      ring.animate(grow, { duration: 450, easing: 'ease-out' }).finished.then(
        () => ring.remove(),
        () => undefined,
      );
    },
    true,
  );
}

export const showPointer = (page: Page): Promise<unknown> => page.addInitScript(drawPointer);

/** Acts on a page at the speed of a presenter: moves the pointer, clicks, types, shows captions. */
export class Actor {
  readonly page: Page;
  readonly cues: Cue[] = [];
  #now: () => number;
  #place = { x: 640, y: 400 };

  constructor(page: Page, now: () => number) {
    this.page = page;
    this.#now = now;
  }

  /** Shows a caption for as long as it takes to read, while running `meanwhile`. */
  async say(text: string, meanwhile?: () => Promise<unknown>): Promise<void> {
    const from = this.#now();
    await meanwhile?.();
    const left = readingTime(text) - (this.#now() - from) * 1000;
    if (left > 0) await this.page.waitForTimeout(left);
    this.cues.push({ from, to: this.#now(), text });
  }

  async point(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (!box) throw new Error(`Nothing to point at: ${target.toString()}`);
    const aim = { x: box.x + Math.min(box.width / 2, 160), y: box.y + box.height / 2 };
    const from = this.#place;
    const steps = 16;
    for (let step = 1; step <= steps; step += 1) {
      const part = (1 - Math.cos((Math.PI * step) / steps)) / 2;
      await this.page.mouse.move(from.x + (aim.x - from.x) * part, from.y + (aim.y - from.y) * part);
      await this.page.waitForTimeout(22);
    }
    this.#place = aim;
  }

  async press(target: Locator): Promise<void> {
    await this.point(target);
    await this.page.waitForTimeout(180);
    await this.page.mouse.down();
    await this.page.mouse.up();
    await this.page.waitForTimeout(350);
  }

  /** Chooses from a native select, which screenshots never show open. */
  async choose(target: Locator, label: string | RegExp): Promise<void> {
    await this.point(target);
    const value = await target.locator('option').filter({ hasText: label }).first().getAttribute('value');
    await target.selectOption(value ?? '');
    await this.page.waitForTimeout(500);
  }

  async type(target: Locator, text: string): Promise<void> {
    await this.press(target);
    await this.page.keyboard.type(text, { delay: 45 });
    await this.page.waitForTimeout(250);
  }

  async pause(milliseconds = 700): Promise<void> {
    await this.page.waitForTimeout(milliseconds);
  }
}
