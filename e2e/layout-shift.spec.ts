import type { CDPSession, Page } from '@playwright/test';
import { readShifts, recordShifts } from './layout-shifts.ts';
import { expect, expectListening, people, test } from './portal.ts';

/** An old tablet on a slow school connection. */
const CPU_SLOWDOWN = 4;
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

const screens = {
  dashboard: '/',
  'a class': '/classes/2',
  pupils: '/pupils',
  'the library of a class': '/classes/2/books',
  'adding pupils': '/school/add-readers',
};

async function slowDown(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return session;
}

/** Opens a screen with an empty and then a full cache, and returns the layout shifts while it loads. */
async function openTwice(page: Page, session: CDPSession, path: string) {
  const shifts = [];
  await session.send('Network.clearBrowserCache');
  for (let visit = 0; visit < 2; visit += 1) {
    await page.goto(path, { waitUntil: 'load' });
    await expectListening(page);
    // The page has hydrated, and the dialogs' scripts have loaded.
    await page.waitForLoadState('networkidle');
    shifts.push(...(await readShifts(page)));
  }
  return shifts;
}

for (const width of [1280, 375])
  for (const role of ['admin', 'teacher'] as const)
    test(`screens load without layout shift, for the ${role} at ${width} px`, async ({ logIn }) => {
      test.slow();
      const page = await logIn(people[role], '/account');
      await page.setViewportSize({ width, height: 800 });
      await page.addInitScript(recordShifts);
      const session = await slowDown(page);
      for (const [name, path] of Object.entries(screens))
        await test.step(name, async () => expect.soft(await openTwice(page, session, path), name).toEqual([]));
      await session.detach();
    });

test('the login screen loads without layout shift', async ({ page }) => {
  await page.addInitScript(recordShifts);
  const session = await slowDown(page);
  expect(await openTwice(page, session, '/login')).toEqual([]);
  await session.detach();
});
