import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { markDriverErrors } from '../database/driver-errors.ts';
import { toAppError } from './error-answers.ts';

const violation = (message: string, more: object = {}) => Object.assign(new Error(message), { code: '23505', ...more });

test.each([
  ['as a server says it', violation('duplicate key', { constraint: 'classes_one_name' }), 'class_name_taken'],
  [
    'as a cluster says it, in the message alone and with the number of a shard',
    violation('duplicate key value violates unique constraint "classes_one_name_102601"'),
    'class_name_taken',
  ],
  [
    'of the platform, in the message alone',
    violation('violates unique constraint "users_email_key_key"'),
    'duplicate_email',
  ],
  ['that no input can cause', violation('violates unique constraint "pupils_pkey_102601"'), 'server_error'],
])('a broken constraint, %s', (_, error, kind) => expect(toAppError(error).kind).toBe(kind));

const DATABASE_FAULTS = [
  ['a statement that took too long', { code: '57014' }],
  ['a server that is full', { code: '53300' }],
  ['a disk that is full', { code: '53100' }],
  ['a disk that is full, where the embedded database writes', { code: 'ENOSPC' }],
  ['a server that shuts down', { code: '57P01' }],
  [
    'a database that accepts no connections',
    { code: '55000', message: 'database "portal" is not currently accepting connections' },
  ],
  ['a socket that is missing', { code: 'ENOENT' }],
  ['a connection that was cut', { code: 'ECONNRESET' }],
  ['a worker of a cluster that was lost during a statement', { code: 'CIINF' }],
  ['a failure of a remote node of a cluster', { code: 'XX000' }],
] as const;

test.each(DATABASE_FAULTS)('%s is unavailable when the database driver raises it', async (message, code) => {
  const raised: unknown = await markDriverErrors(() => Promise.reject(Object.assign(new Error(message), code))).catch(
    (error: unknown) => error,
  );
  const { kind, details } = toAppError(raised);
  expect({ kind, wait: details.retryAfter }).toEqual({ kind: 'unavailable', wait: 5 });
});

test.each(DATABASE_FAULTS)('%s is a fault of ours when other code raises it', (message, code) => {
  expect(toAppError(Object.assign(new Error(message), code)).kind).toBe('server_error');
});

test('an internal error of the database is a server error', async () => {
  const failure = Object.assign(new Error('cache lookup failed'), { code: 'XX000' });
  const raised: unknown = await markDriverErrors(() => Promise.reject(failure)).catch((error: unknown) => error);
  expect(toAppError(raised).kind).toBe('server_error');
});

test('a missing file of the server is a server error', async () => {
  const raised: unknown = await readFile('no-such-file').catch((error: unknown) => error);
  expect(raised).toMatchObject({ code: 'ENOENT' });
  expect(toAppError(raised).kind).toBe('server_error');
});
