// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { chartCalls } from '#contract/calls/charts.ts';
import { classReadingCalls } from '#contract/calls/class-reading.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderInApp, signIn } from '../../testing/render-in-app.tsx';
import { setTimeZone } from '../../testing/set-time-zone.ts';
import DashboardPage from './DashboardPage.tsx';

const INTERVAL_MS = 30_000;
const UPDATED_CALLS = [
  classReadingCalls.getReadingLine,
  readingNeedsCalls.listReadingNeeds,
  chartCalls.compareFigures,
  chartCalls.getChart,
];

const NO_NEEDS = {
  readers: [],
  not_read: { readers: [], total: 0, since: '2026-11-16' },
  improved: [],
  hidden: [],
  week: { pupils: 0 },
  meta: { total: 0, too_little: 0 },
};

let requested: string[];
let minutesRead: number;
let isAvailable: boolean;

const makeChart = (name: string | null) => ({
  name,
  labels: ['2026-11-23'],
  bucket: 'day',
  reader_ids: null,
  series: [{ name: 'Total', level: null, data: [minutesRead * 60] }],
  average: 60,
  total: minutesRead * 60,
});

/** Replaces the server, and notes the path of each request. */
function stubServer(): void {
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address, 'https://portal.example');
    requested.push(pathname.replace('/v1', ''));
    if (!isAvailable) return Response.json({ error: 'Busy', error_type: 'unavailable' }, { status: 503 });
    if (pathname === '/v1/enterprises/7')
      return Response.json({ enterprise: makeSchool({ features: ['new_statistics'] }) });
    if (pathname === '/v1/charts') return Response.json({ chart: makeChart(searchParams.get('name')) });
    if (pathname === '/v1/charts/comparison') return Response.json({ comparison: null });
    if (pathname.endsWith('/reading-line'))
      return Response.json({ line: { readers: [], is_current_week: true, from: '2026-11-23' } });
    if (pathname.endsWith('/needs')) return Response.json(NO_NEEDS);
    return Response.json({ error: 'Missing', error_type: 'not_found' }, { status: 404 });
  });
}

/** How often each call that is updated was made. */
const countRequests = () =>
  UPDATED_CALLS.map(({ path }) => requested.filter((one) => one === path.replace('{id}', '7')).length);

const advance = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

function setVisibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
  window.dispatchEvent(new Event('visibilitychange'));
}

async function showPage(query = ''): Promise<void> {
  setTimeZone('Europe/London');
  signIn(makeUser());
  stubServer();
  renderInApp(<DashboardPage />, `/${query}`);
  await waitFor(() => expect(screen.getAllByText('10 min').length).toBeGreaterThan(0));
}

beforeEach(() => {
  requested = [];
  minutesRead = 10;
  isAvailable = true;
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

it('the dashboard shows new reading after half a minute, and asks only for its figures', async () => {
  await showPage();
  const first = countRequests();
  requested = [];
  minutesRead = 25;
  await advance(INTERVAL_MS);
  expect(countRequests()).toEqual(first);
  expect(screen.getAllByText('25 min').length).toBeGreaterThan(0);
  expect(requested.length).toBe(first.reduce((sum, count) => sum + count, 0));
});

it('the dashboard asks for nothing while it is hidden, and for its figures when it is shown again', async () => {
  await showPage();
  setVisibility('hidden');
  requested = [];
  await advance(4 * INTERVAL_MS);
  expect(requested).toEqual([]);
  setVisibility('visible');
  await advance(INTERVAL_MS);
  expect(countRequests().every((count) => count > 0)).toBe(true);
});

it('the dashboard asks for nothing after the user has left it', async () => {
  await showPage();
  cleanup();
  requested = [];
  await advance(4 * INTERVAL_MS);
  expect(requested).toEqual([]);
});

it('the dashboard keeps its charts when an update fails', async () => {
  await showPage();
  isAvailable = false;
  await advance(2 * INTERVAL_MS);
  expect(screen.getAllByText('10 min').length).toBeGreaterThan(0);
  expect(screen.queryByText('Busy')).toBeNull();
});

it('charts of past days are not updated', async () => {
  await showPage('?from=2026-10-01&to=2026-10-31');
  requested = [];
  await advance(2 * INTERVAL_MS);
  expect(countRequests()).toEqual([2, 2, 0, 0]);
});

it('an update records no view of a pupil’s record', () => {
  for (const call of UPDATED_CALLS) expect(call).not.toHaveProperty('views');
});
