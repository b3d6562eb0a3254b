import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
  type WebError,
} from '@playwright/test';
import { type Portal, startPortal } from './server.ts';

export const PASSWORD = 'reading-1';
/** Users of the demonstration schools, which journeys do not change. */
export const people = {
  admin: 'head@willowbank.example',
  teacher: 'teacher@willowbank.example',
  otherAdmin: 'head@otherschool.example',
} as const;

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

export interface Fixtures {
  /** Opens a page as a logged-in user, with a session cookie and an otherwise empty browser. */
  logIn: (email: string, path?: string) => Promise<Page>;
  /** Logs in with the form, for journeys that end the session. */
  logInByForm: (email: string) => Promise<Page>;
}

interface WorkerFixtures {
  /** The copy of the demonstration schools; files that change them declare `test.use({ demoCopy: 'changed' })`. */
  demoCopy: string;
  portal: Portal;
  /** Session cookies by email address. */
  sessions: Map<string, Cookies>;
  /** By time zone; '' is the machine's. */
  browserContexts: Map<string, BrowserContext>;
}

/** The CPU slowdown of the browser; 1 by default. */
const SLOWDOWN = Number(process.env.CPU_THROTTLE ?? 1);

/** Fills in and submits the login form of the current page. */
export async function submitLogin(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Logs a user in with the form. */
export async function fillLogin(page: Page, email: string, url = ''): Promise<void> {
  await page.goto(`${url}/login`);
  await submitLogin(page, email);
  await expect(page).not.toHaveURL(/\/login/);
  await expect(page.getByRole('banner')).toBeVisible();
}

/*
 * A document of the site clears its own storage. If the browser cleared it from outside, the storage event could reach
 * the next page after it had stored its session, and end that session. Playwright's own `setStorageState` answers requests in the server's place meanwhile,
 * after which the open pages load everything without the browser's cache.
 */
async function clearStorage(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/robots.txt`);
  await page.evaluate(() => localStorage.clear());
}

/** The text on the screen after a failed journey, or a note that the page no longer responds. */
const describePage = (page: Page): Promise<string> =>
  page
    .locator('body')
    .ariaSnapshot({ timeout: 5_000 })
    .catch((error: Error) => `The page does not answer: ${error.message}`);

/** Gives each journey its worker's portal, and a page for the user it logs in. */
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
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the requested fixtures from this pattern
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
  // A worker's journeys share a browser context, without the cookies, storage, pages and routes of earlier ones. Only the
  // cache remains: a new context would load and compile the scripts again.
  context: async ({ browser, browserContexts, baseURL, timezoneId: wanted, hasTouch, viewport }, use, testInfo) => {
    const timezoneId = wanted ?? '';
    const options = { baseURL, hasTouch, viewport, ...(timezoneId && { timezoneId }) };
    const context = browserContexts.get(timezoneId) ?? (await browser.newContext(options));
    browserContexts.set(timezoneId, context);
    await context.clearCookies();
    const thrown: string[] = [];
    const note = (thrownBy: WebError) => thrown.push(`${thrownBy.page()?.url()}: ${thrownBy.error().stack}`);
    context.on('weberror', note);
    await use(context);
    context.off('weberror', note);
    // Also errors from which React recovers, such as hydration mismatches.
    expect.soft(thrown, 'uncaught errors in pages').toEqual([]);
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
      // The previous user's cookie is removed from the browser; their session continues.
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

/** Ticks a box, and waits for a page that is still starting to react. */
export async function tickBox(box: Locator): Promise<void> {
  if (!(await box.isChecked())) await box.click();
  await expect(box).toBeChecked();
}

/** Another browser at the portal, with its own cookies. Close its context at the end. */
export const openBrowser = async (browser: Browser, portal: Portal): Promise<Page> =>
  (await browser.newContext({ baseURL: portal.url })).newPage();

/** The token in the page's session cookie. */
export const sessionToken = async (page: Page): Promise<string> =>
  (await page.context().cookies()).find(({ name }) => name === 'session')?.value ?? '';

/** Presses a button or link that downloads a file. */
export async function saveFile(page: Page, button: Locator): Promise<{ name: string; content: Buffer }> {
  const download = page.waitForEvent('download');
  await button.click();
  const file = await download;
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
}

/** Saves a file, and fails unless it is a PDF. Returns its name. */
export async function savePdf(page: Page, button: Locator): Promise<string> {
  const { name, content } = await saveFile(page, button);
  expect(content.subarray(0, 5).toString()).toBe('%PDF-');
  return name;
}

/** Pastes text into a field, as from a spreadsheet. */
export const pasteText = (field: Locator, text: string): Promise<void> =>
  field.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

/** Delays a page's scripts until the returned function is called, as on a slow connection. */
export async function holdScripts(page: Page, url: string | RegExp = '**/assets/*.js'): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, (route) => promise.then(() => route.continue()));
  return resolve;
}

/** Opens a menu by its label and clicks one of its buttons. */
export async function chooseFrom(page: Page, menu: string, action: string): Promise<void> {
  await page.getByLabel(menu, { exact: true }).click();
  await page.getByRole('button', { name: action, exact: true }).click();
}

/** An API token, for preparing or checking data. */
export async function tokenOf(portal: Portal, email: string): Promise<string> {
  const response = await fetch(`${portal.url}/v1/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { meta } = (await response.json()) as { meta: { token: string } };
  return meta.token;
}

/** Calls the API with a token, and fails unless the call succeeds. */
export async function callApi<T = unknown>(
  portal: Portal,
  method: 'GET' | 'POST' | 'DELETE',
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

/** A school without an address; accepts the terms by default. `buildSchool` makes a complete school. */
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

/** Decodes the quoted-printable text of an email. */
export function readMail(mail: string): string {
  const headersEnd = mail.search(/\r?\n\r?\n/);
  const headers = mail.slice(0, headersEnd).replace(/\r?\n(?=[ \t])/g, '');
  return (headers + mail.slice(headersEnd))
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Waits for an email to the address with a link that starts with the path, and returns the newest link. */
export async function mailedLink(portal: Portal, email: string, path: string): Promise<string> {
  const outbox = join(portal.folder, 'outbox');
  const pattern = new RegExp(`${portal.url}${path}[\\w/?=-]+`);
  const findLink = () => {
    let names: string[] = [];
    try {
      names = readdirSync(outbox)
        .filter((name) => name.endsWith('.eml'))
        .sort()
        .toReversed();
    } catch {
      // The first email creates the folder.
    }
    const mails = names
      .map((name) => readMail(readFileSync(join(outbox, name), 'utf8')))
      .filter((mail) => mail.toLowerCase().includes(`to: ${email.toLowerCase()}`));
    return mails.map((mail) => pattern.exec(mail)?.[0]).find(Boolean);
  };
  await expect.poll(findLink, { message: `a mail to ${email} with a link to ${path}` }).toBeTruthy();
  return findLink()!;
}

/** Confirms an account's address with the emailed link. Until then, its emails to others are held. */
export async function confirmAddress(portal: Portal, email: string): Promise<void> {
  const token = (await mailedLink(portal, email, '/confirm/email/')).split('/').at(-1);
  await callApi(portal, 'POST', '/users/email/confirm', { token });
}

/** Waits until the page has finished loading. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy="true"], [role="progressbar"]')).toHaveCount(0);
}

/**
 * The last 30 days as a query string. On the first day of a month, the usual range of the screens, the current month, has
 * no reading yet.
 */
export function recentDays(): string {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return `from=${day(29)}&to=${day(0)}`;
}

/** Waits until the page's scripts handle links; before that the browser follows them itself. */
export const expectListening = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => (window as { earlyInput?: unknown }).earlyInput === undefined)).toBe(true);

/** In ASCII, which halves its size and the time to inject it. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8').replaceAll(
  /[^\0-\x7f]/g,
  (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

/** Adds axe to the page as a script, so that the browser caches its compiled code for later pages. */
async function injectAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in globalThis)) return;
  const session = await page.context().newCDPSession(page);
  // Without this axe would store the HTML of every element that it checks.
  await session.send('Runtime.evaluate', { expression: `${axeSource};axe.configure({ noHtml: true })` });
  await session.detach();
}

/** The axe rules that depend on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface AxeOptions {
  /** The rules to run; all by default. */
  rules?: string[] | undefined;
  /** A selector of the part to check; the whole page by default. */
  part?: string | undefined;
}

/** Fails when axe finds a violation of WCAG 2.2 AA or of good practice in the current state of the page. */
export async function expectAccessible(page: Page, { rules, part }: AxeOptions = {}): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await injectAxe(page);
  const found = await page.evaluate(
    async ({ only, selector }) => {
      // Contrast cannot be checked during a transition. Endless animations cannot finish.
      for (const animation of document.getAnimations())
        if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
      // None of these rules needs axe to load style sheets or videos again.
      const options = { resultTypes: ['violations' as const], preload: false, elementRef: true };
      const { violations } = await axe.run(selector ?? document, { ...options, ...(only && { runOnly: only }) });
      return violations.map(
        ({ id, help, nodes }) =>
          `${id}: ${help}\n${nodes.map(({ element }) => `    ${element?.outerHTML.slice(0, 160)}`).join('\n')}`,
      );
    },
    { only: rules, selector: part },
  );
  expect.soft(found, `axe on ${page.url()}`).toEqual([]);
}

/** Checks the page in light and then dark mode. In dark mode only colours, because the document is the same. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, { rules: COLOUR_RULES });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Checks the page in dark mode with all rules. */
export async function expectAccessibleInTheDark(page: Page, part?: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, { part });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Checks a part of the page on a desktop in light mode and on a phone in dark mode. */
export async function expectPartAccessible(page: Page, part: string): Promise<void> {
  await expectAccessible(page, { part });
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 375, height: 800 });
  await expectAccessibleInTheDark(page, part);
  await page.setViewportSize(size);
}

export { expect };
