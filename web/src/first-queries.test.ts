import { expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import { ROLES, toSpecifiedRole } from '#contract/permissions.ts';
import { guard } from './shared/guard.ts';
import { screens } from './routes.tsx';
import { isCallForbidden } from './testing/forbidden-calls.ts';
import { makeUser } from './testing/make-school.ts';

const PARAMS = { id: '5', classId: '4', bookId: '6', groupId: '4' };
const QUERIES = ['', 'run=9&tag=5', 'class=4', 'accuracy=all&from=2026-11-01&to=2026-11-18'];
/** The screens about pupils, classes, reading, books and logins. */
const PUPIL_SCREENS = /^\/(pupils|classes|logins|lowest-fifth|school\/add-readers)?(\/.*)?$/;
const LOCATION = { pathname: '/', search: '' };

const callsAt = (path: unknown) => Object.values(api).filter((spec) => spec.method === 'GET' && spec.path === path);

/** Each role with the screens that it can open. */
const CASES = ROLES.flatMap((role) => {
  const user = makeUser({ role, enterprise_user_role: toSpecifiedRole(role) });
  return screens
    .filter((screen) => guard(screen, LOCATION, { key: '', user }) === null)
    .map((screen) => ({ role, path: screen.path, screen, user }));
});
const PUPIL_CASES = CASES.filter(({ path }) => PUPIL_SCREENS.test(path));

it.each(CASES)('for the role $role $path first fetches only what the role may see', ({ role, screen, user }) => {
  const fetched = QUERIES.flatMap(
    (query) => screen.queries?.({ user, schoolId: 7, params: PARAMS, query: new URLSearchParams(query) }) ?? [],
  );
  const forbidden = fetched
    .flatMap(({ queryKey }) => callsAt(queryKey[0]))
    .filter((spec) => isCallForbidden(role, spec));
  expect(forbidden.map((spec) => spec.path)).toEqual([]);
});

it('roles without pupils open no screen about pupils', () => {
  const withPupils = ['admin', 'teacher', 'reading_lead', 'teaching_assistant', 'supply_teacher'];
  expect([...new Set(PUPIL_CASES.map(({ role }) => role))]).toEqual(withPupils);
});

it('a teaching assistant opens the pupils, their books and logins, and nothing that changes them', () => {
  expect(PUPIL_CASES.filter(({ role }) => role === 'teaching_assistant').map(({ path }) => path)).toEqual([
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
