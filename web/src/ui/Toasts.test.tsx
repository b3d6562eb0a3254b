// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../shared/api-error.ts';
import { withBusyRetry } from '../shared/busy.ts';
import { Toasts } from './Toasts.tsx';
import { showToast } from './toasts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('says something for a while, and longer what can be taken back', async () => {
  const { queryByText } = render(<Toasts />);
  act(() => {
    showToast('Saved');
    showToast('Deleted', { detail: 'Tilly Marsh has been deleted', undo: async () => undefined });
  });
  await pass(5_000);
  expect(queryByText('Saved')).not.toBeNull();
  await pass(2_000);
  expect(queryByText('Saved')).toBeNull();
  expect(queryByText('Tilly Marsh has been deleted')).not.toBeNull();
  await pass(6_000);
  expect(queryByText('Tilly Marsh has been deleted')).toBeNull();
});

it('stays while it is pointed at', async () => {
  const { getByText, queryByText } = render(<Toasts />);
  act(() => showToast('Saved'));
  fireEvent.pointerOver(getByText('Saved'));
  await pass(60_000);
  expect(queryByText('Saved')).not.toBeNull();
  fireEvent.pointerOut(getByText('Saved'));
  await pass(7_000);
  expect(queryByText('Saved')).toBeNull();
});

it('says that the portal is busy until a call has been answered', async () => {
  const { queryByText } = render(<Toasts />);
  const send = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(new ApiError(503, { code: 'busy' }, 5))
    .mockResolvedValue(undefined);
  await act(async () => void withBusyRetry(send));
  expect(queryByText('Busy. Trying again in 5 seconds')).not.toBeNull();
  await pass(5_000);
  expect(queryByText('Busy. Trying again in 5 seconds')).toBeNull();
});
