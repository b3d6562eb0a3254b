// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ClassWithPupils } from '#contract/calls/classes.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeClass, makePupil, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import { ClassPupils } from './ClassPupils.tsx';

const RESET_ID = '7a1c0000-0000-4000-8000-000000000002';

it('Reset Passwords shows the new cards of the ticked pupils in a dialog, with the focus on Print', async () => {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'POST /v1/enterprises/7/readers/password/reset': () => ({
      reset: { id: RESET_ID, status: 'complete', total: 1, links: null, created_at: '2026-11-18T12:00:00.000Z' },
    }),
    [`GET /v1/enterprises/7/readers/password/reset/${RESET_ID}/logins`]: () => ({
      logins: [{ name: 'Ada Baker', username: 'ada-baker', password: 'blue-boat-7', class: null, code: null }],
      instruction: 'Log in at read.example.',
    }),
  });
  const schoolClass: ClassWithPupils = { ...makeClass({ user_manages: true }), readers: [makePupil()] };
  const { user } = renderInApp(<ClassPupils classId={4} schoolClass={schoolClass} seesReading={false} />);
  await user.click(await screen.findByRole('checkbox', { name: 'Select Ada Baker' }));
  await user.click(screen.getByRole('button', { name: 'Reset Passwords' }));
  await user.click(await screen.findByRole('button', { name: 'Reset password' }));
  const dialog = await screen.findByRole('dialog', { name: 'New login card for Ada Baker' });
  await within(dialog).findByRole('article', { name: 'Login card for Ada Baker' });
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Print' })));
  expect(sent['POST /v1/enterprises/7/readers/password/reset']).toEqual([{ reader_ids: [5] }]);

  await user.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1)!);
  await waitFor(() =>
    expect(screen.getByRole('checkbox', { name: 'Select Ada Baker' })).toHaveProperty('checked', false),
  );
  await screen.findByText('You made a new login card');
});
