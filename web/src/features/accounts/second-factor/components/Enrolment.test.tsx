// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { getSession } from '../../../../shared/session.ts';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { SecondStep } from './SecondStep.tsx';

it('adds an authenticator app, shows the recovery codes and only then logs in', async () => {
  const person = makeUser();
  const sent = fakeApi({
    'POST /v1/auth/enrolment/authenticator': () => ({
      secret: 'ABCD2345',
      url: 'otpauth://totp/x',
      qr: { size: 1, path: 'M0 0h1v1' },
    }),
    'POST /v1/auth/enrolment/authenticator/confirm': () => ({
      user: person,
      meta: { token: 'secret' },
      recovery_codes: ['aaaaa-bbbbb'],
    }),
  });
  const onLogIn = vi.fn<(user: User) => Promise<void>>(async () => undefined);
  const { user } = renderInApp(
    <SecondStep step={{ token: 'step', methods: [] }} onLogIn={onLogIn} onRestart={() => undefined} />,
  );
  await user.click(await screen.findByRole('button', { name: 'Add an authenticator app' }));
  await user.type(await screen.findByLabelText('Code'), '123 456');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('aaaaa-bbbbb')).toBeTruthy();
  expect(screen.getByText(`Recovery codes of ${person.email}`)).toBeTruthy();
  expect(sent['POST /v1/auth/enrolment/authenticator/confirm']).toEqual([
    { token: 'step', code: '123456', name: 'Phone' },
  ]);
  expect([onLogIn.mock.calls.length, getSession()]).toEqual([0, null]);
  await user.click(screen.getByRole('button', { name: 'I have kept them' }));
  await waitFor(() => expect(onLogIn).toHaveBeenCalledWith(person));
  expect(getSession()?.user.id).toBe(person.id);
});
