// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import DataAndPrivacyPage from './DataAndPrivacyPage.tsx';

const notes = {
  name: 'pupil_notes',
  title: 'Notes on pupils',
  contents: 'Texts',
  whose: ['pupils'],
  purpose: 'To teach',
  legal: null,
  recipients: 'Teachers',
  kept: 'Until the pupil is erased',
  erased: 'With the pupil',
  exported: 'In the download',
  period: { table: 'pupil_notes', days: null, choices: [30] },
  removed: 0,
};

/** Shows the page to a member of the school with the role. */
async function showData(role: 'admin' | 'data_protection_officer') {
  signIn(makeUser({ role, enterprise_user_role: role === 'admin' ? 'admin' : 'teacher' }));
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ user_manages: role === 'admin' }) }),
    'GET /v1/enterprises/7/data': () => ({
      holdings: [notes],
      last_run: null,
      former_staff: [
        { id: 5, first_name: 'Ivy', last_name: 'Wren', email: 'ivy@school.example', left_on: '2026-07-20' },
      ],
      processors: [],
      keeps_import_digests: true,
    }),
    'GET /v1/enterprises/7/erasures?page=1&per_page=20': () => ({
      erasures: [],
      meta: { page: 1, per_page: 20, total: 0, total_filtered: 0 },
    }),
  });
  const page = renderInApp(<DataAndPrivacyPage />, '/school/data');
  await screen.findByRole('row', { name: /Ivy Wren/ });
  return page;
}

const CHANGES = /^(Change the period|Erase the account|Close the school)/;
const buttonNames = () =>
  screen
    .getAllByRole('button', { hidden: true })
    .map((button) => button.getAttribute('aria-label') ?? button.textContent)
    .filter((name) => CHANGES.test(name ?? ''));

it('an admin changes periods, erases former staff, drops digests and closes the school on the page', async () => {
  await showData('admin');
  expect(buttonNames()).toEqual([
    'Change the period of Notes on pupils',
    'Erase the account of Ivy Wren',
    'Close the school',
  ]);
  expect(screen.getByRole('switch', { name: /Keep dates of birth/ })).toBeTruthy();
});

it('a data protection officer reads the same page, without the buttons that change or erase', async () => {
  await showData('data_protection_officer');
  expect(buttonNames()).toEqual([]);
  expect(screen.queryByRole('switch')).toBeNull();
  expect(screen.getByText('Your school keeps them.')).toBeTruthy();
  expect(screen.getByText(/An admin can erase it sooner/)).toBeTruthy();
  expect(
    within(screen.getByRole('region', { name: 'Closing the school' })).getByText(/Only an admin can/),
  ).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Data request about Ivy Wren' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Requests and complaints' })).toBeTruthy();
});
