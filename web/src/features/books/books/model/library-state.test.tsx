// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useLocation } from '../../../../shared/router.ts';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { LibraryTools } from '../components/LibraryTools.tsx';
import { useLibraryState } from './library-state.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function Page() {
  const controls = useLibraryState();
  return (
    <>
      <output aria-label="URL">{useLocation().search}</output>
      <LibraryTools controls={controls} />
      <button type="button" onClick={controls.showAll}>
        Show all books
      </button>
    </>
  );
}

const url = () => screen.getByLabelText('URL').textContent;
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const type = (value: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value } });

it('clearing the filters of a library shows all books although a search was about to be sent', async () => {
  renderInApp(<Page />, '/?from=2&show=assigned');
  type('ann');
  await advance(299);
  fireEvent.click(screen.getByRole('button', { name: 'Show all books' }));
  await advance(1000);
  expect(url()).toBe('');
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
});

it('a library keeps the search, levels and filter that were chosen in quick succession', async () => {
  renderInApp(<Page />);
  type('ann');
  fireEvent.change(screen.getByRole('combobox', { name: 'Reading Levels from' }), { target: { value: '2' } });
  fireEvent.click(screen.getByRole('link', { name: 'Only Assigned' }));
  await advance(1000);
  expect(url()).toBe('?from=2&show=assigned&search=ann');
});
