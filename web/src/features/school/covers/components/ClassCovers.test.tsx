// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Cover } from '#contract/calls/covers.ts';
import { fakeApi, rejectWith } from '../../../../testing/fake-api.ts';
import { makeCover, makeSupplyCard } from '../../../../testing/make-cover.ts';
import { makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { ClassCovers } from './ClassCovers.tsx';

const CARD = 'POST /v1/enterprises/7/covers/35/card';
const END = 'DELETE /v1/enterprises/7/covers/35';

/** Shows who covers class 4. Changes to `listed` are on the next reply. */
function showCovers(listed: Cover[], replies: Parameters<typeof fakeApi>[0] = {}) {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'GET /v1/enterprises/7/covers': () => ({ covers: listed }),
    ...replies,
  });
  return { sent, ...renderInApp(<ClassCovers classId={4} />) };
}

it('the covers of a class are listed with their ends, without those of other classes and those that have ended', async () => {
  showCovers([
    makeCover(),
    makeCover({ id: 36, is_supply: false, code: null, user: { id: 12, first_name: 'Tom', last_name: 'Ford' } }),
    makeCover({ id: 37, group: { id: 5, name: '4 Owls' } }),
    makeCover({ id: 38, ends_at: '2020-01-01T15:30:00.000Z' }),
  ]);
  const list = await screen.findByRole('region', { name: 'Cover' });
  expect([...list.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual([
    'Covered by Priya Shah (supply teacher) until Friday 27 November at 15:30',
    'Covered by Tom Ford until Friday 27 November at 15:30',
  ]);
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Make a card',
    'End cover',
    // A colleague needs no card.
    'End cover',
  ]);
});

it.each([
  ['unused', 'Card not used yet'],
  ['used', 'Logged in with the card'],
] as const)('a code that is %s reads “%s”', async (code, text) => {
  showCovers([makeCover({ code })]);
  await screen.findByText(text);
});

it('Make a card shows the code, school, class, page and end as they are printed, and prints them', async () => {
  const print = vi.fn<() => void>();
  vi.stubGlobal('print', print);
  const listed = [makeCover()];
  const { user } = showCovers(listed, {
    [CARD]: () => {
      listed[0] = makeCover({ code: 'unused' });
      return { card: makeSupplyCard() };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Make a card for Priya Shah' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Card for Priya Shah' }));
  const card = dialog.getByRole('article', { name: 'Card for Priya Shah' });
  for (const text of ['Oak Row', 'Priya Shah', '3 Badgers', 'K7PM', '3XQR', '9DTW', 'portal.example/supply'])
    within(card).getByText(text);
  within(card).getByText('Works once, on one device, until the end of Thursday 26 November.');
  expect(within(card).getByRole('img').querySelector('path')?.getAttribute('d')).toBe('M0 0h7v7z');
  expect(card.hasAttribute('data-printed-alone')).toBe(true);
  dialog.getByText(/we cannot show this code again/);
  await user.click(dialog.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();

  await user.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1)!);
  await waitFor(() => expect(screen.queryByText('K7PM')).toBeNull());
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Make a new card for Priya Shah' })),
  );
});

it('a new card is made only after a question, and a failure leaves the current one', async () => {
  let tries = 0;
  const { user, sent } = showCovers([makeCover({ code: 'used' })], {
    [CARD]: () =>
      (tries += 1) === 1 ? rejectWith(409, { error: 'Later.', error_type: 'conflict' }) : { card: makeSupplyCard() },
  });
  await user.click(await screen.findByRole('button', { name: 'Make a new card for Priya Shah' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Make a new card for Priya Shah?' }));
  dialog.getByText(/The device on which they logged in is logged out/);
  expect(sent[CARD]).toBeUndefined();
  await user.click(dialog.getByRole('button', { name: 'Make a new card' }));
  await dialog.findByText(/There is no new card\./);
  await user.click(dialog.getByRole('button', { name: 'Make a new card' }));
  await screen.findByRole('article', { name: 'Card for Priya Shah' });
});

it('End cover asks first, and then the class is no longer covered', async () => {
  const listed = [makeCover({ code: 'used' })];
  const { user, sent } = showCovers(listed, {
    [END]: () => {
      listed.length = 0;
      return {};
    },
  });
  await user.click(await screen.findByRole('button', { name: 'End cover by Priya Shah' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'End the cover of 3 Badgers by Priya Shah?' }));
  dialog.getByText('Priya Shah is logged out at once, and their card no longer works.');
  expect(sent[END]).toBeUndefined();
  await user.click(dialog.getByRole('button', { name: 'End cover' }));
  await screen.findByText('The cover has ended');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Cover' })).toBeNull());
});

it('a closed school can end covers, and makes no cards', async () => {
  showCovers([makeCover()], {
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ access: 'closed' }) }),
  });
  await screen.findByRole('button', { name: 'End cover by Priya Shah' });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Make a card for Priya Shah' })).toBeNull());
});
