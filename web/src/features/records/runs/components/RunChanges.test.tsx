// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { RunChanges as Changes } from '#contract/calls/runs.ts';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../../testing/render-in-app.tsx';
import { RunChanges } from './RunChanges.tsx';

const NOTHING: Changes = {
  joiners: [],
  returners: [],
  leavers: [],
  movers: [],
  names: [],
  year_groups: [],
  recognised: [],
  classes: [],
};
const BADGERS = { id: 3, name: '3 Badgers' };
const WRENS = { id: 10, name: 'Wrens' };
const makePupil = (id: number, name: string, isArchived = false) => ({ id, name, is_archived: isArchived });

function open(changes: Partial<Changes>, role: 'admin' | 'teacher' = 'admin') {
  signIn(makeUser({ enterprise_user_role: role, role }));
  fakeApi({ 'GET /v1/enterprises/7': () => ({ enterprise: makeSchool({ user_manages: role === 'admin' }) }) });
  const page = <RunChanges run={{ id: 9 }} changes={{ ...NOTHING, ...changes }} />;
  return renderRoutes([{ path: '/pupils/lists', element: page }], '/pupils/lists');
}
/** The rows of a part as text. */
const rowsOf = async (title: string) => {
  const part = await screen.findByRole('region', { name: title });
  return within(part)
    .getAllByRole('listitem', { hidden: true })
    .map((row) => row.textContent);
};

it('the result of a run lists the joiners by class, and links to them in Pupils without those in the archive', async () => {
  open({
    joiners: [
      { ...makePupil(1, 'Ada Bell'), class: WRENS },
      { ...makePupil(2, 'Ben Hill'), class: null },
      { ...makePupil(3, 'Cai Lane', true), class: BADGERS },
      { ...makePupil(4, 'Dot Reed'), class: WRENS },
    ],
  });
  expect(await rowsOf('Joined (4)')).toEqual([
    'Cai Lane 3 Badgers, in the archive',
    'Ada Bell Wrens',
    'Dot Reed Wrens',
    'Ben Hill no class',
  ]);
  expect(screen.getByRole('link', { name: 'Ada Bell' })).toHaveProperty('pathname', '/pupils/1');
  expect(screen.queryByRole('link', { name: 'Cai Lane' })).toBeNull();
  const button = screen.getByRole('link', { name: 'Login cards and tags for these 3 pupils' });
  expect(button.getAttribute('href')).toBe('/pupils?groups=all&run=9');
});

it('the result of a list sends a teacher to the new pupils of all classes, and does not offer them tags', async () => {
  open({ joiners: [{ ...makePupil(1, 'Ada Bell'), class: WRENS }] }, 'teacher');
  const button = await screen.findByRole('link', { name: 'Login cards for this pupil' });
  expect(button.getAttribute('href')).toBe('/pupils?groups=all&run=9');
});

it('the result of a run has no link to its joiners when all of them are in the archive', async () => {
  open({ joiners: [{ ...makePupil(1, 'Ada Bell', true), class: null }] });
  expect(await rowsOf('Joined (1)')).toEqual(['Ada Bell no class, in the archive']);
  expect(screen.queryAllByText(/login cards/i)).toEqual([]);
});

it('the result of a run states for each change what was before and after', async () => {
  const pupil = makePupil(1, 'Ada Bell');
  open({
    returners: [{ ...pupil, class: BADGERS }],
    leavers: [{ ...makePupil(2, 'Ben Hill', true), class: BADGERS }],
    movers: [
      { ...pupil, from: BADGERS, to: WRENS },
      { ...makePupil(3, 'Cai Lane'), from: { id: 5, name: null }, to: null },
    ],
    names: [{ ...pupil, from: 'Ada Kerr', to: 'Ada Bell' }],
    year_groups: [{ ...pupil, from: null, to: 'R' }],
    recognised: [pupil],
    classes: [
      { id: 1, from: null, to: 'Herons' },
      { id: 2, from: '3 Badgers', to: '4 Badgers' },
      { id: 3, from: '6 Owls', to: null },
    ],
  });
  expect(await rowsOf('Back (1)')).toEqual(['Ada Bell 3 Badgers']);
  expect(await rowsOf('Left (1)')).toEqual(['Ben Hill 3 Badgers, in the archive']);
  expect(await rowsOf('Changes of class (2)')).toEqual([
    'Ada Bell from 3 Badgers to Wrens',
    'Cai Lane from a deleted class to no class',
  ]);
  expect(await rowsOf('Changes of name (1)')).toEqual(['Ada Bell from Ada Kerr to Ada Bell']);
  expect(await rowsOf('Changes of year group (1)')).toEqual(['Ada Bell from no year group to Reception']);
  expect(await rowsOf('Recognised (1)')).toEqual(['Ada Bell ']);
  expect(await rowsOf('Classes (3)')).toEqual(['Herons new', '3 Badgers became 4 Badgers', '6 Owls deleted']);
});
