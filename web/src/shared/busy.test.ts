import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { ApiError } from './api-error.ts';
import { getBusyWait, withBusyRetry } from './busy.ts';
import { endSession, startSession } from './session.ts';

const busy = () => new ApiError(503, { error: 'The portal is busy.', code: 'busy' }, 5);

beforeEach(() => {
  vi.useFakeTimers();
  startSession({ id: 1 } as User);
});
afterEach(() => {
  vi.useRealTimers();
  endSession();
});

test('a call that the server was too busy for is sent again after the seconds that the server names', async () => {
  const send = vi.fn<() => Promise<string>>().mockRejectedValueOnce(busy()).mockResolvedValue('done');
  const result = withBusyRetry(send);
  await vi.advanceTimersByTimeAsync(4999);
  expect({ sent: send.mock.calls.length, wait: getBusyWait() }).toEqual({ sent: 1, wait: 5 });
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toBe('done');
  expect({ sent: send.mock.calls.length, wait: getBusyWait() }).toEqual({ sent: 2, wait: undefined });
});

test('a call fails when the server is still busy after half a minute', async () => {
  const send = vi.fn<() => Promise<string>>().mockImplementation(() => Promise.reject(busy()));
  const failure = withBusyRetry(send).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await failure).toMatchObject({ code: 'busy' });
  expect({ sent: send.mock.calls.length, wait: getBusyWait() }).toEqual({ sent: 7, wait: undefined });
});

test('another failure with status 503 is not sent again, because the server may have begun with it', async () => {
  const send = vi.fn<() => Promise<string>>().mockRejectedValue(new ApiError(503, { error: 'An error occurred' }, 5));
  await expect(withBusyRetry(send)).rejects.toMatchObject({ status: 503 });
  expect(send).toHaveBeenCalledTimes(1);
});

test('a waiting call is not sent for the next user of the browser', async () => {
  const send = vi.fn<() => Promise<string>>().mockRejectedValueOnce(busy()).mockResolvedValue('done');
  const failure = withBusyRetry(send).catch((error: unknown) => error);
  endSession();
  startSession({ id: 2 } as User);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await failure).toMatchObject({ code: 'busy' });
  expect(send).toHaveBeenCalledTimes(1);
});

test('a waiting call that is no longer needed ends at once', async () => {
  const send = vi.fn<() => Promise<string>>().mockRejectedValue(busy());
  const ended = new AbortController();
  const failure = withBusyRetry(send, ended.signal).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1000);
  ended.abort();
  expect(await failure).toMatchObject({ name: 'AbortError' });
  expect({ sent: send.mock.calls.length, wait: getBusyWait() }).toEqual({ sent: 1, wait: undefined });
});
