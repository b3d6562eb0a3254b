import { type Browser, type BrowserContext, chromium, type LaunchOptions } from '@playwright/test';
import { PASSWORD } from './database.ts';

/** Pages of the browser's own (the list under its address bar) that a new tab loads: they would share the processor. */
const OWN_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'];

/** A tablet of some age on a school's line. */
const PROCESSOR_SLOWER = 4;
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

const launching = (words: string[]): LaunchOptions => ({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', `--disable-features=${OWN_PAGES.join(',')}`, ...words],
});

/** @param words more of Chromium's own command line */
export const openBrowser = (...words: string[]): Promise<Browser> => chromium.launch(launching(words));

/** The same with a context that other programs see who speak to the browser at a port; closing it closes the browser. */
export const openBrowserAt = (port: number, ...words: string[]): Promise<BrowserContext> =>
  chromium.launchPersistentContext('', launching([`--remote-debugging-port=${port}`, ...words]));

/** Logs in through the form as the first school's admin: the session is then in the context's cookies. */
export async function logIn(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel('Email', { exact: true }).fill('staff-1@school.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL((address) => !address.pathname.startsWith('/login'));
  await page.waitForLoadState('networkidle');
  await page.close();
}

/** A page of the context on a slow processor and line, with an empty cache or with what is in it. */
export async function openSlowPage(context: BrowserContext, isCold: boolean) {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  if (isCold) await cdp.send('Network.clearBrowserCache');
  await cdp.send('Network.emulateNetworkConditions', LINE);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_SLOWER });
  return { page, cdp };
}
