// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render-in-app.tsx';
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

it('says why one cannot log in when cookies are blocked although the browser claims to keep them', async () => {
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('');
  vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(true);
  renderInApp(<LoginPage />, '/login');
  expect(await screen.findByText(/This browser does not keep cookies/)).not.toBeNull();
});

it.each([
  ['session-ended', 'Your session has ended. Log in again to continue.'],
  ['cookies-blocked', 'This browser does not keep cookies'],
  ['decline', '^You have declined the invitation$'],
])('says why a page led to the login: %s', async (action, text) => {
  renderInApp(<LoginPage />, `/login?action=${action}`);
  expect(await screen.findByText(new RegExp(text))).not.toBeNull();
});

it('the login has a form for email and password, a button Register & Subscribe and a link Forgotten Password', async () => {
  renderInApp(<LoginPage />, '/login');
  const form = (await screen.findByRole('button', { name: 'Log in' })).closest('form');
  expect(form?.contains(screen.getByLabelText('Email'))).toBe(true);
  expect(form?.contains(screen.getByLabelText('Password'))).toBe(true);
  const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect([hrefOf('Register & Subscribe'), hrefOf('Forgotten Password')]).toEqual(['/register', '/forgotten']);
});
