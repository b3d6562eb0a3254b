import puppeteer, { type ElementHandle, type Page } from 'puppeteer-core';
import type { Engine, PageElement } from './engine.ts';

const toElement = (handle: ElementHandle): PageElement => ({
  click: () => handle.click(),
  type: (text) => handle.type(text),
  attach: (path) => (handle as ElementHandle<HTMLInputElement>).uploadFile(path),
});

/** Starts Firefox, over WebDriver BiDi. */
export async function startFirefox(executablePath: string): Promise<Engine> {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
  const page: Page = await browser.newPage();
  const errors: string[] = [];
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
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: () => page.screenshot(),
    errors: () => errors,
    close: () => browser.close(),
  };
}
