import { expect, it } from 'vitest';
import { withVisit } from './recent-visits.ts';

it('lists the last visited page first and each page once, with its current name', () => {
  const visits = [
    { to: '/pupils/1', name: 'Pupil' },
    { to: '/classes/2', name: '3B' },
  ];
  expect(withVisit(visits, { to: '/classes/2', name: '3 Badgers' })).toEqual([
    { to: '/classes/2', name: '3 Badgers' },
    { to: '/pupils/1', name: 'Pupil' },
  ]);
});

it('removes the oldest after twelve', () => {
  const many = Array.from({ length: 12 }, (_, id) => ({ to: `/pupils/${id}`, name: `Pupil ${id}` }));
  const next = withVisit(many, { to: '/pupils/12', name: 'Pupil 12' });
  expect(next).toHaveLength(12);
  expect(next.map(({ to }) => to)).not.toContain('/pupils/11');
});
