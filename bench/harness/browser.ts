import { get } from 'node:http';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { PASSWORD } from './environment.ts';
import { waitUntil } from './program.ts';

/** Internal pages that Chromium loads with a new tab: disabled, because they would use the processor. */
const INTERNAL_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'];

const LONG_TASK_MS = 50;
/** An old tablet on a school's connection. */
const CPU_THROTTLE = 4;
const CONNECTION = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', `--disable-features=${INTERNAL_PAGES.join(',')}`],
  });

const FIRST_ADMIN = { email: 'staff-1@school.example', password: PASSWORD };

/** Logs in through the form, so that the context has the session cookie. */
export async function logIn(context: BrowserContext, url: string, { email, password } = FIRST_ADMIN): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => !pathname.startsWith('/login'));
  await page.waitForLoadState('networkidle');
  await page.close();
}

/** A visit to a page: milliseconds since its start, unless it says otherwise. */
export interface Visit {
  /** When the first element of the content is visible. */
  rows: number;
  /** When React has hydrated that element, so that scripts work. */
  hydrated: number;
  /** Size of the scripts loaded until then, in bytes, compressed as over TLS. */
  script: number;
  /** What long tasks take beyond 50 ms each. */
  blocked: number;
  /** Layout shift, without a unit. */
  shift: number;
}

/** The URLs of the scripts that the page has loaded, for `evaluate`. */
const LOADED_SCRIPTS = `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`;

/** The bytes of the scripts as browsers receive them over TLS: without it, they do not accept Brotli. */
async function sizeOf(scripts: readonly string[]): Promise<number> {
  const sizes = scripts.map(
    (url) =>
      new Promise<number>((resolve, reject) => {
        get(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
          let size = 0;
          response.on('data', (part: Buffer) => (size += part.length)).once('end', () => resolve(size));
        }).once('error', reject);
      }),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Records a visit from the start of a page. As text, because benches are compiled without the DOM. */
const recorder = (content: string) => `{
  const visit = (globalThis.visit = { rows: 0, hydrated: 0, scripts: [], blocked: 0, shift: 0 });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) visit.blocked += Math.max(0, duration - ${LONG_TASK_MS});
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) visit.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  // A page that blocks painting runs no animation frame.
  requestAnimationFrame(function look() {
    const element = document.querySelector(${JSON.stringify(content)});
    if (element && visit.rows === 0) setTimeout(() => (visit.rows ||= performance.now()));
    const isHydrated = element && Object.keys(element).some((key) => key.startsWith('__reactFiber$'));
    if (!isHydrated) return requestAnimationFrame(look);
    Object.assign(visit, { hydrated: performance.now(), scripts: ${LOADED_SCRIPTS} });
  });
}`;

/** Opens a page with a slow processor and connection, with an empty cache if `isCold`. */
export async function openSlowPage(context: BrowserContext, isCold: boolean): Promise<Page> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  if (isCold) await cdp.send('Network.clearBrowserCache');
  await cdp.send('Network.emulateNetworkConditions', CONNECTION);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_THROTTLE });
  return page;
}

/** Visits a page and waits until nothing loads any more. `content` selects an element of its main content. */
export async function visit(context: BrowserContext, url: string, content: string, isCold: boolean): Promise<Visit> {
  const page = await openSlowPage(context, isCold);
  await page.addInitScript({ content: recorder(content) });
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForLoadState('networkidle');
  // Not by `waitForFunction`, which the security policy of the portal forbids.
  const read = () => page.evaluate<Omit<Visit, 'script'> & { scripts: string[] }>('globalThis.visit');
  await waitUntil('the page is hydrated', async () => (await read()).hydrated > 0);
  const { scripts, ...recorded } = await read();
  await page.close();
  return { ...recorded, script: await sizeOf(scripts) };
}

/** The bytes of all scripts that a page loads until nothing loads any more. */
export async function measureScripts(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  const scripts = await page.evaluate<string[]>(LOADED_SCRIPTS);
  await page.close();
  return sizeOf(scripts);
}
