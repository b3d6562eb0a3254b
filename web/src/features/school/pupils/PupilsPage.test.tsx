// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { isForbidden } from '../../../testing/forbidden-calls.ts';
import { makeClass, makePupil, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import PupilsPage from './PupilsPage.tsx';

const OLIVE = {
  id: 9,
  first_name: 'Olive',
  last_name: 'Oak',
  email: 'olive@school.example',
  enterprise_user_role: 'admin',
  role: 'admin',
  user_manages: false,
} as const;

it.each([
  ['admin', true, ['Reset password of Ada Baker', 'Manage books of Ada Baker', 'Delete Ada Baker']],
  ['admin', false, ['Manage books of Ada Baker', 'Delete Ada Baker']],
  ['teacher', true, ['Reset password of Ada Baker']],
  ['teacher', false, []],
] as const)(
  'the list of pupils offers only the actions of the role %s in the row of a pupil with can_update %j',
  async (role, can_update, expected) => {
    signIn(makeUser({ enterprise_user_role: role, role }));
    const school = makeSchool({ user_manages: role === 'admin' });
    vi.stubGlobal('fetch', async (url: string) => {
      const { pathname } = new URL(url, 'http://portal');
      if (pathname === '/v1/enterprises/7') return Response.json({ enterprise: school });
      if (pathname.endsWith('/tags')) return Response.json({ tags: [] });
      const meta = { total: 1, total_filtered: 1, page: 1, per_page: 50 };
      return Response.json({ readers: [makePupil({ can_update })], meta });
    });
    const { user } = renderInApp(<PupilsPage />, '/pupils');
    const row = within((await screen.findByRole('link', { name: 'Ada Baker' })).closest('tr')!);
    const menu = row.queryByLabelText('Actions for Ada Baker');
    if (menu) await user.click(menu);
    const actions = [...row.queryAllByRole('button'), ...row.queryAllByRole('link')].map((action) =>
      action.getAttribute('aria-label'),
    );
    expect(actions.filter(Boolean).sort()).toEqual([...expected].sort());
  },
);

it('the list of pupils requests the page, the rows, the order and the search in the URL', async () => {
  signIn(makeUser());
  const queries: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address, 'https://portal.example');
    if (pathname === '/v1/enterprises/7') return Response.json({ enterprise: makeSchool() });
    if (pathname !== '/v1/enterprises/7/readers')
      return Response.json({ error: 'Missing', error_type: 'not_found' }, { status: 404 });
    queries.push(searchParams.toString());
    return Response.json({ readers: [makePupil()], meta: { total: 90, total_filtered: 80, page: 2, per_page: 25 } });
  });
  const url = '/pupils?page=2&per_page=25&search=ada&sort=-name';
  renderRoutes([{ path: '/pupils', Component: PupilsPage }], url);
  await screen.findByText('26 to 50 of 80 pupils');
  const query = { page: '2', per_page: '25', search: 'ada', 'sort[name]': 'desc' };
  expect([...new Set(queries)]).toEqual([new URLSearchParams(query).toString()]);
});

const PER_PAGE = 50;
const TOTAL = 120;

/** Shows the list to an admin of a school with 120 pupils. Returns the queries of its requests, and the archived IDs. */
async function showPupils() {
  const requested: URLSearchParams[] = [];
  const archived: number[] = [];
  signIn(makeUser());
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, 'https://portal.example');
    if (pathname.endsWith('/archive')) {
      archived.push(...(JSON.parse(String(body)) as Record<'reader_ids', number[]>).reader_ids);
      return Response.json({});
    }
    if (pathname.endsWith('/tags')) return Response.json({ tags: [] });
    if (!pathname.endsWith('/readers'))
      return Response.json({ enterprise: makeSchool({ groups: [makeClass(), makeClass({ id: 5, name: '4 Owls' })] }) });
    requested.push(searchParams);
    const page = Number(searchParams.get('page'));
    const pupils = Array.from({ length: PER_PAGE }, (_, index) => (page - 1) * PER_PAGE + index + 1)
      .filter((id) => id <= TOTAL && !archived.includes(id))
      .map((id) => makePupil({ id, name: `Pupil ${id}` }));
    return Response.json({ readers: pupils, meta: { page, per_page: PER_PAGE, total: TOTAL, total_filtered: TOTAL } });
  });
  const view = renderInApp(<PupilsPage />, '/pupils');
  await screen.findByRole('link', { name: 'Pupil 1' });
  const press = (name: string) => view.user.click(screen.getByRole('button', { name, hidden: true }));
  const confirm = async (name: string) =>
    view.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));
  const tick = async (id: number) =>
    view.user.click(await screen.findByRole('checkbox', { name: `Select Pupil ${id}` }));
  return { ...view, requested, archived, press, confirm, tick };
}

it('the list of pupils requests one page at a time, and links to the page and books of each pupil', async () => {
  const { user, requested } = await showPupils();
  expect(requested.map((query) => [query.get('page'), query.get('per_page')])).toEqual([['1', '50']]);
  await user.click(screen.getByLabelText('Actions for Pupil 1'));
  const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect([hrefOf('Pupil 1'), hrefOf('Manage books of Pupil 1')]).toEqual(['/pupils/1', '/pupils/1/books']);
  await user.click(screen.getByRole('link', { name: 'Next page' }));
  await screen.findByRole('link', { name: 'Pupil 100' });
  expect(screen.queryByRole('link', { name: 'Pupil 1' })).toBeNull();
  expect(requested.at(-1)?.get('page')).toBe('2');
});

it('the list of pupils requests only those of the classes that are ticked', async () => {
  const { user, requested } = await showPupils();
  const filter = screen.getByRole('group', { name: 'Classes shown', hidden: true });
  await user.click(within(filter).getByLabelText(/^4 Owls/));
  await waitFor(() => expect(requested.at(-1)?.get('groups')).toBe('5'));
});

it('an action on the selected pupils is for those of every page', async () => {
  const { user, archived, press, confirm, tick } = await showPupils();
  await tick(1);
  await user.click(screen.getByRole('link', { name: 'Next page' }));
  await tick(51);
  await press('Delete');
  await confirm('Delete 2 pupils');
  await screen.findByText('2 pupils have been deleted');
  expect(archived).toEqual([1, 51]);
});

it('a pupil who is deleted from their row leaves the selection, and the others stay ticked', async () => {
  const { user, press, confirm, tick } = await showPupils();
  await tick(1);
  await tick(2);
  await user.click(screen.getByLabelText('Actions for Pupil 1'));
  await press('Delete Pupil 1');
  await confirm('Delete pupil');
  await screen.findByText('Pupil 1 has been deleted');
  await screen.findByText('1 of 120 selected');
  expect(screen.getByRole('checkbox', { name: 'Select Pupil 2' })).toHaveProperty('checked', true);
});

const RUN = {
  id: 9,
  kind: 'list',
  origin: null,
  title: 'Year 3',
  created_at: '2026-09-12T09:00:00.000Z',
  closed_at: '2026-09-12T09:00:00.000Z',
};

it.each([
  [true, 'Added by List “Year 3” on 12 September 2026: 1 pupil. Show all pupils'],
  [false, 'Added by a list or file that you cannot see: 1 pupil. Show all pupils'],
])('the pupils whom a run added have a line that names the run if the user can see it: %j', async (canSee, line) => {
  signIn(makeUser());
  fakeApi({
    'GET /v1/enterprises/7': () => ({ enterprise: makeSchool() }),
    'GET /v1/enterprises/7/readers/tags': () => ({ tags: [] }),
    'GET /v1/enterprises/7/readers?page=1&per_page=50&run=9&sort[name]=asc': () => ({
      readers: [makePupil()],
      meta: { total: 90, total_filtered: 1, page: 1, per_page: 50 },
    }),
    ...(canSee && { 'GET /v1/enterprises/7/runs/9': () => ({ run: RUN, changes: null, undo: null }) }),
  });
  renderInApp(<PupilsPage />, '/pupils?run=9');
  const link = await screen.findByRole('link', { name: 'Show all pupils' });
  await waitFor(() => expect(link.parentElement?.textContent).toBe(line));
  expect(link.getAttribute('href')).toBe('/pupils');
  expect(screen.queryAllByRole('link', { name: 'List “Year 3”' })).toHaveLength(canSee ? 1 : 0);
});

it('a teaching assistant sees the pupils of their classes without tags, and can reset their passwords and no more', async () => {
  signIn(makeUser({ enterprise_user_role: 'teacher', role: 'teaching_assistant' }));
  const meta = { total: 1, total_filtered: 1, page: 1, per_page: 50 };
  const pupil = makePupil({ can_update: false, group: { id: 4, name: '3 Badgers' } });
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ user_manages: false, groups: [makeClass()] }),
    }),
    'GET /v1/enterprises/7/readers?page=1&per_page=50&sort[name]=asc': () => ({ readers: [pupil], meta }),
  });
  const { user } = renderInApp(<PupilsPage />, '/pupils?tag=5&run=9');
  await screen.findByRole('link', { name: 'Ada Baker' });
  expect(screen.queryByLabelText('Tag')).toBeNull();
  for (const name of ['Add Pupils', 'Archive']) expect(screen.queryByRole('link', { name })).toBeNull();
  expect(screen.queryByLabelText('Without a class')).toBeNull();
  await user.click(screen.getByLabelText('Actions for Ada Baker'));
  screen.getByRole('button', { name: 'Reset password of Ada Baker' });
  expect(screen.queryByRole('link', { name: 'Manage books of Ada Baker' })).toBeNull();
  expect(Object.keys(sent).filter((name) => isForbidden('teaching_assistant', name))).toEqual([]);
});

it('a teaching assistant without a class learns from the list of pupils whom to ask for one', async () => {
  signIn(makeUser({ enterprise_user_role: 'teacher', role: 'teaching_assistant' }));
  const meta = { total: 0, total_filtered: 0, page: 1, per_page: 50 };
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ users: [OLIVE] }) }),
    'GET /v1/enterprises/7/readers?page=1&per_page=50&sort[name]=asc': () => ({ readers: [], meta }),
  });
  renderInApp(<PupilsPage />, '/pupils');
  await screen.findByText('You do not help in a class yet');
  screen.getByText('Ask Olive Oak to add you to a class. Its pupils will be listed here.');
});
