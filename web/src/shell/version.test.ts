import { afterEach, expect, it, vi } from 'vitest';
import { fetchVersion, isWatched } from './version.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['production', 'abc', true],
  ['staging', 'abc', true],
  ['development', 'abc', false],
  ['local', 'abc', false],
  ['production', undefined, false],
])('at stage %s with version %j watches: %j', (stage, version, expected) => {
  expect(isWatched(stage, version)).toBe(expected);
});

it('requests the file with a timestamp', async () => {
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
])("throws 'Error: Network Error' at %s", async (_name, answer) => {
  vi.stubGlobal('fetch', async () => answer());
  await expect(fetchVersion(new AbortController().signal)).rejects.toThrow('Error: Network Error');
});
