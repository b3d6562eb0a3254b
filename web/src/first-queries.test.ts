import { expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import { isSchoolAction, roleAllows, ROLES, toSpecifiedRole } from '#contract/permissions.ts';
import { can } from './shared/can.ts';
import { screens } from './routes.tsx';
import { makeUser } from './testing/make-school.ts';

const PARAMS = { id: '5', classId: '4', bookId: '6', groupId: '4' };
const QUERIES = ['', 'run=9&tag=5', 'class=4', 'accuracy=all&from=2026-11-01&to=2026-11-18'];
/** The screens about pupils, classes, reading, books and logins. */
const PUPIL_SCREENS = /^\/(pupils|classes|logins|school\/add-readers)?(\/.*)?$/;

const callsAt = (path: unknown) => Object.values(api).filter((spec) => spec.method === 'GET' && spec.path === path);

/** Each role with the screens about pupils that it can open. */
const CASES = ROLES.flatMap((role) => {
  const user = makeUser({ role, enterprise_user_role: toSpecifiedRole(role) });
  return screens
    .filter(({ path, right }) => PUPIL_SCREENS.test(path) && (!right || can(user, right)))
    .map((screen) => ({ role, path: screen.path, screen, user }));
});

it.each(CASES)('for the role $role $path first fetches only what the role may see', ({ role, screen, user }) => {
  const fetched = QUERIES.flatMap(
    (query) => screen.queries?.({ user, schoolId: 7, params: PARAMS, query: new URLSearchParams(query) }) ?? [],
  );
  const forbidden = fetched
    .flatMap(({ queryKey }) => callsAt(queryKey[0]))
    .filter(({ permission }) => isSchoolAction(permission) && !roleAllows(role, permission));
  expect(forbidden.map((spec) => spec.path)).toEqual([]);
});

it('roles without pupils open no screen about pupils', () => {
  const withPupils = ['admin', 'teacher', 'reading_lead', 'teaching_assistant'];
  expect([...new Set(CASES.map(({ role }) => role))]).toEqual(withPupils);
});

it('a teaching assistant opens the pupils, their books and logins, and nothing that changes them', () => {
  expect(CASES.filter(({ role }) => role === 'teaching_assistant').map(({ path }) => path)).toEqual([
    '/',
    '/pupils',
    '/pupils/logins',
    '/pupils/:id',
    '/classes/:classId/pupils/:id',
    '/pupils/:id/books',
    '/classes/:classId/pupils/:id/books',
    '/pupils/:id/books/:bookId',
    '/logins/:id',
    '/classes',
    '/classes/:id',
    '/classes/:classId/books',
  ]);
});
