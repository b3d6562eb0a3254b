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
  const errors: string[] = [];
  const openTab = async (): Promise<Page> => {
    const tab = await browser.newPage();
    // The default of 30 seconds is too short for a busy computer.
    tab.setDefaultNavigationTimeout(PATIENCE_MS);
    // A page with unsaved work is left, as the other browsers do.
    tab.on('dialog', (dialog) => void dialog.accept());
    tab.on('pageerror', (error) => errors.push(`${tab.url()}: ${String(error)}`));
    return tab;
  };
  let page = await openTab();
  return {
    open: async (url) => void (await page.goto(url)),
    regainFocus: async () => {
      const left = page;
      page = await openTab();
      await page.setViewport(left.viewport());
      await left.close();
    },
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
