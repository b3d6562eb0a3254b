import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, it } from 'vitest';
import { accessCalls } from '#contract/calls/access.ts';
import type { GuestDocument, PageRequest } from '#contract/pages.ts';
import { createApp } from '../app.ts';
import { MAX_WAITING_REQUESTS } from '../http/shed-load.ts';
import { testApp } from '../testing/app.ts';
import { PASSWORD } from '../testing/builder.ts';
import { FORM, WITHOUT_DOCUMENTS } from '../testing/web-portal.ts';
import { readTemplate } from './page-template.ts';

const app = testApp({ TRUST_PROXY: '127.0.0.1' });

const TEMPLATE = readTemplate(
  '<html data-scheme="light"><head><title>Loading…</title><script type="module" crossorigin src="/assets/app.js"></script></head><body><div id="root"></div></body></html>',
  '{}',
  { 'index.html': { file: 'assets/app.js' }, 'src/entry-guest.ts': { file: 'assets/guest.js' } },
  String,
);

const pageOf = (text: string, more: Partial<Extract<GuestDocument, { kind: 'document' }>> = {}): GuestDocument => ({
  kind: 'document',
  title: 'Log in &amp; read',
  html: `<p>${text}</p>`,
  status: 200,
  description: '',
  isSignedIn: false,
  ...more,
});

/** What the web app answers to a form. */
let submit: (request: PageRequest, form: URLSearchParams) => Promise<GuestDocument>;
/** What the pages that were rendered for guests keep. */
const rendered: PageRequest[] = [];
let portal: FastifyInstance;
/** Settles to let the member's page go on. */
let memberPage: Promise<void> = Promise.resolve();

beforeAll(async () => {
  portal = await createApp(app.services, {
    ...WITHOUT_DOCUMENTS,
    folder: import.meta.dirname,
    template: TEMPLATE,
    scriptHashes: [],
    patternOf: (path) => path,
    isDocument: (path) => path !== '/pupils',
    formPaths: ['/login'],
    unavailablePage: { title: 'Away', html: '<h1>Away</h1>' },
    busyPage: { title: 'Busy', html: '<h1>Busy</h1>' },
    renderFilePage: async () => ({ title: 'File', html: '' }),
    renderPage: async ({ url }) => {
      if (url !== '/pupils') return pageOf(`Member at ${url}`, { isSignedIn: true });
      await memberPage;
      return { kind: 'guest' };
    },
    renderGuestPage: async (request) => {
      rendered.push(request);
      return pageOf(`Guest at ${request.url}`, {
        description: 'Log in here.',
        ...(request.kept?.step && { keep: { step: null } }),
      });
    },
    submitForm: (request, form) => submit(request, new URLSearchParams(form)),
  });
});

const open = (url: string, cookie = '') => portal.inject({ method: 'GET', url, headers: { cookie } });

const send = (fields: Record<string, string>, headers: Record<string, string> = {}, url = '/login') =>
  portal.inject({
    method: 'POST',
    url,
    headers: { ...FORM, ...headers },
    payload: new URLSearchParams(fields).toString(),
  });

/** Logs in by the call, as the login page does. */
const logIn = async ({ fetch }: PageRequest, form: URLSearchParams): Promise<GuestDocument> => {
  const body = Object.fromEntries(form);
  const { status, ok } = await fetch(`/v1${accessCalls.logIn.path}`, { method: 'POST', body });
  return ok
    ? { kind: 'redirect', to: '/pupils', keep: { step: null } }
    : pageOf('Login failed', { status, retryAfter: 7 });
};

it('a page without the app loads one script, and says whether its visitor is signed in', async () => {
  const { admin } = await app.build.school();
  const guest = await open('/login');
  expect(guest.body).toContain('<title>Log in &amp; read</title>');
  expect(guest.body).toContain('<div id="root"><p>Guest at /login</p></div>');
  expect(guest.body).toContain('<meta name="description" content="Log in here.">');
  expect([...guest.body.matchAll(/src="([^"]+)"/g)].map(([, url]) => url)).toEqual(['/assets/guest.js']);
  expect(guest.body).not.toContain('modulepreload');
  expect(guest.body).toContain('<html data-document="guest"');
  expect(guest.headers['cache-control']).toBe('no-store');
  const member = await open('/terms', `session=${admin.token}`);
  expect(member.body).toContain('<p>Member at /terms</p>');
  expect(member.body).toContain('<html data-document="user"');
  expect(member.headers['cache-control']).toBe('private, no-store');
});

it('a page without the app is rendered once, unless its visitor keeps something', async () => {
  rendered.length = 0;
  for (const cookie of ['', '', 'login-step=abc', 'invite=5', 'invite=5']) await open('/register', cookie);
  expect(rendered.map(({ kept }) => kept)).toEqual([{}, { step: 'abc' }, { invite: '5' }, { invite: '5' }]);
  const { headers } = await open('/register', 'login-step=abc');
  expect([headers['set-cookie']].flat()).toContainEqual(expect.stringMatching(/^login-step=; Max-Age=0/));
});

it('a form makes its call for the visitor, starts the session and redirects', async () => {
  submit = logIn;
  const { admin } = await app.build.school();
  const { statusCode, headers } = await send(
    { email: admin.email, password: PASSWORD },
    { 'user-agent': 'Mozilla/5.0' },
  );
  expect([statusCode, headers.location, headers['cache-control']]).toEqual([303, '/pupils', 'no-store']);
  const cookie = [headers['set-cookie']].flat().find((text) => text?.startsWith('session='));
  expect(cookie).toMatch(/^session=\w[^;]+; .*HttpOnly/);
  const me = await open('/v1/users/me', cookie?.split(';')[0]);
  expect(me.json()).toMatchObject({ user: { email: admin.email } });
});

it('a later call of a form uses the session that an earlier one has started', async () => {
  const { admin } = await app.build.school();
  const { admin: earlier } = await app.build.school();
  submit = async (request, form) => {
    await logIn(request, form);
    const { user } = (await (await request.fetch('/v1/users/me')).json()) as { user: { email: string } };
    return pageOf(`Logged in as ${user.email}`);
  };
  for (const cookie of ['', `session=${earlier.token}`]) {
    const { body } = await send({ email: admin.email, password: PASSWORD }, { cookie });
    expect(body).toContain(`<p>Logged in as ${admin.email}</p>`);
  }
});

it('a login by the form after a log out that did not arrive ends the earlier session, and its own stays', async () => {
  submit = logIn;
  const { admin } = await app.build.school();
  const { headers } = await send(
    { email: admin.email, password: PASSWORD },
    { cookie: `session=${admin.token}; log-out=1` },
  );
  // What a browser has stored after these, in order.
  const jar = new Map([headers['set-cookie']].flat().map((set) => set!.split(';')[0]!.split('=') as [string, string]));
  expect(jar.get('log-out')).toBe('');
  const statusOf = async (token: string) => (await open('/v1/users/me', `session=${token}`)).statusCode;
  expect([await statusOf(jar.get('session')!), await statusOf(admin.token)]).toEqual([200, 401]);
});

it('the script of a page gets the address to go to instead of a redirect', async () => {
  submit = logIn;
  const { admin } = await app.build.school();
  const accept = 'application/json, text/html';
  const { statusCode, body } = await send({ email: admin.email, password: PASSWORD }, { accept });
  expect([statusCode, JSON.parse(body)]).toEqual([200, { to: '/pupils' }]);
});

it('a form that fails is the page again, with the status of the call and no session', async () => {
  submit = logIn;
  const { statusCode, headers, body } = await send({ email: 'stranger@school.example', password: 'wrong' });
  expect([statusCode, headers['retry-after']]).toEqual([401, '7']);
  expect(body).toContain('<p>Login failed</p>');
  expect(headers['set-cookie']).toBeUndefined();
});

it('a form counts towards the limits of its call by the address of the visitor', async () => {
  submit = logIn;
  const tryFrom = async (address: string, index: number) =>
    (await send({ email: `user-${index}@school.example`, password: 'wrong' }, { 'x-forwarded-for': address }))
      .statusCode;
  for (let index = 0; index < 100; index++) await tryFrom('203.0.113.7', index);
  expect([await tryFrom('203.0.113.7', 100), await tryFrom('203.0.113.8', 101)]).toEqual([429, 401]);
});

it('what a page keeps is in cookies that no script can read', async () => {
  submit = async ({ kept }) => ({
    kind: 'redirect',
    to: '/next',
    keep: { step: '{"a":1}', invite: kept?.invite ? null : '5' },
  });
  const cookiesFor = async (cookie: string) => [(await send({}, { cookie })).headers['set-cookie']].flat();
  expect(await cookiesFor('')).toEqual([
    expect.stringMatching(/^invite=5; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax/),
    expect.stringMatching(/^login-step=%7B%22a%22%3A1%7D; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax/),
  ]);
  expect(await cookiesFor('invite=5')).toContainEqual(expect.stringMatching(/^invite=; Max-Age=0/));
});

it.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a sibling domain', { 'sec-fetch-site': 'same-site' }],
  ['a browser that names another origin', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
])('a form from %s is rejected', async (_, headers) => {
  submit = logIn;
  const { admin } = await app.build.school();
  const { statusCode, headers: reply } = await send({ email: admin.email, password: PASSWORD }, headers);
  expect([statusCode, reply['set-cookie']]).toEqual([403, undefined]);
});

it('a form that is too long is rejected, and an address without a form takes none', async () => {
  submit = logIn;
  expect((await send({ more: 'x'.repeat(40_000) })).statusCode).toBe(413);
  expect((await send({}, {}, '/terms')).statusCode).toBe(404);
});

it('while the portal is busy the login form is shown and sent', async () => {
  submit = logIn;
  const { admin } = await app.build.school();
  const { promise, resolve } = Promise.withResolvers<void>();
  memberPage = promise;
  const waiting = Array.from(
    { length: MAX_WAITING_REQUESTS },
    async () => (await open('/pupils', 'session=any')).statusCode,
  );
  expect((await open('/pupils', 'session=any')).statusCode).toBe(503);
  expect((await open('/login')).body).toContain('<p>Guest at /login</p>');
  expect((await send({ email: admin.email, password: PASSWORD })).statusCode).toBe(303);
  resolve();
  await Promise.all(waiting);
});
