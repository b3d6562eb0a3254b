// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { useUnsavedWork } from '../shared/unsaved-work.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { fetchVersion, isWatched, UpdateWatch } from './UpdateWatch.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Page({ isDirty = false }) {
  useUnsavedWork(isDirty);
  return <UpdateWatch version="old" />;
}

/** A page of the version `old`. `serve` says what the server has from now on, and lets the page ask. */
function open(page = <Page />) {
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue(undefined);
  const answer = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', answer);
  const ask = () => act(async () => void window.dispatchEvent(new Event('online')));
  return {
    ...renderInApp(page),
    reload,
    serve(hash: string) {
      answer.mockResolvedValue({ ok: true, json: () => Promise.resolve({ hash }) } as Response);
      return ask();
    },
    breakDown() {
      answer.mockRejectedValue(new TypeError('fetch failed'));
      return ask();
    },
  };
}

it('the page offers a new version, and loads it on request', async () => {
  const { user, serve, reload, findByRole, getByRole } = open();
  await serve('new');
  const dialog = await findByRole('dialog', { name: 'An update is available' });
  expect(dialog.textContent).toContain('You will not lose anything.');
  expect(reload).not.toHaveBeenCalled();
  await user.click(getByRole('button', { name: 'Update now' }));
  expect(reload).toHaveBeenCalledTimes(1);
});

it('an update does not discard unsaved work, and a dismissed offer returns only for a newer version', async () => {
  const { user, serve, reload, findByRole, getByRole, queryByRole } = open(<Page isDirty />);
  await serve('new');
  const dialog = await findByRole('dialog');
  expect(dialog.textContent).toContain('You have unsaved changes on this page.');
  await user.click(getByRole('button', { name: 'Back to my changes' }));
  expect(queryByRole('dialog')).toBeNull();
  for (const known of ['new', 'old']) {
    await serve(known);
    expect(queryByRole('dialog')).toBeNull();
  }
  await serve('newer');
  await findByRole('dialog');
  expect(reload).not.toHaveBeenCalled();
  // The browser asks before it lets the page go.
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
});

it('the page reports that the server cannot be reached until it can', async () => {
  const { serve, breakDown, findByText, queryByText } = open();
  await breakDown();
  await findByText('Error: Network Error');
  await serve('old');
  expect(queryByText('Error: Network Error')).toBeNull();
});

it('the page fetches the version file every 120,000 ms, and not before', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const fetched = vi.fn<typeof fetch>(async () => Response.json({ hash: 'old' }));
  vi.stubGlobal('fetch', fetched);
  renderInApp(<UpdateWatch version="old" />);
  const counts = [];
  for (const milliseconds of [119_999, 1, 119_999, 1]) {
    await act(() => vi.advanceTimersByTimeAsync(milliseconds));
    counts.push(fetched.mock.calls.length);
  }
  expect(counts).toEqual([0, 1, 1, 2]);
});

it.each([
  ['production', 'abc', true],
  ['staging', 'abc', true],
  ['development', 'abc', false],
  ['local', 'abc', false],
  ['production', undefined, false],
])('a page at stage %s with version %j watches for updates: %j', (stage, version, expected) => {
  expect(isWatched(stage, version)).toBe(expected);
});

it('the page requests the version file with a timestamp, which no cache has', async () => {
  const fetched = vi.fn<typeof fetch>(async () => Response.json({ hash: 'new' }));
  vi.stubGlobal('fetch', fetched);
  expect(await fetchVersion(new AbortController().signal)).toBe('new');
  expect(String(fetched.mock.calls[0]?.[0])).toMatch(/^\/version\.json\?t=\d+$/);
});

it.each([
  ['a page instead of the file', () => new Response('<!doctype html>')],
  ['an error', () => Response.json({ hash: 'new' }, { status: 503 })],
  ['no hash', () => Response.json({})],
  [
    'no network',
    () => {
      throw new TypeError('Failed to fetch');
    },
  ],
])("the request for the version file fails with 'Error: Network Error' at %s", async (_name, answer) => {
  vi.stubGlobal('fetch', async () => answer());
  await expect(fetchVersion(new AbortController().signal)).rejects.toThrow('Error: Network Error');
});
