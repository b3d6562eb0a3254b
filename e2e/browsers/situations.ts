import { chromium } from '@playwright/test';
import { people } from '../portal.ts';
import { situations } from '../situations/all.ts';
import { isGuest, openInChromium } from '../situations/in-chromium.ts';
import { situationScreens } from '../situations/screens.ts';
import { type Emulation, isLoaded, run, type SituationPage, type SituationScreen } from '../situations/situation.ts';
import { BrowserPage } from './browser-page.ts';
import type { Engine } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { logIn } from './journeys.ts';
import { startWebKit, type WebKitPrograms } from './webkit.ts';

/** Settings of Firefox for the situations that it can emulate. */
const FIREFOX_PREFERENCES: Partial<Record<Emulation, Record<string, number>>> = {
  'blocked storage': { 'network.cookie.cookieBehavior': 2 },
  // A coarse pointer alone.
  'touch without a mouse': { 'ui.primaryPointerCapabilities': 1, 'ui.allPointerCapabilities': 1 },
  'text of 32 px': { 'font.size.variable.x-western': 32, 'font.size.variable.x-unicode': 32 },
  'reduced motion': { 'ui.prefersReducedMotion': 1 },
};

/** MiniBrowser’s toolbar needs this width. */
const WEBKIT_MIN_WIDTH = 450;

type OpenedPage = SituationPage & { close(): Promise<void> };
type OnPicture = (name: string, width: number, png: Uint8Array) => void;

/** A browser of the matrix. */
export interface MatrixBrowser {
  name: string;
  canEmulate: (needs: Emulation | undefined) => boolean;
  screens: readonly SituationScreen[];
  /** Opens a page in which the admin of the demonstration school is logged in, unless the situation needs a guest. */
  open: (needs: Emulation | undefined, url: string, onPicture: OnPicture) => Promise<OpenedPage>;
}

export const matrixChromium = (executablePath: string): MatrixBrowser => ({
  name: 'Chromium',
  canEmulate: () => true,
  screens: situationScreens,
  open: async (needs, url, onPicture) => {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    const page = await openInChromium(browser, url, needs, onPicture);
    return { ...page, close: () => browser.close() };
  },
});

export const matrixFirefox = (program: string): MatrixBrowser => ({
  name: 'Firefox',
  canEmulate: (needs) => needs === undefined || needs in FIREFOX_PREFERENCES,
  screens: situationScreens,
  open: (needs, url, onPicture) =>
    openInEngine(() => startFirefox(program, needs && FIREFOX_PREFERENCES[needs]), 0, needs, url, onPicture),
});

export const matrixWebKit = (programs: WebKitPrograms): MatrixBrowser => ({
  name: 'WebKit',
  canEmulate: (needs) => needs === undefined,
  screens: situationScreens,
  open: (needs, url, onPicture) => openInEngine(() => startWebKit(programs), WEBKIT_MIN_WIDTH, needs, url, onPicture),
});

async function openInEngine(
  start: () => Promise<Engine>,
  minWidth: number,
  needs: Emulation | undefined,
  url: string,
  onPicture: OnPicture,
): Promise<OpenedPage> {
  const engine = await start();
  const page = new BrowserPage(engine, url, onPicture);
  try {
    if (!isGuest(needs)) await logIn(page, people.admin);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return {
    open: async (path) => {
      await engine.regainFocus?.();
      await page.goto(path);
      await page.becomes(() => run(page, isLoaded));
    },
    minWidth,
    resize: (size) => page.resize(size),
    pressTab: (isBackwards) => page.pressTab(isBackwards),
    evaluate: (source, ...values) => page.evaluate(source, ...values),
    becomes: (read) => page.becomes(read),
    picture: (name) => page.picture(name),
    close: () => engine.close(),
  };
}

/** Runs every situation that a browser can emulate, and reports the faults of each. */
export async function runMatrix(
  browser: MatrixBrowser,
  url: string,
  onPicture: OnPicture,
  onResult: (title: string, faults: readonly string[]) => void,
): Promise<void> {
  for (const { title, needs, isChromiumOnly, check } of situations) {
    if (!browser.canEmulate(needs) || (isChromiumOnly && browser.name !== 'Chromium')) continue;
    try {
      const page = await browser.open(needs, url, onPicture);
      try {
        onResult(title, await check(page, browser.screens));
      } finally {
        await page.close();
      }
    } catch (error) {
      onResult(title, [error instanceof Error ? error.message : String(error)]);
    }
  }
}
