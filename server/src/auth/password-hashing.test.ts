import { accessCalls } from '#contract/calls/access.ts';
import { availableParallelism } from 'node:os';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { AppError } from '../errors.ts';
import { testApp } from '../testing/app.ts';
import { hashPassword, isPassword } from './password-hashing.ts';

const app = testApp({ HASH_COST: 'full' });
const FULL_COST_HASH = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

async function storedHash(email: string): Promise<string> {
  const { rows } = await sql<{ password_hash: string }>`select password_hash from users where email = ${email}`.execute(
    app.database.kysely,
  );
  return rows[0]?.password_hash ?? '';
}

describe('passwords at full cost', () => {
  test('passwords are stored as Argon2id with 19 MiB and two passes, and log their owner in', async () => {
    const email = 'strong@test.example';
    const body = { first_name: 'Ada', last_name: 'Byron', email, password: 'kettle over 7 hills' };
    const { reply } = await app.call(accessCalls.register, { body });
    expect(await storedHash(email)).toMatch(FULL_COST_HASH);
    const change = { password: 'lantern over 9 hills', current_password: body.password };
    expect((await app.call(accessCalls.updateMe, { body: change, token: reply.meta.token })).status).toBe(200);
    expect(await storedHash(email)).toMatch(FULL_COST_HASH);
    expect((await app.call(accessCalls.logIn, { body: { email, password: change.password } })).status).toBe(200);
    expect((await app.call(accessCalls.logIn, { body: { email, password: body.password } })).status).toBe(401);
  });

  test('passwords are compared in their composed form, and each hash has its own salt', async () => {
    const hash = await hashPassword('Zoe\u0308 reads', 'full');
    expect(hash).not.toBe(await hashPassword('Zoe\u0308 reads', 'full'));
    expect(await isPassword('Zo\u00EB reads', hash, 'full')).toBe(true);
    expect(await isPassword('Zoe reads', hash, 'full')).toBe(false);
  });

  test('no password of an unknown account is correct', async () => {
    expect(await isPassword('no account has this password', undefined, 'full')).toBe(false);
  });
});

test('more than 200 passwords that wait to be hashed are rejected with 503 and Retry-After', async () => {
  const results = await Promise.allSettled(Array.from({ length: 400 }, () => hashPassword('lantern', 'least')));
  const rejected = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as AppError] : []));
  expect(rejected).toHaveLength(400 - 200 - availableParallelism());
  for (const { kind, details } of rejected)
    expect({ kind, details }).toEqual({ kind: 'unavailable', details: { retryAfter: 2 } });
  // The queue is empty again.
  expect(await hashPassword('lantern', 'least')).toMatch(/^\$argon2id/);
});
