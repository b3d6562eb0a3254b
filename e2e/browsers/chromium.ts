import { chromium, type ElementHandle } from '@playwright/test';
import type { Engine, PageElement } from './engine.ts';

/** `force`, because Playwright's own checks need functions that Chromium 92 lacks. */
const toElement = (handle: ElementHandle): PageElement => ({
  click: () => handle.click({ force: true }),
  type: (text) => handle.type(text),
  attach: (path) => handle.setInputFiles(path),
});

/** Starts an old Chromium, over its DevTools protocol. Puppeteer no longer opens a page in these. */
export async function startChromium(executablePath: string): Promise<Engine> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${String(error)}`));
  return {
    open: async (url) => void (await page.goto(url)),
    back: async () => void (await page.evaluate('history.back()')),
    evaluate: <T>(source: string, ...values: unknown[]) =>
      page.evaluate<T>(`(${source})(...${JSON.stringify(values)})`),
    findElement: async (source, ...values) => {
      const handle = await page.evaluateHandle(`(${source})(...${JSON.stringify(values)})`);
      const element = handle.asElement();
      return element && toElement(element);
    },
    pressEscape: () => page.keyboard.press('Escape'),
    pressTab: (isBackwards) => page.keyboard.press(isBackwards ? 'Shift+Tab' : 'Tab'),
    resize: (width, height) => page.setViewportSize({ width, height }),
    screenshot: () => page.screenshot(),
    errors: () => errors,
    close: () => browser.close(),
  };
}
