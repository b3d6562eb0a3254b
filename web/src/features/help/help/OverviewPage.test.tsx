// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useLocation } from '../../../shared/router.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import OverviewPage from './OverviewPage.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const Url = () => <output aria-label="URL">{useLocation().search}</output>;
const box = () => screen.getByRole<HTMLInputElement>('searchbox');

it('the help search keeps every letter typed in quick succession, and searches with each', async () => {
  renderInApp(
    <>
      <Url />
      <OverviewPage />
    </>,
  );
  for (const value of ['p', 'pa', 'pas', 'pass']) {
    fireEvent.change(box(), { target: { value } });
    expect(box().value).toBe(value);
  }
  expect(screen.getByRole('region', { name: 'Help search results' }).textContent).toMatch(/password/i);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.getByLabelText('URL').textContent).toBe('?search=pass');
  expect(box().value).toBe('pass');
});

it('the help search works without scripts, as a form', () => {
  renderInApp(<OverviewPage />, '/?search=logins');
  expect(box().value).toBe('logins');
  expect(box().form?.method).toBe('get');
  expect(box().name).toBe('search');
});

it('the overview of the help links to the user guide, the templates, the FAQs and the contact page, among others', () => {
  renderInApp(<OverviewPage />);
  const areas = screen
    .getAllByRole('link')
    .map((link) => [link.querySelector('strong')?.textContent, link.getAttribute('href')]);
  expect(areas).toEqual([
    ['User guide', '/userguide'],
    ['Video guides', '/videoguides'],
    ['Templates', '/templates'],
    ['FAQs', '/faq'],
    ['Contact', '/contact'],
  ]);
});

it('the overview of the help has no contact page for a supply teacher, who has no address for the reply', () => {
  signIn(makeUser({ role: 'supply_teacher', enterprise_user_role: 'teacher' }));
  renderInApp(<OverviewPage />);
  expect([screen.getByRole('link', { name: /FAQs/ }), screen.queryByRole('link', { name: /Contact/ })]).toEqual([
    expect.anything(),
    null,
  ]);
});
