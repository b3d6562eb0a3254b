import type { Page } from '@playwright/test';
import { inPage } from './in-page.ts';

/** What a browser emulates for a situation; absent for a browser as it is. */
export type Emulation =
  | 'forced colours'
  | 'no script'
  | 'blocked storage'
  | 'touch without a mouse'
  | 'text of 32 px'
  | 'reduced motion';

export interface Size {
  width: number;
  height: number;
}

/** A page in any browser engine. */
export interface SituationPage {
  /** Opens a path and waits until the page has loaded. */
  open(path: string): Promise<void>;
  resize(size: Size): Promise<void>;
  /** The narrowest window of the browser. */
  minWidth: number;
  pressTab(isBackwards: boolean): Promise<void>;
  /** Runs a function's source in the page. Values and the result are JSON. */
  evaluate<T>(source: string, ...values: unknown[]): Promise<T>;
  /** Repeats until the result is true. Returns false when it never is. */
  becomes(read: () => Promise<boolean>): Promise<boolean>;
  /** Adds a picture of the window to the contact sheet. */
  picture(name: string): Promise<void>;
  /** What only Chromium can do: print, and compare pixels with other colours. */
  chromium?: Page;
}

/** A screen: its path, and what is opened on it. Functions run in the page. */
export interface SituationScreen {
  path: string;
  open?: () => void;
  /** Whether it is open. */
  isOpen?: () => boolean;
}

export interface Situation {
  /** A sentence about the product. */
  title: string;
  needs?: Emulation;
  /** Uses `SituationPage.chromium`. */
  isChromiumOnly?: true;
  /** Returns the faults in words. */
  check: (page: SituationPage, screens: readonly SituationScreen[]) => Promise<string[]>;
}

/** Whether the page has loaded and its scripts handle what is clicked. Runs in the browser. */
export const isLoaded = (): boolean =>
  document.querySelector('h1') !== null &&
  document.querySelector('[aria-busy="true"], [role="progressbar"]') === null &&
  (globalThis as { earlyInput?: unknown }).earlyInput === undefined;

/** Runs a function in the page, which can call the helpers of `in-page.ts`. */
export const run = <Values extends unknown[], Result>(
  page: Pick<SituationPage, 'evaluate'>,
  work: (...values: Values) => Result,
  ...values: Values
): Promise<Result> => page.evaluate<Result>(inPage(work), ...values);

/** Opens a screen at a size, or the nearest that the browser has, which is returned. */
export async function openScreen(page: SituationPage, screen: SituationScreen, wanted: Size): Promise<Size> {
  const size = { ...wanted, width: Math.max(wanted.width, page.minWidth) };
  await page.resize(size);
  await page.open(screen.path);
  const { open, isOpen } = screen;
  if (!open || !isOpen) return size;
  await run(page, open);
  await page.becomes(() => run(page, isOpen));
  return size;
}

export const at = ({ path }: SituationScreen, { width, height }: Size): string => `${path} at ${width} × ${height}`;
