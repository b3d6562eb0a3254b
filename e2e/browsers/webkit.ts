import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Builder, Key, WebElement } from 'selenium-webdriver';
import type { Engine, PageElement } from './engine.ts';

/** The programs of WebKitGTK. */
export interface WebKitPrograms {
  driver: string;
  browser: string;
  /** The X server without a screen. */
  display: string;
}

const SCREEN = { width: 1600, height: 1300 };

const toElement = (element: WebElement): PageElement => ({
  click: async () => {
    // The driver counts the page's scroll padding as part of an element, so it does not scroll to one just below the window.
    await element.getDriver().executeScript('arguments[0].scrollIntoView({ block: "center" })', element);
    await element.click();
  },
  type: (text) => element.sendKeys(text),
  attach: (path) => element.sendKeys(path),
});

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Starts the X server and returns its display, such as `:1`. */
async function startDisplay(program: string): Promise<{ server: ChildProcess; display: string }> {
  const args = ['-displayfd', '1', '-screen', '0', `${SCREEN.width}x${SCREEN.height}x24`, '-nolisten', 'tcp'];
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [number] = (await Promise.race([
    once(server.stdout, 'data'),
    once(server, 'exit').then(([code]) => Promise.reject(new Error(`${program} exited with ${String(code)}.`))),
  ])) as [Buffer];
  return { server, display: `:${number.toString().trim()}` };
}

/** Starts WebKitGTK's MiniBrowser, over WebDriver. */
export async function startWebKit(programs: WebKitPrograms): Promise<Engine> {
  const { server, display } = await startDisplay(programs.display);
  const port = await freePort();
  const driver = spawn(programs.driver, [`--port=${port}`, '--host=127.0.0.1'], {
    // A sound or a keyring service is absent here, and looking for one takes time.
    env: { ...process.env, DISPLAY: display, GIO_USE_VFS: 'local', NO_AT_BRIDGE: '1' },
    stdio: 'ignore',
  });
  const stop = () => {
    driver.kill();
    server.kill();
  };
  try {
    const url = `http://127.0.0.1:${port}`;
    await listening(url, driver);
    const browser = await new Builder()
      .usingServer(url)
      .withCapabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: programs.browser, args: ['--automation'] },
      })
      .build();
    const window = browser.manage().window();
    const evaluate = <T>(source: string, ...values: unknown[]): Promise<T> =>
      browser.executeScript(`return (${source})(...arguments)`, ...values);
    return {
      open: (address) => browser.get(address),
      back: async () => void (await browser.executeScript('history.back()')),
      evaluate,
      findElement: async (source, ...values) => {
        const found = await evaluate(source, ...values);
        return found instanceof WebElement ? toElement(found) : null;
      },
      pressEscape: () => browser.actions().sendKeys(Key.ESCAPE).perform(),
      pressTab: (isBackwards) => {
        const keys = browser.actions();
        return (
          isBackwards ? keys.keyDown(Key.SHIFT).sendKeys(Key.TAB).keyUp(Key.SHIFT) : keys.sendKeys(Key.TAB)
        ).perform();
      },
      resize: async (width, height) => {
        const frame = await evaluate<{ width: number; height: number }>(
          '() => ({ width: outerWidth - innerWidth, height: outerHeight - innerHeight })',
        );
        const outer = { width: width + frame.width, height: height + frame.height };
        // Around the pointer, which is in the middle: without a window manager it gives the window the focus.
        const place = { x: (SCREEN.width - outer.width) / 2, y: (SCREEN.height - outer.height) / 2 };
        await window.setRect({ x: Math.floor(place.x), y: Math.floor(place.y), ...outer });
      },
      screenshot: async () => Buffer.from(await browser.takeScreenshot(), 'base64'),
      errors: () => [],
      close: async () => {
        await browser.quit().finally(stop);
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
}

/** Waits until the driver answers. */
async function listening(url: string, driver: ChildProcess): Promise<void> {
  while (driver.exitCode === null) {
    const answer = await fetch(`${url}/status`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('WebKitWebDriver ended before it answered.');
}
