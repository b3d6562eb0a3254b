import { type Browser, type BrowserContext, chromium, type LaunchOptions } from '@playwright/test';
import { PASSWORD } from './environment.ts';

/** Internal pages that Chromium loads with a new tab: disabled, because they would use the processor. */
const INTERNAL_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'];

/** An old tablet on a school's connection. */
const CPU_THROTTLE = 4;
const CONNECTION = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

const launchOptions = (args: string[]): LaunchOptions => ({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', `--disable-features=${INTERNAL_PAGES.join(',')}`, ...args],
});

/** @param args additional Chromium switches */
export const openBrowser = (...args: string[]): Promise<Browser> => chromium.launch(launchOptions(args));

/** A browser with one context that other programs can control through a port. Closing the context closes the browser. */
export const openBrowserAt = (port: number, ...args: string[]): Promise<BrowserContext> =>
  chromium.launchPersistentContext('', launchOptions([`--remote-debugging-port=${port}`, ...args]));

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

/** Opens a page with a slow processor and connection, with an empty cache if `isCold`. */
export async function openSlowPage(context: BrowserContext, isCold: boolean) {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  if (isCold) await cdp.send('Network.clearBrowserCache');
  await cdp.send('Network.emulateNetworkConditions', CONNECTION);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_THROTTLE });
  return { page, cdp };
}
