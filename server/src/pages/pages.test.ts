import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.ts';
import { testApp } from '../testing/app.ts';
import { AppError } from '../errors.ts';
import { readTemplate } from './page-template.ts';
import { MAX_WAITING_REQUESTS } from '../http/shed-load.ts';
import { WITHOUT_DOCUMENTS } from '../testing/web-portal.ts';
import type { WebApp } from './web-app.ts';

const app = testApp({ TRUST_PROXY: '127.0.0.1' });

const TEMPLATE = readTemplate(
  '<html data-scheme="light"><head><title>Loading…</title><link rel="preload" href="/assets/font.woff2" as="font" crossorigin /><!--portal-config--><script type="module" crossorigin src="/assets/a.js"></script><link rel="stylesheet" crossorigin href="/assets/style-Ab1_-c.css"></head><body><div id="root"></div></body></html>',
  '{"productName":"</script>"}',
  {
    'index.html': { file: 'assets/a.js', imports: ['b', 'c', 'd'] },
    b: { file: 'assets/b.js' },
    // These two import each other.
    c: { file: 'assets/c.js', imports: ['b', 'd'] },
    d: { file: 'assets/d.js', imports: ['c'] },
    'src/PupilsPage.tsx': { file: 'assets/pupils.js', imports: ['b', 'e'] },
    e: { file: 'assets/e.js' },
  },
  (url) => `/* ${url} */p{content:'$&'}`,
);

/** Renders what the test specifies. */
let render: WebApp['renderPage'];
/** The URLs of pages that were rendered for guests. */
const renderedForGuests: string[] = [];
let portal: FastifyInstance;
/** Every request is rejected, as under too much load. */
let isBusy = false;
/** Every request that reached the server, with its client address. */
const seen: string[] = [];

beforeAll(async () => {
  const web: WebApp = {
    folder: import.meta.dirname,
    template: TEMPLATE,
    scriptHashes: [],
    patternOf: (path) => (path.startsWith('/pupils/') ? '/pupils/:id' : path.startsWith('/nonsense') ? '*' : path),
    unavailablePage: { title: 'Away', html: '<h1>Away</h1>' },
    busyPage: { title: 'Busy', html: '<h1>Busy</h1>' },
    renderFilePage: async ({ status, path }) => ({ title: 'File', html: `<h1>${status} ${path}</h1>` }),
    renderPage: (request) => render(request),
    ...WITHOUT_DOCUMENTS,
    renderGuestPage: async ({ url }) => {
      renderedForGuests.push(url);
      if (url.startsWith('/pupils')) return { kind: 'redirect', to: `/login?redirect=${encodeURIComponent(url)}` };
      return {
        kind: 'page',
        title: 'Log in &amp; read',
        html: `<p>Guests at ${url}</p>`,
        module: 'src/PupilsPage.tsx',
        description: url === '/login' ? 'Log in here.' : '',
      };
    },
  };
  portal = await createApp(app.services, web);
  portal.addHook('onRequest', async ({ url, ip }) => {
    seen.push(`${url} ${ip}`);
    if (isBusy) throw new AppError('unavailable', { retryAfter: 5 });
  });
});

const open = (url: string, headers: Record<string, string> = {}) => portal.inject({ method: 'GET', url, headers });

it.each([
  ['GET', { 'sec-purpose': 'prefetch;prerender' }, 503],
  ['GET', { purpose: 'prefetch' }, 503],
  ['HEAD', {}, 200],
] as const)(
  'a page that a browser only looks at, by %s with %j, makes no call for its user',
  async (method, headers, status) => {
    render = () => Promise.reject(new Error('no one sees it'));
    const url = '/pupils/5';
    const answer = await portal.inject({ method, url, headers: { cookie: 'session=any', ...headers } });
    expect([answer.statusCode, answer.body, answer.headers['cache-control']]).toEqual([
      status,
      '',
      'private, no-store',
    ]);
  },
);

it('GET of a page answers a guest the rendered page, with the files of its screen', async () => {
  render = () => Promise.reject(new Error('guests get their own page'));
  const { statusCode, headers, body } = await open('/login');
  expect(statusCode).toBe(200);
  expect(headers['cache-control']).toBe('no-store');
  expect(body).toContain('<title>Log in &amp; read</title>');
  expect(body).toContain('<div id="root"><p>Guests at /login</p></div>');
  expect(body).toContain('<meta name="description" content="Log in here.">');
  expect(body).toContain('href="/assets/pupils.js"');
  expect(body.match(/assets\/b\.js/g)).toHaveLength(1);
  expect(body).toContain('__PORTAL__={"productName":"\\u003c/script>"}');
});

it('GET of a guest’s page renders it once, unless the URL has a query or names something', async () => {
  renderedForGuests.length = 0;
  for (const url of [
    '/terms',
    '/terms',
    '/login?action=decline',
    '/login?action=decline',
    '/nonsense/1',
    '/nonsense/2',
  ])
    expect((await open(url)).body).toContain('<p>Guests at ');
  expect(renderedForGuests).toEqual(['/terms', '/login?action=decline', '/login?action=decline', '/nonsense/1']);
});

it('GET of a member’s page redirects a guest to the login', async () => {
  const { statusCode, headers } = await open('/pupils/7');
  expect([statusCode, headers.location]).toEqual([302, '/login?redirect=%2Fpupils%2F7']);
});

it('GET of a page with a session renders it by calls with the permissions and address of the visitor', async () => {
  const { admin } = await app.build.school();
  const answers: unknown[] = [];
  render = async ({ fetch, cookies, url }) => {
    const me = (await (await fetch('/v1/users/me')).json()) as { user: { id: number } };
    const other = await fetch('/v1/enterprises/999999');
    answers.push(me.user.id, other.status, cookies, url);
    return {
      kind: 'page',
      title: 'Pupils &amp; $& more',
      html: '<p>$1 rendered</p>',
      state: '<i></i>',
      module: undefined,
    };
  };
  const { headers, body } = await open('/pupils?search=ann', { cookie: `session=${admin.token}` });
  expect(answers).toEqual([admin.id, 404, `session=${admin.token}`, '/pupils?search=ann']);
  expect(headers).toMatchObject({ 'cache-control': 'private, no-store', vary: 'accept-encoding, cookie' });
  expect(body).toContain('<title>Pupils &amp; $& more</title>');
  expect(body).toContain('<div id="root"><p>$1 rendered</p></div><i></i>');
  expect(body.indexOf('src="/assets/a.js"')).toBeGreaterThan(body.indexOf('$1 rendered'));
});

it('the calls of a page have the address of its visitor from the proxy', async () => {
  const { admin } = await app.build.school();
  render = async ({ fetch }) => {
    await fetch('/v1/users/me');
    return { kind: 'redirect', to: '/' };
  };
  seen.length = 0;
  const cookie = `session=${admin.token}`;
  const { statusCode, headers } = await open('/pupils', { cookie, 'x-forwarded-for': '203.0.113.9' });
  expect(statusCode).toBe(302);
  expect(headers.location).toBe('/');
  expect(seen).toEqual(['/pupils 203.0.113.9', '/v1/users/me 203.0.113.9']);
});

it('a page uses the session that it began with, each call checks permissions, and the next page looks the session up again', async () => {
  const { id, admin, teacher } = await app.build.school();
  const cookie = `session=${teacher.token}`;
  let statuses: number[] = [];
  render = async ({ fetch }) => {
    const statusOf = async (url: string) => (await fetch(url)).status;
    statuses = [await statusOf('/v1/users/me')];
    await app.database.kysely.deleteFrom('sessions').where('user_id', '=', teacher.id).execute();
    statuses.push(await statusOf('/v1/users/me'), await statusOf(`/v1/enterprises/${id}/audit-log`));
    statuses.push(await statusOf('/v1/enterprises/999999'), await statusOf('/v1/admin/background-work'));
    return { kind: 'redirect', to: '/' };
  };
  await open('/', { cookie });
  expect(statuses).toEqual([200, 200, 403, 404, 403]);
  await open('/', { cookie });
  expect(statuses).toEqual([401, 401, 401, 401, 401]);
  await open('/', { cookie: `session=${admin.token}` });
  expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
});

it('GET of a rendered page runs independent libraries in tasks of their own, and leaves cyclic imports and the screen to the app', async () => {
  render = async () => ({
    kind: 'page',
    title: 'Pupils',
    html: '<p>Pupils</p>',
    state: '',
    module: 'src/PupilsPage.tsx',
  });
  const { body } = await open('/pupils', { cookie: 'session=any' });
  const filesOf = (pattern: RegExp) => [...body.matchAll(pattern)].map(([, file]) => file).toSorted();
  expect(filesOf(/<script type="module" crossorigin src="\/assets\/(\w+).js" async fetchpriority="low">/g)).toEqual([
    'a',
    'b',
  ]);
  expect(filesOf(/<link rel="modulepreload" crossorigin href="\/assets\/(\w+).js" fetchpriority="low">/g)).toEqual([
    'c',
    'd',
    'e',
    'pupils',
  ]);
  expect(body.indexOf('<p>Pupils</p>')).toBeLessThan(body.indexOf('/assets/b.js'));
});

it('GET of a server-rendered page requests the font after the style sheet, and blocks painting until its first view is parsed', async () => {
  for (const [cookie, style, html, painted] of [
    ['session=any; style=older', '<style>[^<]*</style>', '<p>Pupils</p>', 'page-state'],
    ['session=any; style=style-Ab1_-c', '<link rel="stylesheet"[^>]*>', '<p>Pupils</p>', 'page-state'],
    ['session=any; style=older', '<style>[^<]*</style>', '<p>A</p><div id="rest-of-page"></div>', 'rest-of-page'],
  ] as const) {
    render = async () => ({ kind: 'page', title: 'Pupils', html, state: '', module: undefined });
    const { body } = await open('/pupils', { cookie });
    expect(body.match(/as="font"/g)).toHaveLength(1);
    expect(body).toMatch(
      new RegExp(
        `${style}.*<link[^>]* as="font"[^>]*>.*<link rel="expect" href="#${painted}" blocking="render"></head>`,
      ),
    );
  }
});

it('GET of a rendered page contains the style sheet once, and prefetches it for later pages', async () => {
  render = async () => ({ kind: 'page', title: 'Pupils', html: '<p>Pupils</p>', state: '', module: undefined });
  const link = '<link rel="stylesheet" crossorigin href="/assets/style-Ab1_-c.css">';
  const first = await open('/pupils', { cookie: 'session=any; style=older' });
  expect(first.headers['set-cookie']).toMatch(
    /^style=style-Ab1_-c; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  expect(first.body).toContain("<style>/* /assets/style-Ab1_-c.css */p{content:'$&'}</style>");
  expect(first.body).not.toContain(link);
  expect(first.body).toMatch(
    /<p>Pupils<\/p>.*<link rel="prefetch" as="style" crossorigin href="\/assets\/style-Ab1_-c.css">/,
  );
  const second = await open('/pupils', { cookie: 'session=any; style=style-Ab1_-c' });
  expect(second.headers['set-cookie']).toBeUndefined();
  expect(second.body).toContain(link);
  expect(second.body).not.toMatch(/<style>|prefetch/);
  // A guest's page is the same for all, and caches the style sheet.
  const guests = await open('/login');
  expect(guests.body).toContain(link);
  expect(guests.headers['set-cookie']).toMatch(/^style=style-Ab1_-c;/);
});

it('GET of a page with a session that is over takes the cookie back and leads to the login', async () => {
  render = async () => ({ kind: 'guest' });
  const { statusCode, headers } = await open('/pupils', { cookie: 'session=forged' });
  expect(statusCode).toBe(302);
  expect(headers.location).toBe('/login?redirect=%2Fpupils');
  expect(headers['set-cookie']).toMatch(/^session=; Max-Age=0/);

  const login = await open('/login', { cookie: 'session=forged' });
  expect(login.statusCode).toBe(200);
  expect(login.headers['set-cookie']).toContainEqual(expect.stringMatching(/^session=; Max-Age=0/));
  expect(login.body).toContain('<p>Guests at /login</p>');
});

it('GET of a page answers 503 while the database is away, without scripts, and asks again by itself', async () => {
  render = async () => ({ kind: 'unavailable' });
  const { statusCode, headers, body } = await open('/pupils', { cookie: 'session=any' });
  expect(statusCode).toBe(503);
  expect(headers).toMatchObject({ refresh: '10', 'retry-after': '10', 'cache-control': 'no-store' });
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(body).toContain('<h1>Away</h1>');
  expect(body).not.toContain('type="module"');
});

it('GET of a page that fails answers a page, in the colour scheme of the visitor; a call answers JSON', async () => {
  render = () => Promise.reject(new Error('cannot render'));
  const page = await open('/pupils', { cookie: 'session=any; scheme=dark' });
  expect(page.statusCode).toBe(500);
  expect(page.body).toContain('<h1>Away</h1>');
  expect(page.body).toContain('data-scheme="dark"');
  expect(page.headers.refresh).toBe('10');
  isBusy = true;
  const [busy, call] = [await open('/login'), await open('/v1/users/me')];
  isBusy = false;
  expect([busy.statusCode, call.statusCode]).toEqual([503, 503]);
  expect(busy.headers).toMatchObject({ 'retry-after': '5', refresh: '10' });
  expect(busy.body).toContain('<h1>Away</h1>');
  expect(call.json()).toMatchObject({ error_type: 'server' });
});

it('GET of a page renders the colour scheme from the cookie', async () => {
  render = async () => ({ kind: 'page', title: 'Pupils', html: '<p></p>', state: '', module: undefined });
  const schemeOf = async (cookies: string) =>
    /data-scheme="(\w+)"/.exec((await open('/pupils', { cookie: `session=any${cookies}` })).body)?.[1];
  expect(await schemeOf('')).toBe('light');
  expect(await schemeOf('; scheme=dark')).toBe('dark');
  expect(await schemeOf('; scheme=dark"><script>')).toBe('light');
});

it('GET answers over 1 kB are compressed, and the answer to a change never is', async () => {
  const { admin, id } = await app.build.school({
    ownPupils: Array.from({ length: 30 }, (_, index) => `Pupil ${index}`),
  });
  const headers = { authorization: `Bearer ${admin.token}`, 'accept-encoding': 'gzip, br' };
  const list = await portal.inject({ method: 'GET', url: `/v1/enterprises/${id}/readers`, headers });
  expect(list.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(list.rawPayload).toString()).toContain('"name":"Pupil 29"');
  const payload = { readers: Array.from({ length: 30 }, (_, index) => ({ name: `New ${index}` })) };
  const preview = await portal.inject({
    method: 'POST',
    url: `/v1/enterprises/${id}/readers/preview`,
    headers,
    payload,
  });
  expect(preview.statusCode).toBe(200);
  expect(preview.rawPayload.length).toBeGreaterThan(1024);
  expect(preview.headers['content-encoding']).toBeUndefined();
  render = async () => ({ kind: 'page', title: 'Long', html: '<p>long</p>'.repeat(200), state: '', module: undefined });
  const page = await portal.inject({
    method: 'GET',
    url: '/pupils',
    headers: { cookie: 'session=any', 'accept-encoding': 'gzip, br' },
  });
  expect(page.headers['content-encoding']).toBe('br');
});

it('GET of an unknown address answers 404 with the page that says so, to guests and to people who are logged in', async () => {
  const { admin } = await app.build.school();
  render = async () => ({ kind: 'page', title: 'Not found', html: '<p>Not found</p>', state: '', module: undefined });
  const guest = await open('/nonsense');
  expect([guest.statusCode, guest.body.includes('<p>Guests at ')]).toEqual([404, true]);
  const member = await open('/nonsense?x=1', { cookie: `session=${admin.token}` });
  expect([member.statusCode, member.body.includes('<p>Not found</p>')]).toEqual([404, true]);
  expect((await open('/pupils', { cookie: `session=${admin.token}` })).statusCode).toBe(200);
});

it('GET of a page about a pupil who does not exist answers 404', async () => {
  render = async ({ url }) => ({
    kind: 'page',
    title: 'Pupil',
    html: '<p>Not found</p>',
    state: '',
    module: undefined,
    isMissing: url === '/pupils/999999',
  });
  const statusOf = async (url: string) => (await open(url, { cookie: 'session=any' })).statusCode;
  expect([await statusOf('/pupils/999999'), await statusOf('/pupils/29')]).toEqual([404, 200]);
});

it.each(['/.well-known/nothing', '/favicon.svg', '/humans.txt', '/openapi.json', '/wp-login.php', '/assets/gone.js'])(
  'GET %s answers 404 without a page, because the file does not exist',
  async (path) => {
    const { statusCode, headers } = await open(path);
    expect([statusCode, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  },
);

it('GET of the files that programs look for names the product, the contact for faults and the page with the password', async () => {
  const manifest = await open('/manifest.webmanifest');
  expect(manifest.headers['content-type']).toMatch(/^application\/manifest\+json/);
  expect(manifest.json()).toMatchObject({ name: 'Storylark', start_url: '/' });
  const security = await open('/.well-known/security.txt');
  expect(security.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(security.body).toMatch(/^Contact: mailto:support@storylark\.example\nExpires: \d{4}-\d\d-\d\dT[\d:.]+Z\n/);
  const expires = Date.parse(/Expires: (.*)/.exec(security.body)![1]!);
  expect(expires).toBeGreaterThan(app.services.clock.now().getTime());
  const passwords = await open('/.well-known/change-password');
  expect([passwords.statusCode, passwords.headers.location]).toEqual([302, '/account']);
});

it('while the portal is busy a page of a browser with a session says so, and guests get the login form', async () => {
  // One user’s pages would wait for each other instead.
  const headers = { cookie: 'session=any' };
  const rendered = Promise.withResolvers<Awaited<ReturnType<WebApp['renderPage']>>>();
  render = () => rendered.promise;
  const get = async () => (await open('/pupils', headers)).statusCode;
  const waiting = Array.from({ length: MAX_WAITING_REQUESTS }, get);
  const busy = await open('/pupils', headers);
  expect([busy.statusCode, busy.headers.refresh]).toEqual([503, '5']);
  expect(busy.body).toContain('<h1>Busy</h1>');
  expect((await open('/pupils')).headers.location).toBe('/login?redirect=%2Fpupils');
  expect((await open('/login')).body).toContain('<p>Guests at /login</p>');
  rendered.resolve({ kind: 'page', title: 'Pupils', html: '', state: '', module: undefined });
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => 200));
});

it.each([
  ['a page', '/login'],
  ['an unknown page', '/nonsense'],
  ['a redirect', '/index.html'],
  ['a file of the web app', '/pages.test.ts'],
  ['a call', '/v1/health'],
  ['a call without a session', '/v1/users/me'],
  ['an unknown call', '/v1/nonsense'],
  ['the API reference', '/v1/docs'],
  ['the OpenAPI document', '/v1/openapi.json'],
  ['a missing file', '/favicon.ico'],
  ['the manifest', '/manifest.webmanifest'],
  ['the contact for faults', '/.well-known/security.txt'],
  ['the way to the password', '/.well-known/change-password'],
  ['a missing cover', '/content/covers/999999?width=100'],
  ['an address that cannot be read', '/v1/%ff'],
  ['metrics', '/metrics'],
])('%s says how long it may be cached, and that no device may be used', async (_, url) => {
  const { headers } = await open(url);
  expect(headers['cache-control']).toMatch(/no-store|no-cache|max-age/);
  expect(headers['permissions-policy']).toContain('camera=()');
  expect(headers['x-content-type-options']).toBe('nosniff');
});
