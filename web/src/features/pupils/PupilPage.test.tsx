// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeApi, rejectWith } from '../../testing/fake-api.ts';
import { makePupil, makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../testing/render-in-app.tsx';
import { setTimeZone } from '../../testing/set-time-zone.ts';
import PupilPage from './PupilPage.tsx';

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
