// @vitest-environment happy-dom
import { focusManager } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { CardSheet } from './CardSheet.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  focusManager.setFocused(undefined);
  vi.useRealTimers();
});

it('login cards stay on screen when the user returns to the tab and the server fails', async () => {
  signIn(makeUser());
  let requests = 0;
  const login = { name: 'Ada Baker', username: 'ada.baker', password: 'blue-boat-7', class: null };
  vi.stubGlobal('fetch', async () => {
    requests += 1;
    return requests === 1
      ? Response.json({ logins: [login], instruction: 'Log in at read.example.' })
      : Response.json({ error: 'Away', error_type: 'server' }, { status: 503 });
  });
  renderInApp(<CardSheet source={{ resetId: '7a1c' }} />);
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(screen.getByText('blue-boat-7')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(screen.getByText('blue-boat-7')).toBeTruthy();
});
