import { accessCalls } from '#contract/calls/access.ts';
import { classCalls } from '#contract/calls/classes.ts';
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
  fc.record({ act: fc.constantFrom('remove' as const, 'promote', 'demote', 'giveClass'), at: school }),
  fc.record({ act: fc.constant('switch' as const), at: school, session: fc.nat(3) }),
  fc.record({ act: fc.constant('logIn' as const) }),
);

/** What should be true of the person. */
interface Model {
  roles: Map<number, AssignableRole>;
  /** The schools in which they teach or help in the first class. */
  inClass: Set<number>;
  /** Their schools, the one entered last at the end. */
  entered: number[];
  sessions: { token: string; school: number | null }[];
}

test(`a person who joins, leaves, switches, changes role and gets classes is where a simple model says, in ${RUNS} random stories`, async () => {
  const schools = await Promise.all(Array.from({ length: SCHOOLS }, () => app.build.school()));
  let time = Date.parse('2026-11-18T12:00:00.000Z');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      await app.database.kysely.deleteFrom('rate_limits').execute();
      await app.database.kysely.deleteFrom('class_teachers').execute();
      const admins = schools.map(({ admin }) => admin.id);
      const proved = app.database.kysely.updateTable('sessions').set({ proved_at: new Date(time) });
      await proved.where('user_id', 'in', admins).execute();
      const person = await app.build.person('enterprise');
      const model: Model = {
        roles: new Map(),
        inClass: new Set(),
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
  const { id, admin, ownClass } = schools[at] as BuiltSchool;
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
  if (next.act === 'remove') {
    const { status } = await app.call(teacherCalls.removeTeacher, { token: admin.token, params });
    expect(status).toBe(isMember ? 200 : 404);
    if (!isMember) return;
    model.roles.delete(at);
    model.inClass.delete(at);
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
  const role = next.act === 'setRole' ? next.role : next.act === 'promote' ? 'admin' : 'teacher';
  const { status } =
    next.act === 'setRole'
      ? await app.call(teacherCalls.setStaffRole, { token: admin.token, params, body: { role } })
      : await app.call(teacherCalls.setAdmin, { token: admin.token, params, body: { admin: role === 'admin' } });
  expect(status).toBe(isMember ? 200 : 404);
  if (!isMember) return;
  model.roles.set(at, role);
  if (!hasClasses(role)) model.inClass.delete(at);
}

/** The classes of a school that someone with this role sees, of the two that it has. */
const countVisible = (role: AssignableRole, isInClass: boolean): number =>
  ({ school: 2, own: isInClass ? 1 : 0, none: 0 })[roleScopes[role].pupils];

/**
 * Each session is in its school with the role there, sees that school alone and of it what the role has, and ended ones are
 * gone. In their classes the person is a teacher or an assistant by role.
 */
async function compare(userId: number, { roles, inClass, sessions }: Model, schools: BuiltSchool[]) {
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
    });
    expect(reply.user.memberships.map((membership) => membership.enterprise.id).sort()).toEqual(
      [...roles.keys()].map((index) => schools[index]?.id).sort(),
    );
    for (const [index, { id }] of schools.entries()) {
      const { status, reply: seen } = await app.call(schoolCalls.getSchool, { token, params: { id } });
      expect(status).toBe(place === null ? 403 : index === place ? 200 : 404);
      const role = roles.get(index);
      if (status === 200 && role) expect(seen.enterprise.groups).toHaveLength(countVisible(role, inClass.has(index)));
    }
  }
}
