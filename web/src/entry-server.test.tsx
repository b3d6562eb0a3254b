import { expect, it, vi } from 'vitest';
import { screens } from './routes.tsx';
import { makeClass, makeSchool, makeUser } from './testing/make-school.ts';
import { renderFilePage, renderGuestPage, renderPage, renderUnavailablePage } from './entry-server.tsx';

// Read when the module loads: an earlier file of the worker may have loaded it without server rendering.
vi.hoisted(() => vi.resetModules());
vi.mock('./shared/product.ts', async (original) => ({ ...(await original<object>()), HAS_SERVER_RENDERING: true }));

const PUPILS = 40;

interface Person {
  id: number;
  schoolId: number;
}
/** No two users and no two schools share a word. */
const nameOf = ({ id }: Person) => `Person${id}x`;
const schoolOf = (schoolId: number) => `School${schoolId}x`;
const pupilOf = (schoolId: number, index: number) => `Pupil${schoolId}x${index}x`;
const people = Array.from({ length: 10 }, (_, index): Person => ({ id: index + 1, schoolId: 1 + (index % 2) }));

const user = (person: Person) => ({
  id: person.id,
  full_name: nameOf(person),
  user_type: 'enterprise',
  enterprise_id: person.schoolId,
  enterprise: { id: person.schoolId, name: schoolOf(person.schoolId), terms_accepted_at: '2026-01-01T00:00:00Z' },
  enterprise_user_role: 'teacher',
  role: 'teacher',
  memberships: [],
  covers: [],
  require_password_reset: false,
});
const school = ({ id, schoolId }: Person) => ({
  id: schoolId,
  name: schoolOf(schoolId),
  user_manages: false,
  groups: [
    {
      id: 7,
      name: `Class${id}x`,
      readers_count: PUPILS,
      assigned_book_count: 0,
      year_groups: [],
      manager: null,
      manager_id: null,
      teachers: [],
      assistants: [],
    },
  ],
  users: [],
  contacts: [],
  setup: { has_chart_data: true },
  subscription: null,
  access: 'open',
  features: [],
});
const pupils = ({ schoolId }: Person) =>
  Array.from({ length: PUPILS }, (_, index) => ({
    id: schoolId * 1000 + index,
    name: pupilOf(schoolId, index),
    username: `user-${pupilOf(schoolId, index)}`,
    group: null,
    can_update: false,
    last_read_at: '2026-11-01T10:00:00Z',
  }));

/** The calls of one user. Each call takes a different time, so that many pages are in progress at once. */
const fetchAs = (person: Person | null) => async (address: string) => {
  for (let turns = address.length % 7; turns >= 0; turns--) await new Promise((done) => setImmediate(done));
  const body = !person
    ? { error: 'Unauthorised', error_type: 'authentication' }
    : address === '/v1/users/me'
      ? { user: user(person) }
      : address.includes('/readers')
        ? { readers: pupils(person), meta: { total: PUPILS, total_filtered: PUPILS, page: 1, per_page: 50 } }
        : { enterprise: school(person) };
  return Response.json(body, { status: person ? 200 : 401 });
};

const NOW = Date.parse('2026-11-18T12:00:00Z');
const renderUrl = (url: string, fetch: (address: string) => Promise<Response>, cookies = '') =>
  renderPage({ url, cookies, fetch, now: NOW });

const openAsGuest = (url: string) => renderGuestPage({ url, cookies: '', fetch: fetchAs(null), now: NOW });

it('renders 200 pages at once for ten users of two schools, none with another user’s data', async () => {
  const rendered = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const person = people[index % people.length]!;
      const isList = index % 3 > 0;
      return { person, isList, page: await renderUrl(isList ? '/pupils' : '/classes', fetchAs(person)) };
    }),
  );
  for (const { person, isList, page } of rendered) {
    if (page.kind !== 'page') return expect.unreachable();
    expect(page.error).toBeUndefined();
    const text = page.html + page.state + page.title;
    const words = new Set(text.match(/\b(?:Person|School|Class|Pupil)\d+x/g));
    const own = [`Class${person.id}x`, nameOf(person), schoolOf(person.schoolId)];
    expect([...words].sort()).toEqual([...own, ...(isList ? [`Pupil${person.schoolId}x`] : [])].sort());
  }
});

it('renders every row of a table in its place in the document', async () => {
  const page = await renderUrl('/pupils', fetchAs(people[0]!));
  if (page.kind !== 'page') return expect.unreachable();
  expect(new Set(page.html.match(/href="\/pupils\/\d+"/g)).size).toBe(PUPILS);
  // No part is hidden until a script moves it into place.
  expect(page.html).not.toMatch(/<template|<div hidden/);
  expect(page.title).toMatch(/^Pupils –/);
  expect(page.html).not.toContain('<title>');
  expect(page.state).toContain(pupilOf(1, PUPILS - 1));
});

it('renders with the preferences in the cookie and the server’s date', async () => {
  const request: string[] = [];
  const fetch = (address: string) => {
    request.push(address);
    return fetchAs(people[0]!)(address);
  };
  const preferences = encodeURIComponent('{"rows":25,"range":"Last 7 days"}');
  await renderUrl('/pupils?sort=-name&groups=all', fetch, `preferences=${preferences}`);
  await renderUrl('/pupils/5', fetch, `preferences=${preferences}`);
  expect(request).toContain('/v1/enterprises/1/readers?page=1&per_page=25&sort[name]=desc');
  expect(request.some((address) => address.includes('start_time=2026-11-12T00%3A00%3A00.000Z'))).toBe(true);
});

it.each([
  ['/pupils?page=2', '/login?redirect=%2Fpupils%3Fpage%3D2'],
  ['/', '/login'],
])('redirects a visitor without a session from %s to %s', async (url, to) => {
  expect(await renderUrl(url, fetchAs(null))).toEqual({ kind: 'guest' });
  expect(await openAsGuest(url)).toEqual({ kind: 'redirect', to });
});

it.each([
  ['/nowhere', /^Page not found –/, 'Go to main page'],
  ['/setup/none', /^Set up your account –/, '<h1'],
  ['/login/enrolment', /^One more step –/, 'need JavaScript'],
])('renders %s for a visitor without a session', async (url, title, text) => {
  const page = await openAsGuest(url);
  if (page.kind !== 'page' && page.kind !== 'document') return expect.unreachable();
  expect(page.error).toBeUndefined();
  expect(page.title).toMatch(title);
  expect(page.html).toContain(text);
});

it.each([
  ...screens.filter(({ frame }) => frame === 'main').map(({ path }) => path.replaceAll(/:\w+\??|\*/g, '7')),
  '/classes/7?add=existing',
])('renders %s without an error, and without waiting for a script', async (url) => {
  const page = await renderUrl(url, async (address) => {
    if (address === '/v1/users/me') return Response.json({ user: makeUser() });
    if (/\/groups\/7\b[^/]*$/.test(address)) return Response.json({ group: makeClass({ id: 7, user_manages: true }) });
    return address.startsWith('/v1/enterprises/7?')
      ? Response.json({ enterprise: makeSchool() })
      : Response.json({ error_type: 'not_found' }, { status: 404 });
  });
  if (page.kind !== 'page') return expect(page).toEqual({ kind: 'redirect', to: '/' });
  expect(page.error).toBeUndefined();
  expect(page.html).not.toBe('');
});

it('reports a pupil who does not exist, and only on pages about something', async () => {
  const fetch = (address: string) =>
    address.includes('/readers')
      ? Promise.resolve(Response.json({ error: 'Not found', error_type: 'not_found' }, { status: 404 }))
      : fetchAs(people[0]!)(address);
  expect(await renderUrl('/pupils/999999', fetch)).toMatchObject({ kind: 'page', isMissing: true });
  expect(await renderUrl('/pupils', fetch)).toMatchObject({ kind: 'page', isMissing: false });
  expect(await renderUrl('/pupils', fetchAs(people[0]!))).toMatchObject({ kind: 'page', isMissing: false });
});

it('leaves a page that the server cannot render to the browser, with its data and the reason', async () => {
  const fetch = async (address: string) =>
    address.includes('/readers') ? Response.json({ readers: [null], meta: {} }) : fetchAs(people[0]!)(address);
  const page = await renderUrl('/pupils', fetch);
  expect(page).toMatchObject({ kind: 'page', html: '', error: expect.any(TypeError) as Error });
  expect(page).toHaveProperty('state', expect.stringContaining(schoolOf(1)));
  expect(page).toHaveProperty('title', 'Storylark');
});

it('redirects a signed-in user from the login to the dashboard, and a teacher from an admin’s screen', async () => {
  expect(await renderUrl('/login', fetchAs(people[0]!))).toEqual({ kind: 'redirect', to: '/' });
  expect(await renderUrl('/add-teacher', fetchAs(people[0]!))).toEqual({ kind: 'redirect', to: '/' });
});

it.each(['/v1/users/me', '/v1/enterprises/1?include=invoices'])(
  'reports that the portal is unavailable while %s answers 503',
  async (broken) => {
    const fetch = (address: string) =>
      address === broken
        ? Promise.resolve(Response.json({ error: 'Away', error_type: 'server' }, { status: 503 }))
        : fetchAs(people[0]!)(address);
    const page = await renderUrl('/pupils?search=a"b', fetch);
    expect(page).toMatchObject({ kind: 'unavailable' });
    // The outage ends with the mock.
    expect((await renderUrl('/pupils', fetchAs(people[0]!))).kind).toBe('page');
  },
);

it('renders the page of a file’s link with a login that leads back to the logins, and only to those', async () => {
  const pageOf = (status: number, path: string) => renderFilePage({ status, path, text: 'Accept the terms <first>.' });
  const guest = await pageOf(401, '/v1/files/a-B_3.pdf');
  expect(guest.title).toMatch(/^Log in to open this file/);
  expect(guest.html).toContain('href="/login?redirect=%2Flogins%2Fa-B_3"');
  for (const path of ['/v1/files/..%2F..%2Fx.pdf', '/v1/files/%0d%0a.pdf', '/v1/files/"><script>.pdf'])
    expect((await pageOf(401, path)).html).toContain('href="/login?redirect=%2Fpupils"');
  const notFound = await pageOf(404, '/v1/files/a-B_3.pdf');
  expect(notFound.title).toMatch(/^You cannot open this file/);
  expect(notFound.html).toContain('href="/pupils"');
  expect((await pageOf(409, '/v1/files/a-B_3.pdf')).html).toContain('Accept the terms &lt;first&gt;.');
});

it('renders the page of an outage once for all addresses, with a link to the address itself', async () => {
  const { title, html } = await renderUnavailablePage(false);
  expect(title).toMatch(/^The portal is not available at the moment/);
  expect(html).toContain('<a href="">Try again now</a>');
  const busy = await renderUnavailablePage(true);
  expect(busy.title).toMatch(/^Storylark is busy/);
  expect(busy.html).toContain('This page tries again every 5 seconds.');
});
