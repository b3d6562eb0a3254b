import { expect, it } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import type { School } from '#contract/calls/school.ts';
import { screens } from '../routes.tsx';
import { addressFor, areaOf } from './navigation.ts';

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
  expect(areaOf(path)).toBe(area);
});

it('knows an area for each screen that has the sidebar', () => {
  const paths = screens
    .filter(({ frame, path }) => frame === 'main' && path !== '*')
    .map(({ path }) => path.replace(/:\w+/g, '1'));
  expect(paths.filter((path) => areaOf(path) === undefined)).toEqual([]);
});

it('leads a teacher to the pupils of the own classes, an administrator and a teacher without a class to all', () => {
  const member = (role: 'admin' | 'teacher', id: number) => ({ id, enterprise_user_role: role }) as User;
  const school = {
    groups: [
      { id: 2, teachers: [{ id: 5 }] },
      { id: 3, teachers: [{ id: 6 }] },
      { id: 4, teachers: [{ id: 6 }, { id: 5 }] },
    ],
  } as School;
  expect(addressFor('/pupils', member('teacher', 5), school)).toBe('/pupils?groups=2%2C4');
  expect(addressFor('/pupils', member('teacher', 9), school)).toBe('/pupils');
  expect(addressFor('/pupils', member('admin', 5), school)).toBe('/pupils');
  expect(addressFor('/pupils', member('teacher', 5), undefined)).toBe('/pupils');
  expect(addressFor('/classes', member('teacher', 5), school)).toBe('/classes');
});
