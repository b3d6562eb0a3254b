// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Run, UndoPlan } from '#contract/calls/runs.ts';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../../testing/render-in-app.tsx';
import { RunResult } from './RunResult.tsx';

const RUN: Run = {
  id: 9,
  kind: 'list',
  origin: null,
  title: null,
  state: 'applied',
  created_at: '2026-09-12T09:00:00.000Z',
  created_by: null,
  closed_at: '2026-09-12T09:00:00.000Z',
  closed_by: null,
  is_automatic: false,
  counts: { joiners: 31, returners: 0, movers: 4, names: 0, year_groups: 0, leavers: 0, classes: 2 },
  undo_until: '2026-10-12T09:00:00.000Z',
};
const NOTHING: UndoPlan = {
  archived: 0,
  restored: 0,
  moved: 0,
  renamed: 0,
  year_groups: 0,
  classes_deleted: 0,
  classes_restored: 0,
  classes_changed: 0,
  skipped: [],
};
const SKIPPED: UndoPlan['skipped'] = [{ pupil: 3, name: 'Ada Bell', reason: 'has_read' }];

function open(undo: UndoPlan) {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7/runs/9': () => ({ run: RUN, undo }),
    'POST /v1/enterprises/7/runs/9/undo': () => ({ run: { ...RUN, state: 'undone' }, skipped: undo.skipped }),
  });
  const { user } = renderRoutes([{ path: '/', element: <RunResult run={RUN} changes={null} /> }], '/');
  const ask = async () => {
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    return screen.findByRole('dialog', { name: 'Undo this list?' });
  };
  return { sent, user, ask };
}

it('the dialog counts what undoing a list does now, and the page names what was skipped', async () => {
  const { user, ask } = open({ ...NOTHING, archived: 31, moved: 4, classes_deleted: 2, skipped: SKIPPED });
  expect(await screen.findByText(/You can undo it until 12 October 2026/)).toBeTruthy();
  const dialog = await ask();
  await within(dialog).findByText('31 pupils go to the archive');
  for (const text of [
    '4 pupils go back to their former classes',
    '2 new classes are deleted',
    'Ada Bell: has read since',
  ])
    expect(within(dialog).getByText(text)).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Undo the list' }));
  await screen.findByText('We could not undo everything');
  expect(screen.getByText('Ada Bell: has read since')).toBeTruthy();
});

it('the dialog says when nothing of a list can be undone any more', async () => {
  const { ask } = open({ ...NOTHING, skipped: SKIPPED });
  const dialog = await ask();
  await within(dialog).findByText('Everything was changed since, so nothing would be undone.');
});

it('a list that can no longer be undone has no button to undo it', async () => {
  signIn(makeUser());
  fakeApi({});
  renderRoutes([{ path: '/', element: <RunResult run={{ ...RUN, undo_until: null }} changes={null} /> }], '/');
  await screen.findByText('Added');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});
