import puppeteer, { type ElementHandle, type Page } from 'puppeteer-core';
import type { Engine, PageElement } from './engine.ts';

const PATIENCE_MS = 180_000;

const toElement = (handle: ElementHandle): PageElement => ({
  click: () => handle.click(),
  type: (text) => handle.type(text),
  attach: (path) => (handle as ElementHandle<HTMLInputElement>).uploadFile(path),
});

/**
 * Starts Firefox, over WebDriver BiDi.
 * @param preferences settings as in about:config
 */
export async function startFirefox(executablePath: string, preferences: Record<string, number> = {}): Promise<Engine> {
  const options = { browser: 'firefox', executablePath, headless: true } as const;
  const browser = await puppeteer.launch({ ...options, extraPrefsFirefox: preferences });
  const page: Page = await browser.newPage();
  // The default of 30 seconds is too short for a busy computer.
  page.setDefaultNavigationTimeout(PATIENCE_MS);
  const errors: string[] = [];
  // A page with unsaved work is left, as the other browsers do.
  page.on('dialog', (dialog) => void dialog.accept());
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${String(error)}`));
  return {
    open: async (url) => void (await page.goto(url)),
    back: async () => void (await page.evaluate('history.back()')),
    evaluate: <T>(source: string, ...values: unknown[]) =>
      page.evaluate(`(${source})(...${JSON.stringify(values)})`) as Promise<T>,
    findElement: async (source, ...values) => {
      const handle = await page.evaluateHandle(`(${source})(...${JSON.stringify(values)})`);
      const element = handle.asElement();
      return element && toElement(element as ElementHandle);
    },
    pressEscape: () => page.keyboard.press('Escape'),
    pressTab: async (isBackwards) => {
      if (isBackwards) await page.keyboard.down('Shift');
      await page.keyboard.press('Tab');
      if (isBackwards) await page.keyboard.up('Shift');
    },
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: () => page.screenshot(),
    errors: () => errors,
    close: () => browser.close(),
  };
}
