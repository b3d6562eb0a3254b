import { expect, it } from 'vitest';
import { can } from '../shared/can.ts';
import { navigation } from './navigation.ts';
import {
  resetActions,
  everythingActions,
  everythingSearch,
  libraryFor,
  ownFirst,
  recentResults,
  resetSearch,
  searchActions,
  searchClasses,
  searchLibraries,
  searchSchools,
  searchScreens,
  searchStaff,
} from './palette-search.ts';

const classes = ['Year 4 Kingfishers', 'Year 5 Kestrels', 'Coquelicots – Équipe 1'].map((name, index) => ({
  id: index + 1,
  name,
  readers_count: index,
}));

it.each([
  ['king', [1]],
  ['KESTRELS 5', [2]],
  ['year', [1, 2]],
  ['equipe', [3]],
  ['year owl', []],
  ['   ', []],
])('finds classes by all words of “%s”', (searchText, ids) => {
  expect(searchClasses(classes, searchText).map(({ key }) => key)).toEqual(ids.map((id) => `class-${id}`));
});

it('the palette lists the user’s own classes first, each once', () => {
  const [first, second, third] = classes as [(typeof classes)[0], (typeof classes)[0], (typeof classes)[0]];
  expect(ownFirst(classes, [third])).toEqual([third, first, second]);
  expect(ownFirst(classes, [])).toEqual(classes);
  // An own one may lie beyond what was found of all.
  expect(ownFirst([first], [second])).toEqual([second, first]);
});

it.each([
  ['books', [1, 2, 3]],
  ['library kest', [2]],
  ['king', []],
  ['', []],
])('finds the libraries of classes by “%s”, and by the word alone', (searchText, ids) => {
  expect(searchLibraries(classes, searchText).map(({ to }) => to)).toEqual(ids.map((id) => `/classes/${id}/books`));
});

it('the palette links to a class and shows its size', () => {
  expect(searchClasses(classes, 'kest')).toEqual([
    { key: 'class-2', name: 'Year 5 Kestrels', detail: '1 pupil', to: '/classes/2' },
  ]);
});

it('the palette shows at most six classes', () => {
  const many = Array.from({ length: 40 }, (_, id) => ({ id, name: `Class ${id}`, readers_count: 30 }));
  expect(searchClasses(many, 'class')).toHaveLength(6);
});

it.each([
  ['/', [2]],
  ['/classes/3', [3]],
  ['/classes/1/books', [2]],
  ['/pupils/8', ['reader', 8]],
  ['/classes/1/pupils/8/books', ['reader', 8]],
  ['/pupils', [2]],
])('searches the books of the class or pupil at %s, otherwise of the first own class', (path, expected) => {
  const managed = [1, 2, 3].map((id) => ({ id, user_manages: id > 1 }));
  const owner = libraryFor(path, managed)?.owner;
  expect(owner && ('classId' in owner ? [owner.classId] : ['reader', owner.pupilId])).toEqual(expected);
  expect(libraryFor('/', [])).toBeUndefined();
});

it.each([
  ['teachers', ['/teachers']],
  ['TEACH', ['/teachers']],
  ['help overview', ['/overview']],
  ['guide', ['/userguide', '/videoguides']],
  ['', []],
])('finds the screens of the sidebar by “%s”', (searchText, addresses) => {
  expect(searchScreens(navigation, searchText).map(({ to }) => to)).toEqual(addresses);
});

it('the palette finds staff by any part of their names, without accents', () => {
  const staff = [
    {
      id: 1,
      first_name: 'Siobhán',
      last_name: 'McGlinchey',
      enterprise_user_role: 'teacher' as const,
      role: 'teacher' as const,
    },
    {
      id: 2,
      first_name: 'Helen',
      last_name: 'Ashworth',
      enterprise_user_role: 'admin' as const,
      role: 'admin' as const,
    },
  ];
  expect(searchStaff(staff, 'glinchey siob')).toEqual([
    { key: 'staff-1', name: 'Siobhán McGlinchey', detail: 'Teacher', to: '/teachers' },
  ]);
  expect(searchStaff(staff, ' ')).toEqual([]);
});

it('the palette offers the last visited pages, but neither the current page nor those in the sidebar', () => {
  const visits = ['/pupils/1', '/pupils', '/classes/2'].map((to) => ({ to, name: to }));
  expect(recentResults(visits, '/pupils/1').map(({ to }) => to)).toEqual(['/classes/2']);
});

it.each([
  ['reset dilys', 'dilys'],
  ['new login card for Dilys E', 'Dilys E'],
  ['password dilys', 'dilys'],
  ['Reset password of Dilys E', 'Dilys E'],
  ['dilys', null],
  ['reset', null],
])('“%s” is about %s', (searchText, pupilSearch) => {
  expect(resetSearch(searchText)).toBe(pupilSearch);
});

it.each([
  ['everything about dilys', 'dilys'],
  ['Everything Dilys E', 'Dilys E'],
  ['subject access for dilys', 'dilys'],
  ['subject access', null],
  ['dilys', null],
])('“%s” asks for everything about %s', (searchText, name) => {
  expect(everythingSearch(searchText)).toBe(name);
});

it('the palette offers everything about the pupils and staff found', () => {
  const pupil = { id: 5, name: 'Dilys Evans', group: { id: 3, name: '3W' } };
  const staff = { key: 'staff-7', name: 'Dilys Head', detail: 'Admin', to: '/teachers' };
  expect(everythingActions([pupil], [staff])).toEqual([
    {
      key: 'everything-pupil-5',
      name: 'Everything about Dilys Evans …',
      detail: '3W',
      to: '/school/data/requests/new/access?pupil=5',
    },
    {
      key: 'everything-staff-7',
      name: 'Everything about Dilys Head …',
      detail: 'Admin',
      to: '/school/data/requests/new/access?staff=7',
    },
  ]);
});

it('the palette offers to reset the passwords of the pupils whom the user may change', () => {
  const pupil = { id: 5, name: 'Dilys Evans', can_update: true, group: { id: 3, name: '3W' } };
  expect(resetActions([pupil, { ...pupil, id: 6, can_update: false }])).toEqual([
    { key: 'reset-5', name: 'Reset password of Dilys Evans', detail: '3W', to: '/pupils/5?card=new' },
  ]);
});

it.each([
  ['add pupils', true, ['/school/add-readers']],
  ['add', true, ['/school/add-readers', '/add-teacher']],
  ['add', false, []],
  ['invite', true, ['/add-teacher']],
  ['leavers', true, ['/year-end']],
  ['', true, []],
])('“%s” finds what the person may do', (searchText, isAdmin, addresses) => {
  expect(searchActions(searchText, () => isAdmin, true).map(({ to }) => to)).toEqual(addresses);
});

it.each([
  ['business_manager', []],
  ['data_protection_officer', ['Changes', 'Requests and complaints']],
  ['teaching_assistant', []],
  ['teacher', ['Add Pupils', 'Undo a list of pupils', 'Archive']],
] as const)('the palette offers the role %s the actions %j', (role, names) => {
  const member = { enterprise_id: 7, role };
  const found = ['new', 'undo', 'year', 'records', 'audit', 'complaint', 'archive', 'invite'].flatMap((searchText) =>
    searchActions(searchText, (right) => can(member, right), true).map(({ name }) => name),
  );
  expect([...new Set(found)].sort()).toEqual([...names].sort());
});

it('the palette shows the name of a colleague’s role', () => {
  const staff = [{ id: 1, first_name: 'Bea', last_name: 'Moss', role: 'business_manager' as const }];
  expect(searchStaff(staff, 'bea')[0]?.detail).toBe('Business manager');
});

it('a closed school has no actions that change data', () => {
  const names = (searchText: string, canChange: boolean) =>
    searchActions(searchText, () => true, canChange).map(({ name }) => name);
  expect([names('add', true), names('add', false)]).toEqual([['Add Pupils', 'Add Teacher'], []]);
  expect(names('archive', false)).toEqual(['Archive']);
});

it.each([
  ['switch', [8, 9]],
  ['switch to elm', [8]],
  ['willow', [9]],
  ['oak', []],
  ['', []],
])('finds the user’s other schools by “%s”', (searchText, ids) => {
  const schools = [
    { enterprise: { id: 8, name: 'Elm Street' }, enterprise_user_role: 'teacher' as const, role: 'teacher' as const },
    { enterprise: { id: 9, name: 'Willowbank' }, enterprise_user_role: 'admin' as const, role: 'admin' as const },
  ];
  const found = searchSchools(schools, searchText);
  expect(found.map(({ to, state }) => [to, state])).toEqual(ids.map((id) => ['/account/schools', { switchTo: id }]));
});
