import type { Page } from '@playwright/test';
import { paths } from '../web/src/paths.ts';
import { sampled } from './breadth.ts';
import { expect, expectAccessibleInBothSchemes, expectLoaded, people, test } from './portal.ts';
import { adminScreens, listenForComplaints, listenForReads } from './screen-list.ts';

/** These sign somebody in or out, or are behind a link that only a mail holds. */
const BEHIND_LINKS = /^\/(logout|token|setup|invite|invoices|confirm)\b/;

/** An address of each screen: ids of the demonstration school stand for its `:names`. */
const addresses = Object.values(paths)
  .map((build) => (build as (...ids: string[]) => string)(...[':one', ':two'].slice(0, build.length)).split('?')[0]!)
  .filter((path) => !BEHIND_LINKS.test(path))
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
 * Opens a page as the server draws it and waits until the browser has drawn the same; answers what the browser says
 * against it, and what it asks for that should have come with it.
 */
async function openDrawn(page: Page, path: string): Promise<string[]> {
  const complaints = listenForComplaints(page);
  const reads = listenForReads(page, path);
  const response = await page.goto(path);
  const drawn = (await response!.text()).includes('<div id="root"><');
  // The router takes the scrolling over when it is there.
  await page.waitForFunction(() => history.scrollRestoration === 'manual');
  await expectLoaded(page);
  return [...complaints.stop(), ...reads.stop(), ...(drawn ? [] : [`${path}: the server drew nothing`])];
}

/** These are opened by screens.spec.ts, which hears complaints too. */
const visitedElsewhere = new Set(adminScreens.map(([, path]) => path.split('?')[0]!.replaceAll(/\d+/g, '1')));
const oddities = ['/pupils?search=zzzz&page=3'];
/** A teacher finds most screens as an admin does; these differ. */
const ofTeacher = ['/', '/account', '/school', '/teachers', '/classes', '/classes/2', '/classes/2/books', '/pupils'];

for (const [role, visited] of [
  ['admin', [...addresses.filter((path) => !visitedElsewhere.has(path.replaceAll(/\d+/g, '1'))), ...oddities]],
  ['teacher', ofTeacher],
] as const)
  test(`screens come drawn for the ${role}, the browser draws the same, and asks for nothing more`, async ({
    logIn,
  }) => {
    const page = await logIn(people[role], '/account');
    const complaints: string[] = [];
    for (const path of sampled(visited))
      await test.step(path, async () => complaints.push(...(await openDrawn(page, path))));
    expect(complaints).toEqual([]);
  });

test('the document of a list has every row, and the browser requests nothing more', async ({ logIn }) => {
  const page = await logIn(people.admin, '/account');
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/v1/') && calls.push(request.url()));
  const response = await page.goto('/pupils');
  const html = await response!.text();
  expect(html.match(/<tr/g)).toHaveLength(1 + 50);
  // What checks forms is for those who open one.
  expect(html.match(/assets\/[a-z]+-/g)).toContain('assets/start-');
  expect(html).not.toContain('assets/forms-');
  expect(response!.headers()).toMatchObject({ 'cache-control': 'private, no-store' });
  await expect(page.getByRole('row')).toHaveCount(51);
  expect(calls).toEqual([]);
});

test('a forged or foreign cookie leads to the login and is taken back', async ({ page, context, portal }) => {
  await context.addCookies([{ name: 'session', value: 'forged', url: portal.url }]);
  await page.goto('/pupils?page=2');
  await expect(page).toHaveURL(/\/login\?redirect=%2Fpupils%3Fpage%3D2$/);
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('session');
});

test('two people on one browser, one after the other, see nothing of each other', async ({ logInByForm }) => {
  const page = await logInByForm(people.teacher);
  await page.goto('/pupils');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.goto('/logout');
  await expect(page).toHaveURL(/\/login/);
  await logInByForm(people.otherAdmin);
  const drawn = await (await page.goto('/classes'))!.text();
  expect(drawn).toContain('Otterbrook');
  expect(drawn).not.toContain('Willowbank');
  await expect(page.getByText('Willowbank')).toHaveCount(0);
});

test('what is pressed, ticked, typed and chosen before the scripts have come is done when they are there', async ({
  logIn,
}) => {
  const page = await logIn(people.admin, '/account');
  let release = () => undefined as void;
  let held: Promise<void>;
  const hold = () => {
    held = new Promise<void>((done) => (release = done));
  };
  hold();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/school/add-readers', { waitUntil: 'commit' });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('x') });
  release();
  await expect(page.getByText(/photo\.png is not a csv, xls or xlsx file/)).toBeVisible();

  hold();
  await page.goto('/classes/2', { waitUntil: 'commit' });
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: 'Add existing pupils' }).click();
  release();
  await expect(page.getByRole('dialog').getByRole('searchbox')).toBeVisible();
  await expect(page.getByText(/^\d+ of \d+ selected$/)).toBeAttached();
});

// The embedded database is in the portal's own process, and away only with it.
if (process.env.E2E_DATABASE_URL)
  test('while the database is away a page says so, with 503, and is there again by itself', async ({
    logIn,
    portal,
  }) => {
    const page = await logIn(people.admin, '/account');
    await portal.setDatabaseAway!(true);
    try {
      const response = await page.goto('/pupils?search=owusu');
      expect(response!.status()).toBe(503);
      expect(response!.headers()).toMatchObject({ 'retry-after': '10', 'cache-control': 'private, no-store' });
      await expect(page).toHaveTitle(/^The portal cannot be reached at the moment/);
      await expect(page.getByText('What you saved is safe.')).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      await page.getByRole('link', { name: 'Try again now' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('The portal cannot be reached at the moment');
    } finally {
      await portal.setDatabaseAway!(false);
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pupils');
    await expect(page).toHaveURL(/\/pupils\?search=owusu$/);
    await expect(page.getByRole('link', { name: 'Abena Owusu-Mensah' })).toBeVisible();
  });
