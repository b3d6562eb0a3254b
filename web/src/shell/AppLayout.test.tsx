// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import type { School } from '#contract/calls/school.ts';
import { screens } from '../routes.tsx';
import { fakeApi } from '../testing/fake-api.ts';
import { makeSchool, makeUser, makeUserOfTwo } from '../testing/make-school.ts';
import { renderRoutes, signIn } from '../testing/render-in-app.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { AppLayout } from './AppLayout.tsx';

/** Opens a page inside the layout as a member of the school. */
async function openPage(path: string, role: string, school: Partial<School> = {}, more: Partial<User> = {}) {
  const user = makeUser({
    role: role === 'admin' ? 'admin' : 'teacher',
    ...more,
    full_name: 'Ada Okafor',
    enterprise_user_role: role as User['enterprise_user_role'],
  });
  signIn(user);
  fakeApi({
    'GET /v1/users/me': () => ({ user }),
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ user_manages: role === 'admin', ...school }),
    }),
  });
  const handle = screens.find((candidate) => candidate.path === path);
  const routes = [
    { element: <AppLayout />, children: [{ path, handle, element: <PageHeader title="A page" /> }] },
    { path: '/logout', element: <h1>Logging out</h1> },
  ];
  const { user: visitor } = renderRoutes(routes, path);
  await screen.findByRole('heading', { level: 1, name: 'A page' });
  return visitor;
}

const itemsOf = (section: string) =>
  within(screen.getByRole('region', { name: section }))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

it.each([
  ['admin', 'ADMIN'],
  ['teacher', 'TEACHER'],
  ['assistant', 'TEACHER'],
])('the header shows the name of a user with the role %s, the badge %s and Log out', async (role, badge) => {
  const visitor = await openPage('/classes', role);
  const header = within(screen.getAllByRole('banner')[0]!);
  expect(header.getByText('Ada Okafor')).toBeTruthy();
  expect(header.getAllByText(/^(ADMIN|TEACHER)$/).map((shown) => shown.textContent)).toEqual([badge]);
  await visitor.click(header.getByRole('button', { name: 'Log out' }));
  expect(await screen.findByRole('heading', { name: 'Logging out' })).toBeTruthy();
});

it.each([
  ['business_manager', 'Business manager', '/subscription'],
  ['data_protection_officer', 'Data protection officer', '/school/data'],
] as const)('the header of the role %s shows %s, and its first link leads to %s', async (role, name, home) => {
  await openPage('/school', 'teacher', {}, { role });
  const header = within(screen.getAllByRole('banner')[0]!);
  expect(header.getByText(name)).toBeTruthy();
  expect(header.queryByText('TEACHER')).toBeNull();
  expect(header.getAllByRole('link').map((link) => link.getAttribute('href'))).toContain(home);
});

const FUTURE = '2099-11-18T15:30:00.000Z';
const supplyTeacher = (ends_at: string): Partial<User> => ({
  role: 'supply_teacher',
  covers: [{ group_id: 4, ends_at }],
});

it.each([
  ['2026-11-18T08:00:00.000Z', 'until 15:30'],
  ['2026-11-16T08:00:00.000Z', 'until 18 November'],
])('the header of a supply teacher shows at %s that the cover lasts %s', async (now, text) => {
  vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await openPage('/classes', 'teacher', {}, supplyTeacher('2026-11-18T15:30:00.000Z'));
  const header = within(screen.getAllByRole('banner')[0]!);
  expect(header.getByText('Supply teacher')).toBeTruthy();
  expect(header.getByText(text)).toBeTruthy();
});

it('a supply teacher who presses Log out learns first that they need a new card to log in again', async () => {
  const visitor = await openPage('/classes', 'teacher', {}, supplyTeacher(FUTURE));
  const header = within(screen.getAllByRole('banner')[0]!);
  const ask = async () => {
    await visitor.click(header.getByRole('button', { name: 'Log out' }));
    return within(await screen.findByRole('dialog', { name: 'Log out and end your access?' }));
  };
  const dialog = await ask();
  expect(dialog.getByText(/you need a new card/)).toBeTruthy();
  await visitor.click(dialog.getByRole('button', { name: 'Stay logged in' }));
  expect([screen.queryByRole('dialog'), screen.queryByRole('heading', { name: 'Logging out' })]).toEqual([null, null]);
  await visitor.click((await ask()).getByRole('button', { name: 'Log out' }));
  expect(await screen.findByRole('heading', { name: 'Logging out' })).toBeTruthy();
});

it('the header has a button that downloads the user guide as a PDF', async () => {
  await openPage('/classes', 'teacher');
  const link = screen.getByRole('link', { name: 'Download the user guide (PDF)' });
  expect([link.getAttribute('href'), link.hasAttribute('download')]).toEqual(['/v1/user-guide.pdf', true]);
});

it('the sidebar shows the school’s name, and the sections ACCOUNT, SCHOOL and HELP & SUPPORT with their links', async () => {
  await openPage('/classes', 'admin', { name: 'Hazel Lane Primary' });
  const sidebar = within(screen.getByRole('navigation', { name: 'Main' }));
  expect(await sidebar.findByText('Hazel Lane Primary')).toBeTruthy();
  expect(sidebar.getAllByRole('heading').map((heading) => heading.textContent)).toEqual([
    'ACCOUNT',
    'SCHOOL',
    'HELP & SUPPORT',
  ]);
  expect(itemsOf('ACCOUNT')).toEqual([
    ['My details', '/account'],
    ['Subscription', '/subscription'],
  ]);
  expect(itemsOf('SCHOOL')).toEqual([
    ['Dashboard', '/'],
    ['School', '/school'],
    ['Teachers', '/teachers'],
    ['Classes', '/classes'],
    ['Pupils', '/pupils'],
  ]);
  expect(itemsOf('HELP & SUPPORT')).toEqual([
    ['Overview', '/overview'],
    ['User guide', '/userguide'],
    ['Video guides', '/videoguides'],
    ['Templates', '/templates'],
    ['FAQs', '/faq'],
    ['Contact', '/contact'],
  ]);
});

it.each([
  ['teacher', false],
  ['admin', false],
  ['admin', true],
])('the sidebar links the subscription only for its managers: %s, user_manages %s', async (role, isManager) => {
  await openPage('/classes', role, { user_manages: isManager, name: 'Hazel Lane Primary' });
  await screen.findByText('Hazel Lane Primary');
  expect(screen.queryAllByRole('link', { name: 'Subscription' })).toHaveLength(isManager ? 1 : 0);
});

it.each([
  ['/', 'dashboard'],
  ['/pupils', 'school'],
])('the body of %s has the style %s', async (path, style) => {
  await openPage(path, 'admin');
  expect(screen.getByRole('main').dataset.body).toBe(style);
});

it('a page has a breadcrumb from the dashboard to its own title', async () => {
  await openPage('/classes', 'admin');
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }));
  expect(crumbs.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe('/');
  expect(crumbs.getByText('A page').getAttribute('aria-current')).toBe('page');
});

it('the sidebar has a link to switch school for a user of several, and for no other', async () => {
  const { memberships } = makeUserOfTwo();
  await openPage('/classes', 'admin', {}, { memberships });
  const sidebar = within(screen.getByRole('navigation', { name: 'Main' }));
  expect(sidebar.getByRole('link', { name: 'Switch school' }).getAttribute('href')).toBe('/account/schools');
});

it.each([
  ['works at one school', {}],
  [
    'is logged in as by support',
    { memberships: makeUserOfTwo().memberships, impersonated_by: { id: 9, full_name: 'S' } },
  ],
])('the sidebar has no link to switch school when the user %s', async (_who, more) => {
  await openPage('/classes', 'admin', {}, more);
  expect(screen.queryByRole('link', { name: 'Switch school' })).toBeNull();
});

it('a user whose school has not accepted the terms sees the way to another school, and no links to closed screens', async () => {
  const { memberships, enterprise: school } = makeUserOfTwo();
  await openPage('/account/schools', 'admin', {}, { memberships, enterprise: { ...school!, terms_accepted_at: null } });
  const header = within(screen.getAllByRole('banner')[0]!);
  expect(header.getByText('Oak Row')).toBeTruthy();
  expect(header.getByRole('link', { name: 'Switch school' }).getAttribute('href')).toBe('/account/schools');
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
});
