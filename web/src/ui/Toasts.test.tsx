// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { call } from '../shared/api-client.ts';
import { ApiError } from '../shared/api-error.ts';
import { withBusyRetry } from '../shared/busy.ts';
import { endSession, startSession } from '../shared/session.ts';
import { makeUser } from '../testing/make-school.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { Toasts } from './Toasts.tsx';
import { reportFailedUndo, showToast } from './toasts.ts';
import { UndoFailure } from './UndoFailure.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('a toast closes by itself, and later if its change can be undone', async () => {
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

it('a toast stays while the pointer is over it', async () => {
  const { getByText, queryByText } = render(<Toasts />);
  act(() => showToast('Saved'));
  fireEvent.pointerOver(getByText('Saved'));
  await pass(60_000);
  expect(queryByText('Saved')).not.toBeNull();
  fireEvent.pointerOut(getByText('Saved'));
  await pass(7_000);
  expect(queryByText('Saved')).toBeNull();
});

it('a toast reports that the portal is busy until a call is answered', async () => {
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

it.each([
  ['the user logs out', endSession],
  ['another user logs in', () => startSession(makeUser({ id: 4 }))],
  [
    'another tab logs in another user',
    () => {
      localStorage.setItem('portal.session', JSON.stringify({ key: 'b', user: makeUser({ id: 4 }) }));
      window.dispatchEvent(new StorageEvent('storage', { key: 'portal.session' }));
    },
  ],
])('a child’s name, its Undo and a failed Undo are gone when %s', (_when, change) => {
  startSession(makeUser());
  onTestFinished(endSession);
  const undo = vi.fn<() => Promise<void>>();
  const { queryByText } = renderInApp(<UndoFailure />);
  act(() => {
    showToast('Deleted', { detail: 'Amara Nwachukwu has been deleted', undo });
    reportFailedUndo({ text: 'Bea Bell has been deleted', error: new ApiError(404, {}) });
  });
  expect([queryByText(/Amara/), queryByText(/Bea/)]).not.toContain(null);
  act(change);
  expect([queryByText(/Amara/), queryByText(/Bea/)]).toEqual([null, null]);
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
  expect(undo).not.toHaveBeenCalled();
});

it('an Undo that fails after a log out is not reported to the next user', async () => {
  startSession(makeUser());
  onTestFinished(endSession);
  let answer: (response: Response) => void = () => undefined;
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
  const { getByText, queryByText } = renderInApp(<UndoFailure />);
  const undo = () => call(pupilCalls.renamePupil, { params: { id: 7, readerId: 2 }, body: { name: 'Ann' } });
  act(() => showToast('Deleted', { detail: 'Amara Nwachukwu has been deleted', undo }));
  fireEvent.click(getByText('Undo'));
  act(() => {
    endSession();
    startSession(makeUser({ id: 4 }));
  });
  answer(Response.json({ error: 'The pupil was not found' }, { status: 404 }));
  await pass(1_000);
  expect(queryByText(/Amara/)).toBeNull();
});
