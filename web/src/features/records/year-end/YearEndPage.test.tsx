// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { Link } from '../../../ui/Link.tsx';
import { Outlet } from '../../../shared/router.ts';
import { expect, it } from 'vitest';
import type { School } from '#contract/calls/school.ts';
import type { YearEndRecords } from '#contract/calls/year-end.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import YearEndPage from './YearEndPage.tsx';

const CLASS = { id: 4, name: '3 Badgers', user_manages: true, readers_count: 0, teachers: [] };
const UNSAVED = 'The year-end changes have not been applied yet.';

const APPLIED = {
  id: 1,
  applied_at: '2026-07-20T09:00:00Z',
  applied_by: null,
  undo_until: '2026-08-19T09:00:00Z',
  moved_classes: 1,
  left_pupils: 0,
};
const PLANNED = {
  state: 'planned',
  run_id: 9,
  recognised: 84,
  joiners: 28,
  returners: 0,
  movers: 2,
  leavers: 29,
  questions: 3,
  staff: 2,
  classes: [{ group_id: 4, step: 'moves_up', name: '4W', pupils: 1 }],
} as const satisfies YearEndRecords;
const COUNTS = { joiners: 28, returners: 0, movers: 2, names: 0, year_groups: 0, leavers: 0, classes: 1 };

interface Situation {
  yearEnd?: object | null;
  records?: YearEndRecords | null;
  pupils?: number;
}

function openPage({ yearEnd: initial = null, records = null, pupils = 0 }: Situation = {}) {
  signIn(makeUser());
  let yearEnd = initial;
  const members = Array.from({ length: pupils }, (_, index) => ({
    id: index + 1,
    name: `Ada ${index + 1}`,
    group: { id: 4, name: '3 Badgers' },
  }));
  fakeApi({
    'GET /v1/enterprises/7?include=readers': () => ({
      enterprise: { ...makeSchool({ groups: [CLASS] as unknown as School['groups'] }), readers: members },
    }),
    'GET /v1/enterprises/7/year-end': () => ({ year_end: yearEnd, records }),
    'POST /v1/enterprises/7/year-end': () => {
      yearEnd = APPLIED;
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

const newName = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'New name of 3 Badgers' });
const linksTo = (path: string) =>
  screen.queryAllByRole('link').flatMap((link) => (link.getAttribute('href') === path ? [link.textContent] : []));

it('the year end is filled in from planned school records, and says so at each class', async () => {
  const { choose } = openPage({ records: PLANNED, pupils: 2 });
  expect((await newName()).value).toBe('4W');
  screen.getByText('Your school records have the classes of next year');
  screen.getByText(/84 pupils recognised, 28 join, 29 leave, 3 questions\./);
  screen.getByText('From the school records: 1 of 2 pupils goes to 4W.');
  expect(linksTo('/school/records/9')).toEqual(['Show the records']);
  expect(linksTo('/school/records')).toEqual([]);
  await choose('Leaves');
  expect(screen.queryByText(/other pupil/)).toBeNull();
});

it.each([
  ['there are no planned school records', null],
  ['planned school records have the classes of this year', { ...PLANNED, classes: [] }],
])(
  'the year end is filled in from the names of classes, and says how the records can do it, when %s',
  async (_case, records) => {
    openPage({ records });
    expect((await newName()).value).toBe('4 Badgers');
    screen.getByText(/has next year’s classes, upload its file under/);
    expect(linksTo('/school/records')).toEqual(['School records']);
    expect(screen.queryByText(/From the school records/)).toBeNull();
  },
);

it('pupils who do not leave by the records are pointed out while their class leaves', async () => {
  const { choose } = openPage({
    records: { ...PLANNED, classes: [{ group_id: 4, step: 'leaves', name: null, pupils: 2 }] },
    pupils: 3,
  });
  await screen.findByText(/2 of 3 pupils leave\. Move 1 other pupil to another class first if they stay/);
  await choose('Stays as it is');
  expect(screen.queryByText(/1 other pupil/)).toBeNull();
});

it('after a year end the next steps are what planned records would still change, and staff to invite', async () => {
  openPage({ yearEnd: APPLIED, records: { ...PLANNED, leavers: 0, classes: [] } });
  await screen.findByRole('heading', { name: 'Next steps' });
  screen.getByText('Still to come from the school records: 28 join, 2 changes of class, 3 questions.');
  screen.getByText('2 colleagues are in the records and not here.');
  expect(linksTo('/school/records/9')).toEqual(['Review', 'Choose whom to invite']);
});

it('after the records are applied too the next steps are their undo, and the logins of joiners', async () => {
  openPage({ yearEnd: APPLIED, records: { state: 'applied', run_id: 9, counts: COUNTS } });
  await screen.findByText(/The school records have been applied: 28 joiners, 2 changes of class and 1 new/);
  expect(linksTo('/school/records/9')).toEqual(['Show the records', 'Login cards and tags for the 28 joiners']);
});

it.each([
  ['no records', null],
  [
    'records that change nothing',
    { ...PLANNED, joiners: 0, movers: 0, leavers: 0, questions: 0, staff: 0, classes: [] },
  ],
])('after a year end with %s there are no next steps', async (_case, records) => {
  openPage({ yearEnd: APPLIED, records });
  await screen.findByText(/The year-end changes were applied on/);
  expect(screen.queryByRole('heading', { name: 'Next steps' })).toBeNull();
});

it('applied records without joiners have no logins among the next steps', async () => {
  openPage({ yearEnd: APPLIED, records: { state: 'applied', run_id: 9, counts: { ...COUNTS, joiners: 0 } } });
  await screen.findByText(/The school records have been applied/);
  expect(linksTo('/school/records/9')).toEqual(['Show the records']);
});
