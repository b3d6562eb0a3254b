// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { setPreference } from '../../shared/preferences.ts';
import { fakeApi, rejectWith } from '../../testing/fake-api.ts';
import { makePupil, makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../testing/render-in-app.tsx';
import { setTimeZone } from '../../testing/set-time-zone.ts';
import PupilPage from './PupilPage.tsx';

const SUMMARY = {
  average_reading_time: null,
  books_completed: 0,
  books_in_progress: 0,
  books_not_started: 0,
  reading_sessions: [],
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T12:00:00Z') });
  setPreference('range', null);
  onTestFinished(() => {
    setPreference('range', null);
    vi.useRealTimers();
  });
});

/** Shows the page to a teacher. Returns the ranges for which it has requested the summary. */
function showPupil(can_update: boolean) {
  signIn(makeUser({ enterprise_user_role: 'teacher' }));
  const ranges: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://portal');
    if (pathname === '/v1/enterprises/7') return Response.json({ enterprise: makeSchool({ user_manages: false }) });
    if (pathname === '/v1/enterprises/7/readers/5') return Response.json({ reader: makePupil({ can_update }) });
    if (!pathname.endsWith('/summary'))
      return Response.json({ error: 'Missing', error_type: 'not_found' }, { status: 404 });
    const from = searchParams.get('start_time') ?? '';
    ranges.push(`${from} to ${searchParams.get('end_time')}`);
    return Response.json({ ...SUMMARY, total_reading_time: from.startsWith('2026-11-01') ? 60 : 120 });
  });
  return { ...renderRoutes([{ path: '/pupils/:id', Component: PupilPage }], '/pupils/5'), ranges };
}

it.each([
  [true, ['UPDATE PUPIL NAME', 'RESET PASSWORD']],
  [false, []],
])(
  'offers to rename the pupil and reset their password only when can_update is true: %j',
  async (canUpdate, expected) => {
    showPupil(canUpdate);
    await screen.findByRole('heading', { level: 1, name: 'Ada Baker' });
    await screen.findByText('60');
    const buttons = screen.queryAllByRole('button', { name: /^(UPDATE PUPIL NAME|RESET PASSWORD)$/ });
    expect(buttons.map(({ textContent }) => textContent)).toEqual(expected);
    expect(screen.getByRole('link', { name: 'MANAGE BOOKS' }).getAttribute('href')).toBe('/pupils/5/books');
  },
);

it('shows the reading from the start of the month until the end of today, and loads the summary again for other dates', async () => {
  const { user, ranges } = showPupil(true);
  await screen.findByText('60');
  expect(new Set(ranges)).toEqual(new Set(['2026-11-01T00:00:00.000Z to 2026-11-23T23:59:59.999Z']));
  await user.click(screen.getByText(/^Dates:/));
  await user.click(await screen.findByRole('link', { name: 'Yesterday' }));
  await screen.findByText('2');
  await waitFor(() => expect(ranges.at(-1)).toBe('2026-11-22T00:00:00.000Z to 2026-11-22T23:59:59.999Z'));
});

it('a summary that cannot be loaded is reported as an error on the pupil’s page', async () => {
  setTimeZone('Europe/London');
  signIn(makeUser());
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'GET /v1/enterprises/7/readers/5': () => ({ reader: makePupil() }),
  });
  const others = fetch;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) =>
    url.startsWith('/v1/enterprises/7/readers/5/summary')
      ? rejectWith(500, { error: 'The summary is broken', error_type: 'server' })
      : others(url, init),
  );
  renderRoutes([{ path: '/pupils/:id', Component: PupilPage }], '/pupils/5');
  expect(await screen.findByRole('heading', { level: 1, name: 'Ada Baker' })).toBeTruthy();
  const alert = (await screen.findByText(/The summary is broken/)).closest('[role=alert]') as HTMLElement;
  expect(within(alert).getByRole('img', { name: 'Problem' })).toBeTruthy();
});
