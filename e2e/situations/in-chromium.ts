import type { Browser, BrowserContextOptions } from '@playwright/test';
import { expect, PASSWORD, people } from '../portal.ts';
import { isLoaded, run, type Emulation, type SituationPage } from './situation.ts';

const OPTIONS: Partial<Record<Emulation, BrowserContextOptions>> = {
  'no script': { javaScriptEnabled: false },
  'touch without a mouse': { hasTouch: true, isMobile: true },
  'reduced motion': { reducedMotion: 'reduce' },
};

/** As Playwright’s configuration, which applies to its own journeys alone. */
const PATIENCE_MS = 45_000;

/** Situations that begin without a session. */
export const isGuest = (needs: Emulation | undefined) => needs === 'no script' || needs === 'blocked storage';

/** As Chromium behaves when its settings block all cookies: scripts are not stopped, but nothing is stored. */
function blockStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(globalThis, name, {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
  Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} });
}

/** Opens a page of Chromium at a portal, in which the admin of the demonstration school is logged in. */
export async function openInChromium(
  browser: Browser,
  url: string,
  needs: Emulation | undefined,
  onPicture: (name: string, width: number, png: Uint8Array) => void = () => undefined,
): Promise<SituationPage & { close(): Promise<void> }> {
  const context = await browser.newContext({ baseURL: url, ...(needs && OPTIONS[needs]) });
  const page = await context.newPage();
  if (!isGuest(needs)) {
    const login = { headers: { origin: url }, data: { email: people.admin, password: PASSWORD } };
    await expect(await context.request.post('/v1/auth', login)).toBeOK();
  }
  if (needs === 'blocked storage') {
    await page.addInitScript(blockStorage);
    const session = await context.newCDPSession(page);
    // The browser does not store the cookie of a reply.
    await session.send('Fetch.enable', { patterns: [{ requestStage: 'Response' }] });
    session.on('Fetch.requestPaused', ({ requestId, responseStatusCode = 200, responseHeaders = [] }) => {
      const headers = responseHeaders.filter(({ name }) => name.toLowerCase() !== 'set-cookie');
      void session.send('Fetch.continueResponse', {
        requestId,
        responseCode: responseStatusCode,
        responseHeaders: headers,
      });
    });
  }
  if (needs === 'text of 32 px') {
    const session = await context.newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  }
  const evaluate = <T>(source: string, ...values: unknown[]) =>
    page.evaluate<T>(`(${source})(...${JSON.stringify(values)})`);
  const becomes = async (read: () => Promise<boolean>) => {
    try {
      await expect.poll(read, { timeout: PATIENCE_MS }).toBe(true);
      return true;
    } catch {
      return false;
    }
  };
  return {
    chromium: page,
    open: async (path) => {
      await page.goto(path);
      await becomes(() => run({ evaluate }, isLoaded));
    },
    minWidth: 0,
    resize: (size) => page.setViewportSize(size),
    pressTab: (isBackwards) => page.keyboard.press(isBackwards ? 'Shift+Tab' : 'Tab'),
    evaluate,
    becomes,
    picture: async (name) => onPicture(name, page.viewportSize()!.width, await page.screenshot()),
    close: () => context.close(),
  };
}
