// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { chartCalls } from '#contract/calls/charts.ts';
import { classReadingCalls } from '#contract/calls/class-reading.ts';
import { type ReadingWeek, readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import type { School } from '#contract/calls/school.ts';
import { setPreference } from '../../../shared/preferences.ts';
import { isForbidden } from '../../../testing/forbidden-calls.ts';
import { makeClass, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import { setTimeZone } from '../../../testing/set-time-zone.ts';
import DashboardPage from './DashboardPage.tsx';

const MINUTE_MS = 60_000;
const RECORDED_PATHS = [
  classReadingCalls.getReadingLine,
  readingNeedsCalls.listReadingNeeds,
  chartCalls.compareFigures,
  chartCalls.getChart,
].map(({ path }) => path.replace('{id}', '7'));

const NO_NEEDS = {
  readers: [],
  not_read: { readers: [], total: 0, since: '2026-11-16' },
  improved: [],
  hidden: [],
  week: { pupils: 0 },
  meta: { total: 0, too_little: 0 },
};

let requested: string[];

/** The only value of a chart, by the query of its request. */
type ChartValue = (query: URLSearchParams) => number | null;

const makeChart = (name: string | null, value: number | null) => ({
  name,
  labels: ['2026-11-23'],
  bucket: 'day',
  reader_ids: null,
  series: [{ name: 'Total', level: null, data: [value] }],
  average: value && value / 10,
  total: value,
});

/** Replaces the server, and notes the path of each request. */
function stubServer(school: Partial<School> = {}, chartValue: ChartValue = () => 600, week?: ReadingWeek): void {
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address, 'https://portal.example');
    requested.push(pathname.replace('/v1', ''));
    if (pathname === '/v1/enterprises/7')
      return Response.json({ enterprise: makeSchool({ features: ['new_statistics'], ...school }) });
    if (pathname === '/v1/charts')
      return Response.json({ chart: makeChart(searchParams.get('name'), chartValue(searchParams)) });
    if (pathname === '/v1/charts/comparison') return Response.json({ comparison: null });
    if (pathname.endsWith('/reading-line'))
      return Response.json({ line: { readers: [], is_current_week: true, from: '2026-11-23' } });
    if (pathname.endsWith('/needs')) return Response.json({ ...NO_NEEDS, ...(week && { week }) });
    return Response.json({ error: 'Missing', error_type: 'not_found' }, { status: 404 });
  });
}

const advance = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

function setVisibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
  window.dispatchEvent(new Event('visibilitychange'));
}

async function showPage(): Promise<void> {
  setTimeZone('Europe/London');
  signIn(makeUser());
  stubServer();
  renderInApp(<DashboardPage />, '/');
  await waitFor(() => expect(screen.getAllByText('10 min').length).toBeGreaterThan(0));
}

interface Setting {
  user?: User;
  url?: string;
  chartValue?: ChartValue;
}

function showSchool(school: Partial<School>, { user = makeUser(), url = '/', chartValue }: Setting = {}) {
  setTimeZone('Europe/London');
  signIn(user);
  stubServer(school, chartValue);
  renderInApp(<DashboardPage />, url);
}

const CHART_TITLES = [
  'Accuracy over time',
  'Reading time over time',
  'Accuracy by pupil',
  'Books read by pupil',
  'Reading time by pupil',
];

beforeEach(() => {
  requested = [];
  vi.useFakeTimers({
    now: new Date('2026-11-23T12:00:00Z'),
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    shouldAdvanceTime: true,
  });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
});

it('an open dashboard requests nothing in the background, because every reply is recorded as a view of its pupils', async () => {
  await showPage();
  requested = [];
  await advance(10 * MINUTE_MS);
  setVisibility('hidden');
  await advance(10 * MINUTE_MS);
  setVisibility('visible');
  await advance(10 * MINUTE_MS);
  expect(requested.filter((path) => RECORDED_PATHS.includes(path))).toEqual([]);
});

it('the dashboard requests its figures again when the user returns', async () => {
  await showPage();
  cleanup();
  requested = [];
  await showPage();
  expect(RECORDED_PATHS.every((path) => requested.includes(path))).toBe(true);
});

it('the dashboard shows five charts, and “There is nothing here” in each without data', async () => {
  showSchool({}, { chartValue: () => null });
  await waitFor(() => expect(screen.getAllByText('There is nothing here')).toHaveLength(5));
  const panels = screen.getAllByText('There is nothing here').map((text) => text.closest('section')!);
  expect(panels.map((panel) => within(panel).getByRole('heading', { level: 2 }).textContent)).toEqual(CHART_TITLES);
});

/** Waits until the text is in these charts and in no other. */
const expectInCharts = (text: string, titles: readonly string[]) =>
  waitFor(() =>
    expect(
      CHART_TITLES.filter((title) => {
        const panel = screen.getByRole('heading', { level: 2, name: title }).closest('section')!;
        return within(panel).queryAllByText(text).length > 0;
      }),
    ).toEqual(titles),
  );
/** The last 7 days. */
const LAST_WEEK = '2026-11-17 2026-11-23';
const TIME_CHARTS = ['Reading time over time', 'Reading time by pupil'];

it('the dashboard shows the charts of the selected class, and offers all classes', async () => {
  const classes = [makeClass(), makeClass({ id: 5, name: '4 Owls', readers_count: 30 })];
  showSchool({ groups: classes }, { chartValue: (query) => (query.get('group_id') === '5' ? 7200 : 600) });
  await expectInCharts('10 min', TIME_CHARTS);
  const list = await screen.findByLabelText<HTMLSelectElement>('Class');
  expect([...list.options].map(({ text }) => text)).toEqual([
    'All classes',
    '3 Badgers (1 pupil)',
    '4 Owls (30 pupils)',
  ]);
  fireEvent.change(list, { target: { value: '5' } });
  await expectInCharts('2 h', TIME_CHARTS);
});

it('the dashboard offers the eight ranges of dates in order, and shows the charts of the chosen range', async () => {
  onTestFinished(() => setPreference('range', null));
  showSchool(
    {},
    { chartValue: (query) => (`${query.get('start_date')} ${query.get('end_date')}` === LAST_WEEK ? 7200 : 600) },
  );
  await expectInCharts('10 min', TIME_CHARTS);
  const ranges = await screen.findByRole('list', { name: 'Ranges', hidden: true });
  const links = within(ranges).getAllByRole('link', { hidden: true });
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Today',
    'Yesterday',
    'Last 7 days',
    'Last 30 days',
    'This month',
    'Last month',
    'This year',
    'Last year',
  ]);
  fireEvent.click(links[2]!);
  await expectInCharts('2 h', TIME_CHARTS);
});

const NO_DATA = {
  has_setup_teachers: false,
  has_setup_classes: true,
  has_setup_pupils: false,
  has_setup_assigned_books: false,
  has_chart_data: false,
};

it.each([
  ['admin', ['Invite other teachers', 'Create classes', 'Add pupils', 'Assign books']],
  ['teacher', ['Create classes', 'Add pupils', 'Assign books']],
] as const)('the dashboard lists for the %s of a school without data what to set up: %j', async (role, expected) => {
  const user = makeUser({ enterprise_user_role: role, role });
  showSchool({ setup: NO_DATA, user_manages: role === 'admin' }, { user });
  await screen.findByRole('heading', { name: 'Set up your school' });
  const steps = screen.getAllByRole('listitem');
  expect(steps.map((step) => step.querySelector('strong')?.textContent)).toEqual(expected);
  expect(steps.map((step) => step.querySelector('strong')?.closest('a')?.getAttribute('href'))).toEqual(
    ['/add-teacher', '/classes', '/school/add-readers', '/classes'].slice(-expected.length),
  );
  const done = within(steps[expected.length - 3]!)
    .getByRole('img')
    .getAttribute('aria-label');
  expect([done, screen.getAllByRole('img', { name: 'To do' }).length]).toEqual(['Done', expected.length - 1]);
  expect(screen.queryByLabelText('Class')).toBeNull();
});

it('the dashboard shows “No pupils in this class” with a button to add pupils when the selected class has none', async () => {
  showSchool({ groups: [makeClass({ readers_count: 0, user_manages: true })] }, { url: '/?class=4' });
  await screen.findByText('No pupils in this class');
  expect(screen.getByRole('link', { name: 'Add Pupils' }).getAttribute('href')).toBe('/classes/4/add-readers');
  expect(screen.queryByText(CHART_TITLES[0]!)).toBeNull();
});

it.each([
  ['/', 'No one has read yet this week. No one needs you.'],
  ['/?week=2026-11-09', 'No one needs you.'],
])('the sentence above “Who needs me” at %s is: %s', async (url, sentence) => {
  setTimeZone('Europe/London');
  signIn(makeUser());
  const week = { from: '2026-11-23', to: '2026-11-29', is_last_week: false, pupils: 5, readers: 0, reading_time: 0 };
  stubServer({}, undefined, { ...week, before: { readers: 0, reading_time: 0 }, read_this_week: 0 });
  renderInApp(<DashboardPage />, url);
  expect((await screen.findByText(/needs you/)).textContent).toBe(sentence);
});

const assistant = () => makeUser({ enterprise_user_role: 'teacher', role: 'teaching_assistant' });
const ADA = { id: 3, first_name: 'Ada', last_name: 'Okafor' };

it('the dashboard shows a teaching assistant the reading of their class, without who needs help and hard words', async () => {
  showSchool({ user_manages: false, groups: [makeClass({ assistants: [ADA] })] }, { user: assistant() });
  await expectInCharts('10 min', TIME_CHARTS);
  expect(screen.queryByRole('heading', { name: 'Who needs me' })).toBeNull();
  expect(screen.queryByRole('heading', { name: 'Words this class struggles with' })).toBeNull();
  expect(requested.filter((path) => isForbidden('teaching_assistant', `GET /v1${path}`))).toEqual([]);
});

it.each([
  ['before pupils of the school have read', NO_DATA],
  ['once pupils of the school have read', undefined],
])('the dashboard of a teaching assistant without a class names an admin to ask, %s', async (_when, setup) => {
  const users = [
    { ...ADA, id: 9, email: 'ada@school.example', enterprise_user_role: 'admin', role: 'admin', user_manages: false },
  ] as const;
  showSchool({ user_manages: false, users: [...users], ...(setup && { setup }) }, { user: assistant() });
  await screen.findByText('You do not help in a class yet');
  screen.getByText('Ask Ada Okafor to add you to a class. You will see here how its pupils read.');
  expect(screen.queryByRole('heading', { name: 'Set up your school' })).toBeNull();
});

it('the dashboard shows a reading lead who needs help and the hard words of another teacher’s class', async () => {
  const user = makeUser({ enterprise_user_role: 'teacher', role: 'reading_lead' });
  showSchool({ user_manages: false, groups: [makeClass()] }, { user, url: '/?class=4' });
  await screen.findByRole('heading', { name: 'Who needs me' });
  await screen.findByRole('heading', { name: 'Words this class struggles with' });
});

it('the dashboard of a reading lead starts with all classes', async () => {
  const user = makeUser({ enterprise_user_role: 'teacher', role: 'reading_lead' });
  showSchool({ user_manages: false, groups: [makeClass({ teachers: [ADA] })] }, { user });
  const list = await screen.findByLabelText<HTMLSelectElement>('Class');
  await waitFor(() => expect(list.selectedOptions[0]?.text).toBe('All classes'));
});

it('the dashboard shows a teacher no one who needs help in another teacher’s class', async () => {
  const user = makeUser({ enterprise_user_role: 'teacher', role: 'teacher' });
  showSchool({ user_manages: false, groups: [makeClass()] }, { user, url: '/?class=4' });
  await expectInCharts('10 min', TIME_CHARTS);
  expect(screen.queryByRole('heading', { name: 'Who needs me' })).toBeNull();
});
