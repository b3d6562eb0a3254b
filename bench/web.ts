import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { PASSWORD } from './database.ts';
import { atMost, type Bench, type Figure } from './measure.ts';
import { median } from './rounds.ts';

/** A tablet of some age on a school's line. */
const PROCESSOR_SLOWER = 4;
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const ROUNDS = 5;
/** A row of a pupil; the rows that stand in while the list loads have no link. */
const ROW = 'tbody a[href*="/pupils/"]';

/** Pages of the browser's own (the list under its address bar) that a new tab loads: they would share the processor. */
const OWN_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'];

const seconds = (value: number): string => `${value.toFixed(2)} s`;
const kilobytes = (value: number): string => `${value.toFixed(0)} kB`;

/** Logs in through the form, unthrottled: the session is then in the context's cookies. */
async function logIn(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel('Email', { exact: true }).fill('staff-1@school.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL((address) => !address.pathname.startsWith('/login'));
  await page.waitForLoadState('networkidle');
  await page.close();
}

/** Opens the pupils page, throttled: seconds until its rows are visible, and the script loaded until then. */
async function visit(
  context: BrowserContext,
  url: string,
  cold: boolean,
): Promise<{ visible: number; script: number }> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  if (cold) await cdp.send('Network.clearBrowserCache');
  await cdp.send('Network.emulateNetworkConditions', LINE);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_SLOWER });
  const scripts = new Set<string>();
  let bytes = 0;
  cdp.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  const start = performance.now();
  await page.goto(`${url}/pupils`, { waitUntil: 'commit' });
  await page.locator(ROW).first().waitFor({ state: 'visible' });
  const visible = (performance.now() - start) / 1000;
  await page.close();
  return { visible, script: bytes / 1000 };
}

async function oneRound(browser: Browser, url: string) {
  const context = await browser.newContext();
  try {
    await logIn(context, url);
    const cold = await visit(context, url, true);
    return { cold, warm: await visit(context, url, false) };
  } finally {
    await context.close();
  }
}

/** The pupils page in a slow browser on a slow line, with an empty and with a filled cache. */
export async function measureWeb({ portal }: Bench): Promise<Figure[]> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', `--disable-features=${OWN_PAGES.join(',')}`],
  });
  try {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await oneRound(browser, portal.url));
    return [
      atMost('Script up to a working pupils page', median(rounds.map(({ cold }) => cold.script)), 200, kilobytes),
      atMost('Pupils page: rows visible, cold', median(rounds.map(({ cold }) => cold.visible)), 2, seconds),
      atMost('Pupils page: rows visible, warm', median(rounds.map(({ warm }) => warm.visible)), 0.6, seconds),
    ];
  } finally {
    await browser.close();
  }
}
