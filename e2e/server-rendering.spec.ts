import type { Page } from '@playwright/test';
import { guestPaths } from '../web/src/guest-paths.ts';
import { paths } from '../web/src/paths.ts';
import { sampled } from './breadth.ts';
import {
  expect,
  expectAccessibleInBothSchemes,
  expectLoaded,
  holdScripts,
  people,
  submitLogin,
  test,
} from './portal.ts';
import { adminScreens, collectConsoleErrors, listenForReads } from './screen-list.ts';
import { startPortal } from './server.ts';

/** Screens that log in or out, or need a link from an email. */
const BEHIND_LINKS = /^\/(logout|login\/enrolment|token|setup|invite|invoices|confirm)\b/;

/** Pages without the app, which do not hydrate. */
const documents = new Set<string>(guestPaths);

/** A URL of each screen, with IDs of the demonstration school for its `:names`. */
const addresses = Object.values(paths)
  .map((build) => (build as (...ids: string[]) => string)(...[':one', ':two'].slice(0, build.length)).split('?')[0]!)
  .filter((path) => !BEHIND_LINKS.test(path) && !documents.has(path))
  .map((path) =>
    path
      .replace(/\/classes\/:\w+/, '/classes/2')
      .replace(/\/pupils\/:\w+/, '/pupils/29')
      .replace(/\/logins\/:\w+/, '/logins/00000000-0000-4000-8000-000000000000')
      .replace(/\/feedback\/:\w+/, '/feedback/ann@oak.example')
      .replace(/\/subscription\/:\w+/, '/subscription/start')
      .replace(/:\w+/g, '1'),
  );

/**
 * Opens a server-rendered page and waits for hydration. Returns console errors, and requests for data that should
 * have been in the page.
 */
async function openServerRendered(page: Page, path: string): Promise<string[]> {
  const consoleErrors = collectConsoleErrors(page);
  const reads = listenForReads(page, path);
  const response = await page.goto(path);
  const isServerRendered = (await response!.text()).includes('<div id="root"><');
  // The router takes over scrolling once it has started.
  await page.waitForFunction(() => history.scrollRestoration === 'manual');
  await expectLoaded(page);
  return [
    ...consoleErrors.stop(),
    ...reads.stop(),
    ...(isServerRendered ? [] : [`${path}: the server rendered nothing`]),
  ];
}

/** screens.spec.ts opens these, and also checks for console errors. */
const visitedElsewhere = new Set(adminScreens.map(([, path]) => path.split('?')[0]!.replaceAll(/\d+/g, '1')));
const oddities = ['/pupils?search=zzzz&page=3'];
/** Screens that differ for a teacher. */
const ofTeacher = ['/', '/account', '/school', '/teachers', '/classes', '/classes/2', '/classes/2/books', '/pupils'];

for (const [role, visited] of [
  ['admin', [...addresses.filter((path) => !visitedElsewhere.has(path.replaceAll(/\d+/g, '1'))), ...oddities]],
  ['teacher', ofTeacher],
] as const)
  test(`screens for the ${role} are rendered by the server, hydrate without a mismatch, and request nothing more`, async ({
    logIn,
  }) => {
    const page = await logIn(people[role], '/account');
    const consoleErrors: string[] = [];
    for (const path of sampled(visited))
      await test.step(path, async () => consoleErrors.push(...(await openServerRendered(page, path))));
    expect(consoleErrors).toEqual([]);
  });

test('the document of a list contains every row, and the browser requests nothing more', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/v1/') && calls.push(request.url()));
  const response = await page.goto('/pupils');
  const html = await response!.text();
  expect(html.match(/<tr/g)).toHaveLength(1 + 50);
  // The code that validates forms loads only with a form.
  expect(html.match(/assets\/[a-z]+-/g)).toContain('assets/start-');
  expect(html).not.toContain('assets/forms-');
  expect(response!.headers()).toMatchObject({ 'cache-control': 'private, no-store' });
  await expect(page.getByRole('row')).toHaveCount(51);
  expect(calls).toEqual([]);
});

test('a forged cookie or one of another portal redirects to the login and is cleared', async ({
  page,
  context,
  portal,
}) => {
  await context.addCookies([{ name: 'session', value: 'forged', url: portal.url }]);
  await page.goto('/pupils?page=2');
  await expect(page).toHaveURL(/\/login\?redirect=%2Fpupils%3Fpage%3D2$/);
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('session');
});

test('clicks, ticks, typing and choices before the scripts have loaded take effect afterwards', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  let release = await holdScripts(page);
  await page.goto('/school/add-readers', { waitUntil: 'commit' });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('x') });
  release();
  await expect(page.getByText(/photo\.png is not a CSV, TSV, TXT, XLS, XLSX or ODS file/)).toBeVisible();

  release = await holdScripts(page);
  await page.goto('/classes/2', { waitUntil: 'commit' });
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: 'Add existing pupils' }).click();
  release();
  await expect(page.getByRole('dialog').getByRole('searchbox')).toBeVisible();
  await expect(page.getByText(/^\d+ of \d+ selected$/)).toBeAttached();
});

// The embedded database runs in the portal's process, so it cannot be stopped alone.
if (process.env.E2E_DATABASE_URL)
  test('while the database is down a page returns 503 with a message, and recovers by itself', async ({
    logIn,
    portal,
  }) => {
    const page = await logIn(people.admin, '/account');
    await portal.setDatabaseAway!(true);
    try {
      const response = await page.goto('/pupils?search=owusu');
      expect(response!.status()).toBe(503);
      expect(response!.headers()).toMatchObject({ 'retry-after': '10', 'cache-control': 'no-store' });
      await expect(page).toHaveTitle(/^The portal is not available at the moment/);
      await expect(page.getByText('Everything you saved is safe.')).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      await page.getByRole('link', { name: 'Try again now' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('The portal is not available at the moment');
    } finally {
      await portal.setDatabaseAway!(false);
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pupils');
    await expect(page).toHaveURL(/\/pupils\?search=owusu$/);
    await expect(page.getByRole('link', { name: 'Abena Owusu-Mensah' })).toBeVisible();
  });

test('with server rendering turned off, guests’ pages work and lead to pages that the browser renders', async ({
  browser,
}) => {
  const portal = await startPortal({ SERVER_RENDERING: 'off' });
  const context = await browser.newContext({ baseURL: portal.url });
  try {
    const page = await context.newPage();
    await page.goto('/register');
    await page.getByRole('link', { name: 'Terms' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Terms and conditions' })).toBeVisible();
    await page.goto('/pupils');
    await expect(page).toHaveURL('/login?redirect=%2Fpupils');
    await submitLogin(page, people.admin, 'wrong');
    await expect(page.getByRole('alert').filter({ hasText: 'Login failed' })).toBeFocused();
    await submitLogin(page, people.admin);
    await expect(page).toHaveURL('/pupils');
    await expect(page.getByRole('row')).toHaveCount(51);
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  } finally {
    await context.close();
    await portal.stop();
  }
});
