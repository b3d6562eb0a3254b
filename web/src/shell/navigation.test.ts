import { expect, it } from 'vitest';
import { screens } from '../routes.tsx';
import type { Role } from '#contract/permissions.ts';
import { makeSchool, makeUser } from '../testing/make-school.ts';
import { currentItemPath, navigation, navigationFor } from './navigation.ts';

it.each([
  ['/', '/'],
  ['/pupils', '/pupils'],
  ['/pupils/7/books', '/pupils'],
  ['/school/add-readers', '/pupils'],
  ['/logins/3', '/pupils'],
  ['/school', '/school'],
  ['/edit-school', '/school'],
  ['/add-teacher', '/teachers'],
  ['/classes/4/pupils/7', '/classes'],
  ['/classes/4/add-readers', '/classes'],
  ['/faq/2', '/faq'],
  ['/school/data/requests/3', '/school/data'],
  ['/school/changes', '/school/changes'],
  ['/schools', undefined],
])('marks %s as a page of %s', (path, area) => {
  expect(currentItemPath(path, navigation)).toBe(area);
});

it('the sidebar has an item for each screen that has the sidebar', () => {
  const paths = screens
    .filter(({ frame, path }) => frame === 'main' && path !== '*')
    .map(({ path }) => path.replace(/:\w+/g, '1'));
  expect(paths.filter((path) => currentItemPath(path, navigation) === undefined)).toEqual([]);
});

it('each item of the sidebar has the area of its screen', () => {
  const items = navigation.flatMap((section) => section.items);
  for (const { to, area } of items) expect([to, area]).toEqual([to, screens.find(({ path }) => path === to)?.area]);
});

const itemsFor = (role: Role, access: 'open' | 'expired' = 'open') => {
  const user = makeUser({ role, enterprise_user_role: role === 'admin' ? 'admin' : 'teacher' });
  const sections = navigationFor(user, makeSchool({ access, user_manages: role === 'admin' }));
  return { sections, items: sections.slice(0, 2).flatMap(({ items }) => items.map(({ text }) => text)) };
};

it.each([
  ['admin', ['My details', 'Subscription', 'Dashboard', 'School', 'Teachers', 'Classes', 'Pupils']],
  ['teacher', ['My details', 'Dashboard', 'School', 'Teachers', 'Classes', 'Pupils']],
  ['teaching_assistant', ['My details', 'Dashboard', 'School', 'Teachers', 'Classes', 'Pupils']],
  ['business_manager', ['My details', 'Subscription', 'School', 'Teachers']],
  ['data_protection_officer', ['My details', 'School', 'Data and privacy', 'Changes', 'Teachers']],
] as const)('the sidebar of the role %s has the items %j', (role, items) => {
  expect(itemsFor(role).items).toEqual(items);
});

it('the sidebar has the pupils’ logins of a school without a subscription only for roles that renew logins', () => {
  expect(itemsFor('teaching_assistant', 'expired').items).toEqual([
    'My details',
    'School',
    'Teachers',
    'Pupils’ logins',
  ]);
  expect(itemsFor('business_manager', 'expired').items).toEqual(['My details', 'Subscription', 'School', 'Teachers']);
});

it('the sidebar of a supply teacher has their classes, their pupils and the help, without the form for letters to us', () => {
  const { sections } = itemsFor('supply_teacher');
  expect(sections.map(({ title, items }) => [title, items.map(({ text }) => text)])).toEqual([
    ['SCHOOL', ['Classes', 'Pupils']],
    ['HELP & SUPPORT', ['Overview', 'User guide', 'Video guides', 'Templates', 'FAQs']],
  ]);
});

it('each item of the sidebar is for supply teachers exactly if its screen is', () => {
  const items = navigation.flatMap((section) => section.items);
  for (const { to, forSupply } of items)
    expect([to, forSupply]).toEqual([to, screens.find(({ path }) => path === to)?.forSupply]);
});

it('Changes belongs to School in the sidebar of an admin, who has no item for it', () => {
  expect(currentItemPath('/school/changes', itemsFor('admin').sections)).toBe('/school');
  expect(currentItemPath('/school/changes', itemsFor('data_protection_officer').sections)).toBe('/school/changes');
});
