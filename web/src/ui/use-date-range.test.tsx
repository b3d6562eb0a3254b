// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useLocation } from '../shared/router.ts';
import { getPreference, setPreference } from '../shared/preferences.ts';
import { useSearchParamDraft } from '../shared/use-search-param-draft.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { useDateRange } from './use-date-range.ts';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-23T12:00:00Z') }));
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

function Page() {
  const { range, setRange } = useDateRange();
  const classChoice = useSearchParamDraft('class');
  return (
    <>
      <output aria-label="URL">{useLocation().search}</output>
      <p>{`${range.from} to ${range.to}`}</p>
      <button type="button" onClick={() => setRange({ from: '2026-11-02', to: '2026-12-24' })}>
        This half term
      </button>
      <button type="button" onClick={() => classChoice.commit('3')}>
        Year 3
      </button>
    </>
  );
}

const passTime = () => act(() => vi.advanceTimersByTimeAsync(0));

it('the range of dates and the class change in quick succession, and a range ends today at the latest', async () => {
  renderInApp(<Page />, '/?page=2');
  fireEvent.click(screen.getByRole('button', { name: 'This half term' }));
  fireEvent.click(screen.getByRole('button', { name: 'Year 3' }));
  await passTime();
  expect(screen.getByLabelText('URL').textContent).toBe('?from=2026-11-02&to=2026-11-23&class=3');
  expect(screen.getByText('2026-11-02 to 2026-11-23')).toBeTruthy();
});

it('a changed range of dates is stored as the default of the next page', async () => {
  setPreference('range', null);
  const { unmount } = renderInApp(<Page />);
  expect(screen.getByText('2026-11-01 to 2026-11-23')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'This half term' }));
  await passTime();
  unmount();
  renderInApp(<Page />, '/pupils/5');
  expect(screen.getByText('2026-11-02 to 2026-11-23')).toBeTruthy();
  expect(getPreference('range')).toEqual({ from: '2026-11-02', to: '2026-12-24' });
  setPreference('range', null);
});
