import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type BrowserContext, test as base, expect, type Locator, type Page, type WebError } from '@playwright/test';
import { type Portal, startPortal } from './server.ts';

export const PASSWORD = 'reading-1';
/** People of the demonstration schools, which a journey looks at and does not change. */
export const people = {
  admin: 'head@willowbank.example',
  teacher: 'teacher@willowbank.example',
  otherAdmin: 'head@otherschool.example',
} as const;

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

export interface Fixtures {
  /** Opens a page as somebody who is logged in already: with the cookie of a session, and nothing else that a browser keeps. */
  logIn: (email: string, path?: string) => Promise<Page>;
  /** Logs somebody in by the form, for journeys in which the session ends. */
  logInByForm: (email: string) => Promise<Page>;
}

interface WorkerFixtures {
  /** Names the copy of the demonstration schools; a file whose journeys change them says `test.use({ demoCopy: 'changed' })`. */
  demoCopy: string;
  portal: Portal;
  /** The cookies of who has logged in, by email. */
  sessions: Map<string, Cookies>;
  /** By their time zone; '' is the machine's. */
  browserContexts: Map<string, BrowserContext>;
}

/** How many times slower than this machine the browser computes; 1 when absent. */
const SLOWDOWN = Number(process.env.CPU_THROTTLE ?? 1);

/** Logs somebody in by the form. */
export async function fillLogin(page: Page, email: string, url = ''): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).not.toHaveURL(/\/login/);
  await expect(page.getByRole('banner')).toBeVisible();
}

/*
 * Playwright's own `setStorageState` answers requests in the server's place meanwhile, after which the open pages load
 * everything without the browser's cache.
 */
async function clearStorage(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  await session.detach();
}

/** What a failed journey leaves on the screen, or that the page answers nobody any more. */
const describePage = (page: Page): Promise<string> =>
  page
    .locator('body')
    .ariaSnapshot({ timeout: 5_000 })
    .catch((error: Error) => `The page does not answer: ${error.message}`);

/** A journey has the portal of its worker, and a page for whoever it logs in. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  demoCopy: ['unchanged', { scope: 'worker', option: true }],
  portal: [
    async ({ demoCopy: _ }, use) => {
      const portal = await startPortal();
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  sessions: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are wanted from this pattern
    async ({}, use) => use(new Map()),
    { scope: 'worker' },
  ],
  browserContexts: [
    // oxlint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      const contexts = new Map<string, BrowserContext>();
      await use(contexts);
      for (const context of contexts.values()) await context.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ portal }, use) => use(portal.url),
  // The journeys of a worker are one browser's, each without cookies, storage, pages and routes of those before:
  // only the cache is kept, as a browser keeps it. A new context would load and compile the scripts again.
  context: async ({ browser, browserContexts, baseURL, timezoneId: wanted }, use, testInfo) => {
    const timezoneId = wanted ?? '';
    const kept = browserContexts.get(timezoneId);
    const context = kept ?? (await browser.newContext({ baseURL, ...(timezoneId && { timezoneId }) }));
    browserContexts.set(timezoneId, context);
    await context.clearCookies();
    const thrown: string[] = [];
    const note = (thrownBy: WebError) => thrown.push(`${thrownBy.page()?.url()}: ${thrownBy.error().stack}`);
    context.on('weberror', note);
    await use(context);
    context.off('weberror', note);
    // Also what React recovers from, such as a drawing of the server's that is not the browser's.
    expect.soft(thrown, 'what the pages threw and nobody caught').toEqual([]);
    if (testInfo.status !== testInfo.expectedStatus)
      for (const page of context.pages())
        await testInfo.attach(page.url(), { body: await describePage(page), contentType: 'text/plain' });
    for (const page of context.pages()) await page.close();
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  },
  page: async ({ page, context, baseURL }, use) => {
    await clearStorage(page, baseURL!);
    if (SLOWDOWN > 1) {
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    }
    await use(page);
  },
  logInByForm: async ({ page }, use) => {
    await use(async (email) => {
      await fillLogin(page, email);
      return page;
    });
  },
  logIn: async ({ page, context, baseURL: origin, sessions }, use) => {
    await use(async (email, path = '/') => {
      // Whoever was logged in on this page before is not any more; the session itself goes on.
      await context.clearCookies();
      await clearStorage(page, origin!);
      const session = sessions.get(email);
      if (session) await context.addCookies(session);
      else {
        const login = { headers: { origin: origin! }, data: { email, password: PASSWORD } };
        await expect(await context.request.post('/v1/auth', login)).toBeOK();
        sessions.set(email, await context.cookies());
      }
      await page.goto(path);
      await expect(page.getByRole('banner')).toBeVisible();
      return page;
    });
  },
});

/** Ticks a box, which may take until the app of a page that starts has caught up. */
export async function tickBox(box: Locator): Promise<void> {
  if (!(await box.isChecked())) await box.click();
  await expect(box).toBeChecked();
}

/** Opens a menu by its label and presses one of its buttons. */
export async function chooseFrom(page: Page, menu: string, action: string): Promise<void> {
  await page.getByLabel(menu, { exact: true }).click();
  await page.getByRole('button', { name: action, exact: true }).click();
}

/** A token of the API, for what a journey prepares or checks behind the screen. */
export async function tokenOf(portal: Portal, email: string): Promise<string> {
  const response = await fetch(`${portal.url}/v1/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { meta } = (await response.json()) as { meta: { token: string } };
  return meta.token;
}

/** A call of the API by the holder of a token; fails unless it succeeds. */
export async function callApi<T = unknown>(
  portal: Portal,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  token?: string,
): Promise<T> {
  const response = await fetch(`${portal.url}/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.ok, `${method} ${path}: ${text}`).toBe(true);
  return JSON.parse(text || '{}') as T;
}

/** A school without an address; its terms are accepted unless told otherwise. `buildSchool` makes a whole one. */
export async function registerSchool(portal: Portal, email: string, { hasTerms = true } = {}): Promise<void> {
  const account = { first_name: 'Olive', last_name: 'Oak', email, password: PASSWORD };
  const { meta } = await callApi<{ meta: { token: string } }>(portal, 'POST', '/users', account);
  const school = { name: 'Oak Row Primary', type: 'school' };
  const { enterprise } = await callApi<{ enterprise: { id: number } }>(
    portal,
    'POST',
    '/enterprises',
    school,
    meta.token,
  );
  if (!hasTerms) return;
  await callApi(portal, 'POST', `/enterprises/${enterprise.id}/terms/accept`, undefined, meta.token);
  await callApi(portal, 'POST', `/enterprises/${enterprise.id}/subscriptions/trial`, {}, meta.token);
}

/** The text of a mail as it travels, its lines put together again. */
export function readMail(mail: string): string {
  const headersEnd = mail.search(/\r?\n\r?\n/);
  const headers = mail.slice(0, headersEnd).replace(/\r?\n(?=[ \t])/g, '');
  return (headers + mail.slice(headersEnd))
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Waits for a mail to the address with a link that begins with the path, and answers the newest such link. */
export async function mailedLink(portal: Portal, email: string, path: string): Promise<string> {
  const outbox = join(portal.folder, 'outbox');
  const pattern = new RegExp(`${portal.url}${path}[\\w/?=-]+`);
  const find = () => {
    let names: string[] = [];
    try {
      names = readdirSync(outbox)
        .filter((name) => name.endsWith('.eml'))
        .sort()
        .toReversed();
    } catch {
      // The first mail makes the folder.
    }
    const mails = names
      .map((name) => readMail(readFileSync(join(outbox, name), 'utf8')))
      .filter((mail) => mail.toLowerCase().includes(`to: ${email.toLowerCase()}`));
    return mails.map((mail) => pattern.exec(mail)?.[0]).find(Boolean);
  };
  await expect.poll(find, { message: `a mail to ${email} with a link to ${path}`, timeout: 15_000 }).toBeTruthy();
  return find()!;
}

/** Confirms the address of an account by the link mailed to it. What it sends to others waits until then. */
export async function confirmAddress(portal: Portal, email: string): Promise<void> {
  const token = (await mailedLink(portal, email, '/confirm/email/')).split('/').at(-1);
  await callApi(portal, 'POST', '/users/email/confirm', { token });
}

/** Waits until nothing on the page is loading any more. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy="true"], [role="progressbar"]')).toHaveCount(0);
}

/** Waits until the scripts of a page have taken it over: before that a link is followed by the browser itself. */
export const expectListening = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => (window as { earlyInput?: unknown }).earlyInput === undefined)).toBe(true);

/** In ASCII, which takes half the room and time on its way to the page. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8').replaceAll(
  /[^\0-\x7f]/g,
  (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

/** Puts axe into the page as a script, whose code the browser keeps for the pages that follow. */
async function injectAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in globalThis)) return;
  const session = await page.context().newCDPSession(page);
  // Of each part that it looks at it would write down the HTML; what is found wrong is shown from the page itself.
  await session.send('Runtime.evaluate', { expression: `${axeSource};axe.configure({ noHtml: true })` });
  await session.detach();
}

/** The rules of axe whose outcome colours can change. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface AxeOptions {
  /** The rules that are asked; all when absent. */
  rules?: string[] | undefined;
  /** A selector of the parts that are judged; the whole page when absent. */
  within?: string | undefined;
}

/** Fails when axe finds anything against WCAG 2.2 AA or good practice on the page as it is now. */
export async function expectAccessible(page: Page, { rules, within }: AxeOptions = {}): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await injectAxe(page);
  const found = await page.evaluate(
    async ({ only, part }) => {
      // Half-way between two colours there is no contrast to judge. What turns for ever has no end.
      for (const animation of document.getAnimations())
        if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
      // Nothing of what is asked here needs style sheets or films a second time.
      const options = { resultTypes: ['violations' as const], preload: false, elementRef: true };
      const { violations } = await axe.run(part ?? document, { ...options, ...(only && { runOnly: only }) });
      return violations.map(
        ({ id, help, nodes }) =>
          `${id}: ${help}\n${nodes.map(({ element }) => `    ${element?.outerHTML.slice(0, 160)}`).join('\n')}`,
      );
    },
    { only: rules, part: within },
  );
  expect.soft(found, `axe on ${page.url()}`).toEqual([]);
}

/** The page as it is, in the light and then in the dark. Of the dark only colours are judged: the document is the same. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, { rules: COLOUR_RULES });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** The page as it is, all of it in the dark. */
export async function expectAccessibleInTheDark(page: Page, within?: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, { within });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** A part of the page, on a desktop in the light and on a phone in the dark. */
export async function expectPartAccessible(page: Page, within: string): Promise<void> {
  await expectAccessible(page, { within });
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 375, height: 800 });
  await expectAccessibleInTheDark(page, within);
  await page.setViewportSize(size);
}

export { expect };
