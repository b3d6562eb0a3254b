// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { download } from './download.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a download that the server was too busy for is fetched again after the seconds that the server names', async () => {
  vi.useFakeTimers();
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const fetched = vi
    .fn<() => Promise<Response>>()
    .mockResolvedValueOnce(
      Response.json({ error: 'Busy', code: 'busy' }, { status: 503, headers: { 'Retry-After': '7' } }),
    )
    .mockResolvedValue(new Response('a,b'));
  vi.stubGlobal('fetch', fetched);
  const done = download('/pupils.csv', {}, 'pupils.csv');
  await vi.advanceTimersByTimeAsync(6999);
  expect({ fetched: fetched.mock.calls.length, saved }).toEqual({ fetched: 1, saved: [] });
  await vi.advanceTimersByTimeAsync(1);
  await done;
  expect({ fetched: fetched.mock.calls.length, saved }).toEqual({ fetched: 2, saved: ['pupils.csv'] });
});
