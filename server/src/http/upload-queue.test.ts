import { UPLOAD_BYTES } from '#contract/limits.ts';
import { expect, test } from 'vitest';
import { runUpload } from './upload-queue.ts';

const overloaded = { kind: 'too_many_requests', details: { retryAfter: 5 } };
const { signal } = new AbortController();
/** Each is of another school. */
const ownerOf = (userId: number) => ({ school: userId, person: `user ${userId}` });

test('a fourth upload of one user is rejected until one of the three has ended', async () => {
  const released = Promise.withResolvers<void>();
  const uploads = [1, 2, 3].map(() => runUpload(ownerOf(7), UPLOAD_BYTES, signal, () => released.promise));
  await expect(runUpload(ownerOf(7), UPLOAD_BYTES, signal, async () => 'fourth')).rejects.toMatchObject(overloaded);
  expect(await runUpload(ownerOf(8), UPLOAD_BYTES, signal, async () => 'another user')).toBe('another user');
  released.resolve();
  await Promise.all(uploads);
  expect(await runUpload(ownerOf(7), UPLOAD_BYTES, signal, async () => 'next')).toBe('next');
});

test('six uploads run, twenty wait and the next is rejected; one whose client has gone never starts', async () => {
  const released = Promise.withResolvers<void>();
  const started: number[] = [];
  const gone = new AbortController();
  const upload = (userId: number, disconnected = signal) =>
    runUpload(ownerOf(userId), UPLOAD_BYTES, disconnected, () => {
      started.push(userId);
      return released.promise;
    });
  const running = [1, 2, 3, 4, 5, 6].map((userId) => upload(userId));
  const leaving = upload(100, gone.signal);
  const waiting = Array.from({ length: 19 }, (_, index) => upload(10 + index));
  await expect(upload(200)).rejects.toMatchObject(overloaded);
  expect(started).toEqual([1, 2, 3, 4, 5, 6]);
  gone.abort(new Error('gone'));
  await expect(leaving).rejects.toThrow('gone');
  released.resolve();
  await Promise.all([...running, ...waiting]);
  expect(started).toHaveLength(25);
  expect(started).not.toContain(100);
});

test('one large upload runs at a time, beside small ones; ten wait and the next is rejected', async () => {
  const releases: (() => void)[] = [];
  const large = (userId: number) =>
    runUpload(ownerOf(userId), UPLOAD_BYTES + 1, signal, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      releases.push(resolve);
      return promise;
    });
  const all = Array.from({ length: 11 }, (_, index) => large(index));
  await expect(large(50)).rejects.toMatchObject(overloaded);
  expect(await runUpload(ownerOf(60), UPLOAD_BYTES, signal, async () => 'small')).toBe('small');
  for (const [index, upload] of all.entries()) {
    expect(releases).toHaveLength(index + 1);
    releases[index]?.();
    await upload;
  }
});
