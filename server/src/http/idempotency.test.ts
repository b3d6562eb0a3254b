import { createHash, createHmac } from 'node:crypto';
import { archiveCalls } from '#contract/calls/archive.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, makeSession, PASSWORD } from '../testing/builder.ts';

const app = testApp();
const START = Date.parse('2026-11-18T12:00:00.000Z');
const after = (milliseconds: number) => app.setTime(new Date(START + milliseconds).toISOString());
let school: BuiltSchool;
beforeAll(async () => {
  school = await app.build.school();
});
beforeEach(() => after(0));

let keys = 0;
const newKey = () => `a-key-of-this-test-${(keys += 1)}`;
const newPupil = async () => (await app.build.pupils(school, school.ownClass.id, ['Old Name']))[0] ?? school.unplaced;
const rename = (pupilId: number, name: string, key: string, token = school.admin.token) =>
  app.call(pupilCalls.renamePupil, {
    params: { id: school.id, readerId: pupilId },
    body: { name },
    token,
    headers: { 'idempotency-key': key },
  });
const changes = async (pupilId: number) =>
  (
    await app.database.kysely
      .selectFrom('audit_log')
      .select('details')
      .where('subject_id', '=', String(pupilId))
      .orderBy('id')
      .execute()
  ).map(({ details }) => details);
const nameOf = async (pupilId: number) =>
  (await app.database.kysely.selectFrom('pupils').select('name').where('id', '=', pupilId).executeTakeFirstOrThrow())
    .name;

describe('the same key', () => {
  test('a repeated Idempotency-Key returns the first reply again and does nothing twice', async () => {
    const [pupil, key] = [await newPupil(), newKey()];
    const first = await rename(pupil.id, 'First Name', key);
    await rename(pupil.id, 'Second Name', newKey());
    const again = await rename(pupil.id, 'First Name', key);
    expect({ status: again.status, reply: again.reply }).toEqual({ status: 200, reply: first.reply });
    expect(await nameOf(pupil.id)).toBe('Second Name');
    expect(await changes(pupil.id)).toHaveLength(2);
  });

  test('an Idempotency-Key of several requests at once has one effect and one reply', async () => {
    const [pupil, key] = [school.ownClass.pupils[0] ?? school.unplaced, newKey()];
    const sessions = [makeSession({ started_at: '2026-11-18T09:00:00Z' })];
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        app.call(readingAppCalls.storeSessions, {
          token: pupil.token,
          body: { sessions },
          headers: { 'idempotency-key': key },
        }),
      ),
    );
    // Without the key, four of the five requests would be rejected as duplicates.
    for (const { status, reply } of answers)
      expect({ status, reply }).toEqual({ status: 200, reply: { accepted: 1, duplicates: 0, rejected: [] } });
  });

  test('an Idempotency-Key with another body, path or call is answered with 409, and changes nothing', async () => {
    const [pupil, other, key] = [await newPupil(), await newPupil(), newKey()];
    await rename(pupil.id, 'First Name', key);
    for (const answer of [await rename(pupil.id, 'Another Name', key), await rename(other.id, 'First Name', key)])
      expect({ status: answer.status, type: answer.error.error_type }).toEqual({ status: 409, type: 'conflict' });
    expect([await nameOf(pupil.id), await nameOf(other.id)]).toEqual(['First Name', 'Old Name']);
  });

  test('an Idempotency-Key repeats its work after 24 hours', async () => {
    const [pupil, key] = [await newPupil(), newKey()];
    await rename(pupil.id, 'First Name', key);
    await rename(pupil.id, 'Second Name', newKey());
    after(86_400_000 - 1);
    await rename(pupil.id, 'First Name', key);
    expect(await nameOf(pupil.id)).toBe('Second Name');
    after(86_400_000);
    expect((await rename(pupil.id, 'Third Name', key)).status).toBe(200);
    expect(await nameOf(pupil.id)).toBe('Third Name');
  });

  test('the same Idempotency-Key of another person is a different key', async () => {
    const [pupil, key] = [await newPupil(), newKey()];
    await rename(pupil.id, 'By Admin', key);
    const { status, reply } = await rename(pupil.id, 'By Teacher', key, school.teacher.token);
    expect({ status, name: reply.reader.name }).toEqual({ status: 200, name: 'By Teacher' });
    const other = await app.build.school();
    const foreign = await app.call(pupilCalls.renamePupil, {
      params: { id: other.id, readerId: other.unplaced.id },
      body: { name: 'By Stranger' },
      token: other.admin.token,
      headers: { 'idempotency-key': key },
    });
    expect(foreign.reply.reader.name).toBe('By Stranger');
  });

  test('an Idempotency-Key in two sessions of one person is the same key', async () => {
    const [pupil, key] = [await newPupil(), newKey()];
    await rename(pupil.id, 'First Name', key);
    await rename(pupil.id, 'Second Name', newKey());
    const login = await app.ask('POST', '/auth', { payload: { email: school.admin.email, password: 'reading-1' } });
    const { token } = (login.reply as { meta: { token: string } }).meta;
    expect((await rename(pupil.id, 'First Name', key, token)).status).toBe(200);
    expect(await nameOf(pupil.id)).toBe('Second Name');
  });
});

describe('a keyed request sent again returns its first reply', () => {
  test('a repeated Idempotency-Key returns the first reply where the work cannot be done again', async () => {
    const [pupil, key] = [await newPupil(), newKey()];
    const archive = (headers: Record<string, string>) =>
      app.call(archiveCalls.archivePupils, {
        params: { id: school.id },
        body: { reader_ids: [pupil.id] },
        token: school.admin.token,
        headers,
      });
    const first = await archive({ 'idempotency-key': key });
    expect(first.status).toBe(200);
    expect(await archive({ 'idempotency-key': key })).toMatchObject({ status: 200, reply: first.reply });
    expect((await archive({ 'idempotency-key': newKey() })).status).toBe(404);
  });

  test('a repeated Idempotency-Key returns the first reply where the limit has been reached, and is not another attempt', async () => {
    const own = await app.build.emptySchool();
    const limit = inviteCalls.sendInvites.rateLimits?.[0]?.tries ?? 0;
    const send = (key: string) =>
      app.call(inviteCalls.sendInvites, {
        params: { id: own.id },
        token: own.admin.token,
        body: { email: [`${key}@school.example`], name: [key] },
        headers: { 'idempotency-key': `the-${key}-of-this-test` },
      });
    const first = await send('invite-0');
    for (let n = 1; n < limit; n += 1) await send(`invite-${n}`);
    expect((await send('one-too-many')).status).toBe(429);
    expect(await send('invite-0')).toMatchObject({ status: 200, reply: first.reply });
  });
});

describe('the database alone', () => {
  test('the database does not confirm a guessed password of a request with an Idempotency-Key', async () => {
    const { token, id } = await app.build.staff(school, 'teacher');
    const key = newKey();
    const body = { password: PASSWORD };
    const { status } = await app.call(secondFactorCalls.proveIdentity, {
      token,
      body,
      headers: { 'idempotency-key': key },
    });
    expect(status).toBe(200);
    const stored = await app.database.kysely
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('actor', '=', `user:${id}`)
      .executeTakeFirstOrThrow();
    // The right guess, as the portal reads it.
    const { method, path } = secondFactorCalls.proveIdentity;
    const guess = JSON.stringify([method, path, {}, {}, body]);
    const known = [stored.actor, stored.key_hash, stored.key_hash.toString('hex'), stored.sealed_reply ?? '', ''];
    const digests = [
      createHash('sha256').update(guess).digest(),
      ...known.map((value) => createHmac('sha256', value).update(guess).digest()),
    ];
    expect(digests.some((digest) => digest.equals(stored.request_hash))).toBe(false);
    expect(createHmac('sha256', key).update(guess).digest()).toEqual(stored.request_hash);
    expect(JSON.stringify(stored)).not.toContain(key);
    expect(stored.key_hash).toEqual(createHash('sha256').update(key).digest());
  });
});

describe('a key', () => {
  test('the Idempotency-Key of a request that failed is free for the next', async () => {
    const [pupil, key] = [await newPupil(), newKey()];
    const theirs = school.otherClass.pupils[0] ?? pupil;
    expect((await rename(theirs.id, 'First Name', key, school.teacher.token)).status).toBe(409);
    expect((await rename(pupil.id, 'First Name', key, school.teacher.token)).status).toBe(200);
  });

  test('the Idempotency-Key of an invalid request is free for the next', async () => {
    const [pupil, key] = [await newPupil(), newKey()];
    expect((await rename(pupil.id, '7', key)).status).toBe(422);
    expect((await rename(pupil.id, 'First Name', key)).status).toBe(200);
  });

  test('an Idempotency-Key does not repeat what the person may no longer do', async () => {
    const [pupil, key] = [await newPupil(), newKey()];
    await rename(pupil.id, 'First Name', key, school.teacher.token);
    await app.ask('DELETE', '/auth', { token: school.teacher.token });
    expect((await rename(pupil.id, 'First Name', key, school.teacher.token)).status).toBe(401);
  });

  test.each([0, 1, 15, 256])(
    'an Idempotency-Key of %i characters is rejected with 422, and nothing is changed',
    async (length) => {
      const pupil = await newPupil();
      const { status, error } = await rename(pupil.id, 'First Name', 'k'.repeat(length));
      expect({ status, type: error.error_type }).toEqual({ status: 422, type: 'validation' });
      expect(error.error).toBe('An Idempotency-Key has 16 to 255 characters. Use a new UUID.');
      expect(await nameOf(pupil.id)).toBe('Old Name');
    },
  );

  test.each([16, 255])('an Idempotency-Key of %i characters is accepted', async (length) => {
    const pupil = await newPupil();
    expect((await rename(pupil.id, 'First Name', 'k'.repeat(length))).status).toBe(200);
  });

  test('an Idempotency-Key first used before the person had a school is answered with 409 inside it', async () => {
    const { token } = await app.build.person('enterprise');
    const headers = { 'idempotency-key': newKey() };
    const registered = await app.call(schoolDetailsCalls.createSchool, {
      token,
      body: { name: 'New School' },
      headers,
    });
    expect(registered.status).toBe(200);
    const { id } = registered.reply.enterprise;
    const { status, error } = await app.ask('POST', `/enterprises/${id}/groups`, {
      token,
      payload: { name: 'Wrens' },
      headers,
    });
    expect({ status, type: error.error_type }).toEqual({ status: 409, type: 'conflict' });
    const again = await app.call(schoolDetailsCalls.createSchool, { token, body: { name: 'New School' }, headers });
    expect({ status: again.status, reply: again.reply }).toEqual({ status: 200, reply: registered.reply });
  });

  test('an old Idempotency-Key from before the person had a school is answered with 409 until it is cleaned up', async () => {
    after(0);
    const { token } = await app.build.person('enterprise');
    const headers = { 'idempotency-key': newKey() };
    const registered = await app.call(schoolDetailsCalls.createSchool, {
      token,
      body: { name: 'New School' },
      headers,
    });
    after(86_400_000);
    const { status, error } = await app.ask('POST', `/enterprises/${registered.reply.enterprise.id}`, {
      token,
      payload: { name: 'Wrens Primary' },
      headers,
    });
    expect({ status, type: error.error_type }).toEqual({ status: 409, type: 'conflict' });
  });

  test('an Idempotency-Key on a call without a body still answers 400 to a deeply nested one', async () => {
    const { status, error } = await app.ask('POST', `/enterprises/${school.id}/terms/accept`, {
      token: school.admin.token,
      payload: '['.repeat(20_000) + ']'.repeat(20_000),
      headers: { 'idempotency-key': newKey() },
    });
    expect({ status, type: error.error_type }).toEqual({ status: 400, type: 'bad_request' });
  });
});
