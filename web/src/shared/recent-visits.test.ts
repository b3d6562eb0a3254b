// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { makeUser } from '../testing/make-school.ts';
import { rememberVisit, withVisit } from './recent-visits.ts';
import { endSession, startSession } from './session.ts';

it('recent visits list the last page first and each page once, with its current name', () => {
  const visits = [
    { to: '/pupils/1', name: 'Pupil' },
    { to: '/classes/2', name: '3B' },
  ];
  expect(withVisit(visits, { to: '/classes/2', name: '3 Badgers' })).toEqual([
    { to: '/classes/2', name: '3 Badgers' },
    { to: '/pupils/1', name: 'Pupil' },
  ]);
});

it('recent visits lose the oldest page after twelve', () => {
  const many = Array.from({ length: 12 }, (_, id) => ({ to: `/pupils/${id}`, name: `Pupil ${id}` }));
  const next = withVisit(many, { to: '/pupils/12', name: 'Pupil 12' });
  expect(next).toHaveLength(12);
  expect(next.map(({ to }) => to)).not.toContain('/pupils/11');
});

it('a log out leaves no title of a visited page in the browser', () => {
  startSession(makeUser());
  rememberVisit({ to: '/pupils/1', name: 'Amara Nwachukwu' });
  expect(JSON.stringify(sessionStorage)).toContain('Amara');
  endSession();
  expect(JSON.stringify(sessionStorage)).not.toContain('Amara');
});
