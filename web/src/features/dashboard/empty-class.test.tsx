// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { makeClass, makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderInApp, signIn } from '../../testing/render-in-app.tsx';
import { setTimeZone } from '../../testing/set-time-zone.ts';
import DashboardPage from './DashboardPage.tsx';

it('the dashboard of a class without pupils shows “No pupils in this class” with a link to add them, and no charts', async () => {
  setTimeZone('Europe/London');
  signIn(makeUser());
  const schoolClass = makeClass({ readers_count: 0, user_manages: true });
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ groups: [schoolClass] }) }) });
  const page = renderInApp(<DashboardPage />, '/?class=4');
  await screen.findByText('No pupils in this class');
  const link = within(page.container).getByRole('link', { name: 'Add Pupils' });
  expect(link.getAttribute('href')).toBe('/classes/4/add-readers');
  expect(screen.queryByRole('heading', { name: 'Accuracy over time' })).toBeNull();
});
