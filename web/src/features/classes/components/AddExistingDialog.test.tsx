// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeClass, makePupil, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import { loadDialogFrame } from '../../../ui/Dialog.tsx';
import { AddExistingDialog } from './AddExistingDialog.tsx';

beforeEach(async () => {
  await loadDialogFrame();
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const rest = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('the search for existing pupils needs 2 characters, waits 500 ms and asks for 50 results', async () => {
  signIn(makeUser());
  const searches: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const { searchParams } = new URL(url, 'https://portal.example');
    if (searchParams.has('search[value]')) searches.push(searchParams.toString());
    return Response.json({
      readers: searchParams.get('search[value]') === 'ad' ? [makePupil()] : [],
      meta: { total: 1, total_filtered: 1, page: 1, per_page: 50 },
    });
  });
  renderInApp(<AddExistingDialog schoolClass={makeClass()} isOpen onClose={() => undefined} />);
  await rest(1000);
  const type = (value: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value } });
  type('a');
  await rest(1000);
  expect(screen.getByText('Please enter at least 2 characters.')).toBeTruthy();
  expect(searches).toEqual([]);

  type('ad');
  await rest(499);
  expect(searches).toEqual([]);
  await rest(1);
  await rest(100);
  expect(searches).toEqual([new URLSearchParams({ 'search[value]': 'ad', length: '50' }).toString()]);
  expect(screen.getByRole('checkbox', { name: 'Ada Baker' })).toBeTruthy();

  type('zz');
  await rest(500);
  await rest(100);
  expect(screen.getByText('No pupils found. Please check you have entered their name correctly.')).toBeTruthy();
});
