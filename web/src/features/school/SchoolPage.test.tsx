// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { School } from '#contract/calls/school.ts';
import { fakeApi, rejectWith } from '../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderInApp, signIn } from '../../testing/render-in-app.tsx';
import SchoolPage from './SchoolPage.tsx';

/** Shows the page to an admin. Returns the changes of the school that it sends. */
function showSchool(more: Partial<School>, save?: () => Response) {
  let school = makeSchool(more);
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: school }),
    'GET /v1/enterprises/7/terms': () => ({ acceptances: [] }),
    'POST /v1/enterprises/7': (body) => {
      if (save) return save();
      school = { ...school, recording_enabled: (body as { recording_enabled: number }).recording_enabled === 1 };
      return { enterprise: school };
    },
  });
  return { ...renderInApp(<SchoolPage />, '/school'), sent: () => sent['POST /v1/enterprises/7'] };
}

it('lets an admin disable recordings while the school is locked, and enable them only afterwards', async () => {
  const { user, sent } = showSchool({ access: 'locked', recording_enabled: true });
  await user.click(await screen.findByRole('button', { name: 'Disable recordings' }));
  await screen.findByRole('heading', { name: 'Recordings Disabled' });
  expect(sent()).toEqual([{ recording_enabled: 0 }]);
  expect(screen.queryByRole('button', { name: 'Enable recordings' })).toBeNull();
  expect(screen.getByText(/enable recordings again when the account is open/)).toBeTruthy();
});

it('shows recordings as enabled when they could not be disabled', async () => {
  const { user } = showSchool({ access: 'locked', recording_enabled: true }, () =>
    rejectWith(500, { error: 'An error occurred', error_type: 'server' }),
  );
  await user.click(await screen.findByRole('button', { name: 'Disable recordings' }));
  expect(await screen.findByText(/Recordings are still enabled/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Disable recordings' })).toBeTruthy();
});

it('offers recordings to an admin of an open school', async () => {
  showSchool({ access: 'open', recording_enabled: false });
  expect(await screen.findByRole('button', { name: 'Enable recordings' })).toBeTruthy();
});

it('enables recordings with 1 and disables them with 0', async () => {
  const { user, sent } = showSchool({ access: 'open', recording_enabled: false });
  await user.click(await screen.findByRole('button', { name: 'Enable recordings' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Enable recordings' }));
  await screen.findByRole('heading', { name: 'Recordings Enabled' });
  await waitFor(() => expect(sent()).toEqual([{ recording_enabled: 1 }]));
  const disable = await screen.findByRole('button', { name: 'Disable recordings' });
  await waitFor(() => expect(disable).toHaveProperty('disabled', false));
  await user.click(disable);
  await screen.findByRole('heading', { name: 'Recordings Disabled' });
  await waitFor(() => expect(sent()).toEqual([{ recording_enabled: 1 }, { recording_enabled: 0 }]));
});

it('hides recordings from a school that cannot have them', async () => {
  showSchool({ access: 'open', can_enable_recordings: false });
  await screen.findByRole('heading', { name: 'Primary contact' });
  expect(screen.queryByText(/Recordings/)).toBeNull();
});
