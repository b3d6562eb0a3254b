// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render-in-app.tsx';
import LoginPage from './LoginPage.tsx';

afterEach(() => vi.restoreAllMocks());

it.each([
  [true, 0],
  [false, 1],
])('says why one cannot log in unless the browser keeps cookies: %s', async (keepsCookies, notices) => {
  vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(keepsCookies);
  renderInApp(<LoginPage />, '/login');
  await screen.findByRole('button', { name: 'Log in' });
  expect(screen.queryAllByText(/This browser does not keep cookies/)).toHaveLength(notices);
});
