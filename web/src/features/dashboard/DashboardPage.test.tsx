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

const makeChart = (name: string | null) => ({
  name,
  labels: ['2026-11-23'],
  bucket: 'day',
  reader_ids: null,
  series: [{ name: 'Total', level: null, data: [600] }],
  average: 60,
  total: 600,
});

/** Replaces the server, and notes the path of each request. */
function stubServer(): void {
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address, 'https://portal.example');
    requested.push(pathname.replace('/v1', ''));
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

it('an open dashboard asks for nothing in the background, because every reply is recorded as a view of its pupils', async () => {
  await showPage();
  requested = [];
  await advance(10 * MINUTE_MS);
  setVisibility('hidden');
  await advance(10 * MINUTE_MS);
  setVisibility('visible');
  await advance(10 * MINUTE_MS);
  expect(requested.filter((path) => RECORDED_PATHS.includes(path))).toEqual([]);
});

it('the dashboard asks for its figures again when the user returns to it', async () => {
  await showPage();
  cleanup();
  requested = [];
  await showPage();
  expect(RECORDED_PATHS.every((path) => requested.includes(path))).toBe(true);
});
