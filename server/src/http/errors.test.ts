import { expect, test } from 'vitest';
import { toAppError } from './errors.ts';

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
  ['that nobody can run into', violation('violates unique constraint "pupils_pkey_102601"'), 'server_error'],
])('a broken constraint, %s', (_, error, kind) => expect(toAppError(error).kind).toBe(kind));
