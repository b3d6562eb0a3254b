import { accessCalls } from '#contract/calls/access.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { readInPlatform } from '../database/platform.ts';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../testing/builder.ts';
import { findSession } from './sessions.queries.ts';
import { hashToken } from './tokens.ts';

const app = testApp();

const demote = (school: BuiltSchool, admin: 0 | 1) =>
  app.call(teacherCalls.setAdmin, {
    token: school.admin.token,
    params: { id: school.id, userId: school.teacher.id },
    body: { admin },
  });
const remove = (school: BuiltSchool) =>
  app.call(teacherCalls.removeTeacher, {
    token: school.admin.token,
    params: { id: school.id, userId: school.teacher.id },
  });
const listInvites = (school: BuiltSchool, token: string) =>
  app.call(inviteCalls.listInvites, { token, params: { id: school.id } });

/** Makes something happen once, after the statement that reads the account and before the next. */
function interruptLookup(happen: () => Promise<unknown>): () => number {
  const { query } = pg.Client.prototype;
  let times = 0;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function watched(
    this: pg.Client,
    ...args: unknown[]
  ) {
    const answer: unknown = await Reflect.apply(query, this, args);
    const { text } = (args[0] ?? {}) as { text?: string };
    if (times === 0 && text?.includes('from sessions s left join users u')) {
      times += 1;
      await happen();
    }
    return answer;
  });
  return () => times;
}

afterEach(() => vi.restoreAllMocks());

/**
 * Finds the session of the teacher's token while something happens between reading the account and reading the school.
 */
async function findInterrupted(school: BuiltSchool, happen: () => Promise<unknown>) {
  const countTimes = interruptLookup(happen);
  const session = await readInPlatform(app.database, (db) =>
    findSession(db, hashToken(school.teacher.token), app.services.clock.now()),
  );
  expect(countTimes()).toBe(1);
  vi.restoreAllMocks();
  return session?.kind === 'user' ? { schoolId: session.schoolId, role: session.role, access: session.access } : null;
}

// The embedded database does nothing else during a transaction.
if (inject('template').kind === 'server')
  describe('a session lookup that a change interrupts', () => {
    test('a session has the role that is granted or revoked between the two statements of its lookup', async () => {
      const school = await app.build.school();
      expect(await findInterrupted(school, () => demote(school, 1))).toMatchObject({ role: 'admin' });
      expect(await findInterrupted(school, () => demote(school, 0))).toMatchObject({ role: 'teacher' });
    });

    test('a session has neither school nor role when its teacher is removed from the staff during its lookup', async () => {
      const school = await app.build.school();
      expect(await findInterrupted(school, () => remove(school))).toMatchObject({ schoolId: null, role: null });
    });

    test('a session has no rights in the former school when its teacher moves to another during its lookup', async () => {
      const { school, otherSchool } = await app.build.twoSchools();
      const invite = await app.build.invite(otherSchool, school.teacher.email);
      const moved = await findInterrupted(school, async () => {
        await remove(school);
        const body = { email: school.teacher.email, password: PASSWORD };
        const { token } = (await app.call(accessCalls.logIn, { body })).reply.meta;
        const joined = await app.call(inviteCalls.acceptInvite, { token, params: { inviteId: invite.link } });
        expect(joined.status).toBe(200);
        const { user } = (await app.call(accessCalls.getMe, { token })).reply;
        expect([user.enterprise_id, user.enterprise_user_role]).toEqual([otherSchool.id, 'teacher']);
      });
      expect(moved).toMatchObject({ schoolId: null, role: null });
    });

    test('a session has neither school nor role when its school is deleted during its lookup', async () => {
      const school = await app.build.school();
      const gone = await findInterrupted(school, () =>
        sql`delete from schools where id = ${school.id}`.execute(app.database.kysely),
      );
      expect(gone).toMatchObject({ schoolId: null, role: null });
    });

    test('a session has the access of its school without the subscription that ends during its lookup', async () => {
      const school = await app.build.school();
      const none = await findInterrupted(school, () =>
        sql`delete from subscriptions where school_id = ${school.id}`.execute(app.database.kysely),
      );
      expect(none).toMatchObject({ schoolId: school.id, access: 'none' });
    });
  });

describe('a login during a change of the staff', () => {
  const signIn = async (school: BuiltSchool) =>
    (await app.call(accessCalls.logIn, { body: { email: school.teacher.email, password: PASSWORD } })).reply.meta.token;

  test('a user who logs in while they are demoted to teacher is a teacher from then on', async () => {
    const school = await app.build.school();
    await demote(school, 1);
    const [token] = await Promise.all([signIn(school), demote(school, 0)]);
    expect((await listInvites(school, token)).status).toBe(403);
    expect((await app.call(accessCalls.getMe, { token })).reply.user.enterprise_user_role).toBe('teacher');
  });

  test('a user who logs in while they are removed from the staff has no school, in either order', async () => {
    const school = await app.build.school();
    const [token] = await Promise.all([signIn(school), remove(school)]);
    const me = await app.call(accessCalls.getMe, { token });
    // Before: the session ended when the teacher left the school. After: it is a session without a school.
    if (me.status === 200) expect(me.reply.user.enterprise_id).toBeNull();
    else expect(me.status).toBe(401);
    expect([401, 403]).toContain((await listInvites(school, token)).status);
  });
});
