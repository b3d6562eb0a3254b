import { expect, it } from 'vitest';
import { screens } from '../routes.tsx';
import { currentItemPath, navigation } from './navigation.ts';

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
