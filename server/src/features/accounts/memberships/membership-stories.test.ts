import type { ParamsOf } from '#contract/call.ts';
import { accessCalls } from '#contract/calls/access.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { coverCalls } from '#contract/calls/covers.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { membershipCalls } from '#contract/calls/memberships.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import {
  hasClasses,
  isTeachingRole,
  ASSIGNABLE_ROLES,
  type AssignableRole,
  roleScopes,
  toSpecifiedRole,
} from '#contract/permissions.ts';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';

const app = testApp();
const RUNS = inject('template').kind === 'server' ? 120 : 30;
const SCHOOLS = 3;

const school = fc.nat(SCHOOLS - 1);
const step = fc.oneof(
  fc.record({
    act: fc.constantFrom('join' as const, 'setRole'),
    at: school,
    role: fc.constantFrom(...ASSIGNABLE_ROLES),
  }),
  fc.record({
    act: fc.constantFrom('remove' as const, 'leave', 'promote', 'demote', 'giveClass', 'endCover'),
    at: school,
  }),
  fc.record({ act: fc.constant('cover' as const), at: school, seconds: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ act: fc.constant('switch' as const), at: school, session: fc.nat(3) }),
  fc.record({ act: fc.constant('logIn' as const) }),
);

/** What should be true of the person. */
interface Model {
  roles: Map<number, AssignableRole>;
  /** The schools in which they teach or help in the first class. */
  inClass: Set<number>;
  /** The schools in which they cover the other class, and until when. */
  covers: Map<number, number>;
  /** Their schools, the one entered last at the end. */
  entered: number[];
  sessions: { token: string; school: number | null }[];
}

let time = Date.parse('2026-11-18T12:00:00.000Z');

test(`a person who joins, leaves, hands over a class, switches, changes role, gets and covers classes is where a simple model says, in ${RUNS} random stories`, async () => {
  const schools = await Promise.all(Array.from({ length: SCHOOLS }, () => app.build.school()));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      await app.database.kysely.deleteFrom('rate_limits').execute();
      await app.database.kysely.deleteFrom('class_teachers').execute();
      await app.database.kysely.deleteFrom('covers').execute();
      const admins = schools.map(({ admin }) => admin.id);
      const proved = app.database.kysely.updateTable('sessions').set({ proved_at: new Date(time) });
      await proved.where('user_id', 'in', admins).execute();
      const person = await app.build.person('enterprise');
      const model: Model = {
        roles: new Map(),
        inClass: new Set(),
        covers: new Map(),
        entered: [],
        sessions: [{ token: person.token, school: null }],
      };
      for (const next of steps) {
        app.setTime(new Date((time += 1000)).toISOString());
        await act(next, person, model, schools);
        await compare(person.id, model, schools);
      }
    }),
    { numRuns: RUNS, seed: 20261129, endOnFailure: true },
  );
}, 600_000);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function act(next: Step, person: { id: number; email: string }, model: Model, schools: BuiltSchool[]) {
  if (next.act === 'logIn') {
    const { reply } = await app.call(accessCalls.logIn, { body: { email: person.email, password: PASSWORD } });
    const place = model.entered.at(-1) ?? null;
    expect(reply.user.enterprise_id).toBe(place === null ? null : schools[place]?.id);
    model.sessions.push({ token: reply.meta.token, school: place });
    return;
  }
  const { at } = next;
  const { id, admin, ownClass, otherClass } = schools[at] as BuiltSchool;
  const isMember = model.roles.has(at);
  if (next.act === 'join') {
    const { reply } = await app.call(accessCalls.logIn, { body: { email: person.email, password: PASSWORD } });
    if (isMember) {
      await app.call(accessCalls.logOut, { token: reply.meta.token });
      return;
    }
    const invite = await app.build.invite({ id, admin }, person.email);
    await app.database.kysely.updateTable('invites').set({ role: next.role }).where('id', '=', invite.id).execute();
    const params = { inviteId: invite.link };
    const accepted = await app.call(inviteCalls.acceptInvite, { token: reply.meta.token, params });
    expect([accepted.status, accepted.reply]).toEqual([200, { enterprise_id: id }]);
    // The link came to the person’s own address, so that everything else that was issued ends.
    const place = model.entered.at(-1) ?? at;
    model.sessions = [{ token: reply.meta.token, school: place }];
    model.roles.set(at, next.role);
    model.entered.push(at);
    return;
  }
  const params = { id, userId: person.id };
  if (next.act === 'remove' || next.act === 'leave') {
    const isInClass = model.inClass.has(at);
    const handovers = [{ group_id: ownClass.id, user_id: admin.id }];
    const { status } =
      next.act === 'remove'
        ? await app.call(teacherCalls.removeTeacher, { token: admin.token, params })
        : await app.call(teacherCalls.recordLeaver, { token: admin.token, params, body: { handovers } });
    const isLeaving = isMember && (next.act === 'remove' || isInClass);
    expect(status).toBe(isLeaving ? 200 : isMember ? 409 : 404);
    if (!isLeaving) return;
    if (next.act === 'leave') await expectTeacher(admin, { id, groupId: ownClass.id });
    model.roles.delete(at);
    model.inClass.delete(at);
    model.covers.delete(at);
    model.entered = model.entered.filter((place) => place !== at);
    model.sessions = model.roles.size === 0 ? [] : model.sessions.filter(({ school: place }) => place !== at);
    return;
  }
  if (next.act === 'switch') {
    const session = model.sessions[next.session % Math.max(1, model.sessions.length)];
    if (!session) return;
    const { status } = await app.call(membershipCalls.switchSchool, {
      token: session.token,
      body: { enterprise_id: id },
    });
    expect(status).toBe(isMember ? 200 : 404);
    if (!isMember || session.school === at) return;
    session.school = at;
    model.entered = [...model.entered.filter((place) => place !== at), at];
    return;
  }
  if (next.act === 'giveClass') {
    const hasRoom = isMember && hasClasses(model.roles.get(at) ?? 'business_manager');
    const { status } = await app.call(classCalls.addClassTeacher, {
      token: admin.token,
      params: { ...params, groupId: ownClass.id },
    });
    expect(status).toBe(hasRoom ? 200 : 404);
    if (hasRoom) model.inClass.add(at);
    return;
  }
  if (next.act === 'cover') {
    const until = time + next.seconds * 1000;
    const { status } = await app.call(coverCalls.startCover, {
      token: admin.token,
      params: { id },
      body: { group_id: otherClass.id, user_id: person.id, ends_at: new Date(until).toISOString() },
    });
    const role = model.roles.get(at);
    expect(status).toBe(role === 'admin' ? 409 : role && hasClasses(role) ? 200 : 404);
    if (status === 200) model.covers.set(at, until);
    return;
  }
  if (next.act === 'endCover') {
    const { covers } = (await app.call(coverCalls.listCovers, { token: admin.token, params: { id } })).reply;
    const own = covers.filter(({ user }) => user.id === person.id);
    expect(own.map(({ ends_at }) => Date.parse(ends_at))).toEqual(currentCovers(model, at));
    for (const { id: coverId } of own)
      await app.call(coverCalls.endCover, { token: admin.token, params: { id, coverId } });
    model.covers.delete(at);
    return;
  }
  const role = next.act === 'setRole' ? next.role : next.act === 'promote' ? 'admin' : 'teacher';
  const { status } =
    next.act === 'setRole'
      ? await app.call(teacherCalls.setStaffRole, { token: admin.token, params, body: { role } })
      : await app.call(teacherCalls.setAdmin, { token: admin.token, params, body: { admin: role === 'admin' } });
  expect(status).toBe(isMember ? 200 : 404);
  if (!isMember) return;
  model.roles.set(at, role);
  if (hasClasses(role)) return;
  model.inClass.delete(at);
  model.covers.delete(at);
}

/** That an admin teaches a class. */
async function expectTeacher(admin: { id: number; token: string }, params: ParamsOf<typeof classCalls.getClass>) {
  const { group: schoolClass } = (await app.call(classCalls.getClass, { token: admin.token, params })).reply;
  expect(schoolClass.teachers.map((teacher) => teacher.id)).toContain(admin.id);
}

/** When the person's cover in a school ends, if it has not. */
const currentCovers = ({ covers }: Model, at: number): number[] =>
  [covers.get(at)].filter((until) => until !== undefined && until > time) as number[];

/** The classes of a school that someone with this role sees, of the two that it has. */
const countVisible = (role: AssignableRole, own: number): number =>
  ({ school: 2, own, none: 0 })[roleScopes[role].pupils];

/**
 * Each session is in its school with the role there, sees that school alone and of it what the role has, and ended ones are
 * gone. In their classes the person is a teacher or an assistant by role.
 */
async function compare(userId: number, model: Model, schools: BuiltSchool[]) {
  const { roles, inClass, sessions } = model;
  const { count } = await app.database.kysely
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  expect(count).toBe(sessions.length);
  for (const [index, { id, admin, ownClass }] of schools.entries()) {
    const params = { id, groupId: ownClass.id };
    const { group: schoolClass } = (await app.call(classCalls.getClass, { token: admin.token, params })).reply;
    const isIn = (people: readonly { id: number }[]) => people.some((other) => other.id === userId);
    const role = inClass.has(index) ? roles.get(index) : undefined;
    expect([isIn(schoolClass.teachers), isIn(schoolClass.assistants)]).toEqual([
      role !== undefined && isTeachingRole(role),
      role === 'teaching_assistant',
    ]);
  }
  for (const { token, school: place } of sessions) {
    const { reply } = await app.call(accessCalls.getMe, { token });
    const own = place === null ? null : (schools[place] as BuiltSchool);
    expect(reply.user).toMatchObject({
      enterprise_id: own?.id ?? null,
      enterprise_user_role: place === null ? null : toSpecifiedRole(roles.get(place) ?? 'teacher'),
      role: place === null ? null : roles.get(place),
      covers: (place === null ? [] : currentCovers(model, place)).map((until) => ({
        group_id: own?.otherClass.id,
        ends_at: new Date(until).toISOString(),
      })),
    });
    expect(reply.user.memberships.map((membership) => membership.enterprise.id).sort()).toEqual(
      [...roles.keys()].map((index) => schools[index]?.id).sort(),
    );
    for (const [index, { id }] of schools.entries()) {
      const { status, reply: seen } = await app.call(schoolCalls.getSchool, { token, params: { id } });
      expect(status).toBe(place === null ? 403 : index === place ? 200 : 404);
      const role = roles.get(index);
      if (status !== 200 || !role) continue;
      const ownClasses = (inClass.has(index) ? 1 : 0) + currentCovers(model, index).length;
      expect(seen.enterprise.groups).toHaveLength(countVisible(role, ownClasses));
    }
  }
}
