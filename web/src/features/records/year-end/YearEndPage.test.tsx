// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { Link } from '../../../ui/Link.tsx';
import { Outlet } from '../../../shared/router.ts';
import { expect, it } from 'vitest';
import type { School } from '#contract/calls/school.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import YearEndPage from './YearEndPage.tsx';

const CLASS = { id: 4, name: '3 Badgers', user_manages: true, readers_count: 0, teachers: [] };
const UNSAVED = 'The year-end changes have not been applied yet.';

function openPage() {
  signIn(makeUser());
  let yearEnd: object | null = null;
  fakeApi({
    'GET /v1/enterprises/7?include=readers': () => ({
      enterprise: { ...makeSchool({ groups: [CLASS] as unknown as School['groups'] }), readers: [] },
    }),
    'GET /v1/enterprises/7/year-end': () => ({ year_end: yearEnd }),
    'POST /v1/enterprises/7/year-end': () => {
      yearEnd = {
        id: 1,
        applied_at: '2026-07-20T09:00:00Z',
        applied_by: null,
        undo_until: '2026-08-19T09:00:00Z',
        moved_classes: 1,
        left_pupils: 0,
      };
      return { year_end: yearEnd };
    },
  });
  const frame = (
    <>
      <Link to="/elsewhere">Elsewhere</Link>
      <Outlet />
    </>
  );
  const children = [
    { path: '/year-end', element: <YearEndPage /> },
    { path: '/elsewhere', element: <h1>Elsewhere</h1> },
  ];
  const { user } = renderRoutes([{ element: frame, children }], '/year-end');
  const leave = () => user.click(screen.getByRole('link', { name: 'Elsewhere' }));
  const choose = async (step: string) =>
    user.selectOptions(await screen.findByRole('combobox', { name: 'What happens to 3 Badgers' }), step);
  return { user, leave, choose };
}

it('the year end asks before a link or a closed tab loses what was chosen for the classes', async () => {
  const { user, leave, choose } = openPage();
  await choose('Stays as it is');
  await leave();
  expect((await screen.findByRole('dialog', { name: 'Leave this page?' })).textContent).toContain(UNSAVED);
  await user.click(screen.getByRole('button', { name: 'Stay' }));
  const closing = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(closing);
  expect(closing.defaultPrevented).toBe(true);
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'What happens to 3 Badgers' }).value).toBe('stays');
});

it('the year end can be left without a question before anything is chosen, and once applied', async () => {
  const { user, leave, choose } = openPage();
  await screen.findByRole('combobox', { name: 'What happens to 3 Badgers' });
  await choose('Stays as it is');
  await choose('Moves up');
  await user.click(screen.getByRole('button', { name: 'Apply the year-end changes' }));
  const dialog = await screen.findByRole('dialog', { name: 'Apply the year-end changes?' });
  await user.click([...dialog.querySelectorAll('button')].at(-1)!);
  await screen.findByText(/The year-end changes were applied on/);
  await leave();
  await screen.findByRole('heading', { name: 'Elsewhere' });
});
