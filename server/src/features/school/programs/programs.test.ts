import type { BodyInputOf } from '#contract/call.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { programCalls as calls } from '#contract/calls/programs.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { schoolClosingCalls } from '#contract/calls/school-closing.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { MAX_PROGRAMS } from '#contract/programs.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool, Person } from '../../../testing/builder.ts';

const app = testApp();
const NOW = '2026-11-18T12:00:00.000Z';
const DAY_MS = 86_400_000;
const at = (days: number, ms = 0) => app.setTime(new Date(Date.parse(NOW) + days * DAY_MS + ms).toISOString());

let school: BuiltSchool;
/** Two admins with a second factor, and a teacher without one. */
let ada: Person;
let ben: Person;
let cleo: Person;
beforeEach(async () => {
  app.setTime(NOW);
  await app.database.kysely.deleteFrom('rate_limits').execute();
  school = await app.build.school();
  ada = school.admin;
  ben = await app.build.staff(school, 'admin');
  cleo = await app.build.staff(school, 'teacher');
  for (const person of [ada, ben]) await app.build.passkey(person);
  await app.runJobs();
  app.mails.length = 0;
});

const BODY: BodyInputOf<typeof calls.makeProgram> = {
  name: 'Warehouse',
  scopes: ['read_pupils', 'read_reading'],
  group_ids: null,
  days: 90,
};
const make = (body: object = {}, by = ada) =>
  app.call(calls.makeProgram, {
    params: { id: school.id },
    body: { ...BODY, ...body },
    token: by.token,
  });
const list = async (by = ada) =>
  (await app.call(calls.listPrograms, { params: { id: school.id }, token: by.token })).reply.programs;
const findListed = async (id: number, by = ada) => (await list(by)).find((program) => program.id === id);
const use = async (token: string) => (await app.call(calls.getProgram, { token })).status;
const change = (programId: number, body: object = {}, by = ada) =>
  app.call(calls.changeProgram, {
    params: { id: school.id, programId },
    body: { name: BODY.name, scopes: BODY.scopes, group_ids: null, ...body },
    token: by.token,
  });
const confirm = (programId: number, by = ben) =>
  app.call(calls.confirmProgram, { params: { id: school.id, programId }, token: by.token });
const revoke = (programId: number, by = ben) =>
  app.call(calls.revokeProgram, { params: { id: school.id, programId }, token: by.token });
const setRole = (person: Person, role: 'admin' | 'teacher', by = ben) =>
  app.call(teacherCalls.setStaffRole, {
    params: { id: school.id, userId: person.id },
    body: { role },
    token: by.token,
  });
/** A login of 12:00 is too old for a proof on a later day. */
const prove = (...people: Person[]) =>
  app.database.kysely
    .updateTable('sessions')
    .set({ proved_at: app.services.clock.now(), last_used_at: app.services.clock.now() })
    .where(
      'user_id',
      'in',
      people.map(({ id }) => id),
    )
    .execute();
const later = async (days: number, ms = 0) => {
  at(days, ms);
  await prove(ada, ben);
};
const runJobs = () => app.runJobs({ scheduled: true });
/** Schools of other tests have admins too. */
const programMails = () =>
  app.mails.filter(({ kind, recipient }) => kind === 'programs' && recipients().includes(recipient));
const recipients = () => [ada, ben, cleo].map(({ email }) => email);
const log = async (by = ben) => {
  const { reply } = await app.call(schoolCalls.listAuditLog, { params: { id: school.id }, query: {}, token: by.token });
  return reply.entries.filter(({ action }) => action.startsWith('program_')).toReversed();
};

describe('making a program', () => {
  test('shows the token once, and what it can do', async () => {
    const { status, reply } = await make();
    expect(status).toBe(200);
    expect(reply.token).toMatch(/^portal_program_[\w-]{43}$/);
    const person = { id: ada.id, name: 'Morgan Admin' };
    const program = {
      id: expect.any(Number),
      name: 'Warehouse',
      scopes: ['read_pupils', 'read_reading'],
      groups: null,
      made_at: NOW,
      made_by: person,
      responsible: person,
      confirm_by: null,
      expires_at: '2027-02-16T12:00:00.000Z',
      last_used_at: null,
      other_network_at: null,
      ended_at: null,
      ended_because: null,
    };
    expect(reply.program).toEqual(program);
    expect(await list(ben)).toEqual([program]);
    expect(JSON.stringify(await list())).not.toContain(reply.token);
    const own = await app.call(calls.getProgram, { token: reply.token });
    expect(own.reply.program).toEqual({
      name: 'Warehouse',
      scopes: ['read_pupils', 'read_reading'],
      groups: null,
      expires_at: '2027-02-16T12:00:00.000Z',
      enterprise: { id: school.id, name: school.name },
    });
    expect(await log()).toMatchObject([
      { action: 'program_made', actor: { id: ada.id }, details: { name: 'Warehouse' } },
    ]);
  });

  test('needs a second factor, also to change and to confirm one; to revoke one it does not', async () => {
    const { reply } = await make();
    await setRole(cleo, 'admin');
    for (const { status, error } of [
      await make({}, cleo),
      await change(reply.program.id, {}, cleo),
      await confirm(reply.program.id, cleo),
    ])
      expect([status, error.code]).toEqual([409, 'program_needs_factor']);
    expect(await list()).toHaveLength(1);
    expect((await revoke(reply.program.id, cleo)).status).toBe(200);
  });

  test('needs a proof in the last 15 minutes, and the role of admin', async () => {
    const { id } = (await make()).reply.program;
    at(0, 16 * 60_000);
    for (const { status, error } of [await make(), await change(id), await confirm(id, ben)])
      expect([status, error.code]).toEqual([409, 'proof_required']);
    app.setTime(NOW);
    const lead = await app.build.staff(school, 'reading_lead');
    await app.build.passkey(lead);
    for (const { status } of [await make({}, lead), await change(id, {}, lead), await revoke(id, lead)])
      expect(status).toBe(403);
  });

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['read_pupils', 'read_pupils'] }, 'scopes'],
    [{ scopes: ['everything'] }, 'scopes.0'],
    [{ group_ids: [] }, 'group_ids'],
    [{ group_ids: Array.from({ length: 51 }, (_, n) => n + 1) }, 'group_ids'],
    [{ days: 0 }, 'days'],
    [{ days: 366 }, 'days'],
    [{ days: 1.5 }, 'days'],
  ])('%j is rejected with the field', async (body, field) => {
    const { status, error } = await make(body);
    expect([status, Object.keys(error.errors ?? {})]).toEqual([422, [field]]);
  });

  test(`stops at ${MAX_PROGRAMS}, also when two are added at once; one that has ended makes room`, async () => {
    const made = [];
    for (let n = 1; n < MAX_PROGRAMS; n += 1) made.push(await app.build.program(school));
    const statuses = (await Promise.all([make(), make()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    expect((await make()).error.code).toBe('programs_full');
    await revoke(made[0]?.id ?? 0);
    expect((await make()).status).toBe(200);
  });

  test('in classes of another school is rejected', async () => {
    const other = await app.build.school();
    const { status, error } = await make({ group_ids: [school.ownClass.id, other.ownClass.id] });
    expect([status, error.error_type]).toEqual([404, 'not_found']);
    expect(await list()).toEqual([]);
  });

  test('of another school is not found, changed or revoked', async () => {
    const other = await app.build.school();
    const { id } = await app.build.program(other);
    for (const { status, error } of [await change(id), await confirm(id), await revoke(id)])
      expect([status, error.code]).toEqual([404, 'program_not_found']);
  });
});

describe('changing a program', () => {
  test('takes a scope away in the middle of pages, and limits it to classes, from the next call on', async () => {
    const { program, token } = (await make()).reply;
    const listPage = (page: string) =>
      app.call(pupilCalls.listPupils, { params: { id: school.id }, query: { page, per_page: '25' }, token });
    expect((await listPage('1')).reply.meta.total).toBe(4);
    expect((await change(program.id, { group_ids: [school.otherClass.id] }, ben)).status).toBe(200);
    expect((await listPage('1')).reply.readers).toMatchObject([{ name: "Finn O'Hara" }]);
    await change(program.id, { scopes: ['read_reading'] }, ben);
    expect((await listPage('2')).error.code).toBe('program_scope_missing');
    expect(await findListed(program.id)).toMatchObject({
      scopes: ['read_reading'],
      groups: null,
      responsible: { id: ada.id },
    });
    expect((await log()).map(({ action }) => action)).toEqual(['program_made', 'program_changed', 'program_changed']);
  });

  test('a program whose only class is deleted sees nothing, until the class is restored', async () => {
    const { program, token } = (await make({ group_ids: [school.otherClass.id] })).reply;
    const see = async () =>
      (await app.call(pupilCalls.listPupils, { params: { id: school.id }, query: {}, token })).reply.readers.length;
    expect(await see()).toBe(1);
    const params = { id: school.id, groupId: school.otherClass.id };
    await app.call(classCalls.removeClass, { params, token: ada.token });
    expect(await see()).toBe(0);
    expect(await findListed(program.id)).toMatchObject({ groups: [] });
  });
});

describe('a leaked token', () => {
  test('opens nothing from the call after its revocation on', async () => {
    const { program, token } = (await make()).reply;
    expect(await use(token)).toBe(200);
    expect((await revoke(program.id)).status).toBe(200);
    expect(await use(token)).toBe(401);
    expect(await findListed(program.id)).toMatchObject({ ended_at: NOW, ended_because: 'revoked' });
    expect((await revoke(program.id)).error.code).toBe('program_not_found');
    expect((await change(program.id)).error.code).toBe('program_not_found');
    expect(await app.database.kysely.selectFrom('program_tokens').selectAll().execute()).not.toContainEqual(
      expect.objectContaining({ program_id: program.id }),
    );
  });

  test('that is used from a second place works there, and the admins see it', async () => {
    const { program, token } = (await make()).reply;
    const useFrom = (address: string) =>
      app.fastify.inject({
        method: 'GET',
        url: '/v1/program',
        headers: { authorization: `Bearer ${token}` },
        remoteAddress: address,
      });
    await useFrom('192.0.2.1');
    expect(await findListed(program.id)).toMatchObject({ last_used_at: NOW, other_network_at: null });
    at(0, 1000);
    expect((await useFrom('192.0.2.2')).statusCode).toBe(200);
    const seen = new Date(Date.parse(NOW) + 1000).toISOString();
    expect(await findListed(program.id)).toMatchObject({ last_used_at: seen, other_network_at: seen });
    // Two places in turn write once an hour.
    at(0, 2000);
    await useFrom('192.0.2.1');
    expect(await findListed(program.id)).toMatchObject({ other_network_at: seen });
    at(0, 3_600_000 + 2000);
    await useFrom('192.0.2.3');
    expect(await findListed(program.id)).toMatchObject({ other_network_at: '2026-11-18T13:00:02.000Z' });
  });
});

describe('the end of a token', () => {
  test('is its day, to the millisecond; then it is listed for 30 days', async () => {
    const { program, token } = (await make({ days: 10 })).reply;
    at(10, -1);
    expect(await use(token)).toBe(200);
    at(10);
    expect(await use(token)).toBe(401);
    await prove(ada, ben);
    expect((await change(program.id)).error.code).toBe('program_not_found');
    await runJobs();
    expect(await findListed(program.id)).toMatchObject({
      ended_because: 'expired',
      ended_at: '2026-11-28T12:00:00.000Z',
    });
    expect((await log()).at(-1)).toMatchObject({
      action: 'program_ended',
      actor: null,
      details: { name: 'Warehouse', reason: 'expired' },
    });
    await later(40, -1);
    expect(await list()).toHaveLength(1);
    await later(40);
    expect(await list()).toEqual([]);
  });

  test('is announced to every admin 14 days before, once; not for a token that is as short', async () => {
    await make();
    await make({ name: 'Short', days: 14 });
    at(75);
    await runJobs();
    expect(programMails()).toEqual([]);
    at(76);
    await runJobs();
    // Another program lets the school be looked at again.
    await app.build.program(school, { days: 1 });
    at(77);
    await runJobs();
    expect(
      programMails()
        .map(({ recipient }) => recipient)
        .sort(),
    ).toEqual([ada.email, ben.email].sort());
    for (const { subject, text } of programMails()) {
      expect(subject).toContain('ends soon');
      expect(text).toContain('16 February 2027');
      expect(text).not.toContain('Short');
    }
  });
});

describe('a program whose admin is no longer one', () => {
  const demote = async () => {
    expect((await setRole(ada, 'teacher')).status).toBe(200);
    await runJobs();
  };

  test('works for 14 days, in which the other admins are asked to confirm it once, and ends', async () => {
    const { program, token } = (await make()).reply;
    await demote();
    expect(programMails().map(({ recipient }) => recipient)).toEqual([ben.email]);
    expect(programMails()[0]?.text).toContain('answered for by Morgan Admin, ends on 2 December 2026');
    expect(await findListed(program.id, ben)).toMatchObject({ confirm_by: '2026-12-02T12:00:00.000Z' });
    at(14, -1);
    await runJobs();
    expect(await use(token)).toBe(200);
    at(14);
    expect(await use(token)).toBe(401);
    await prove(ben);
    await runJobs();
    expect(await findListed(program.id, ben)).toMatchObject({ ended_because: 'not_confirmed' });
    expect(programMails()).toHaveLength(1);
    expect((await confirm(program.id)).error.code).toBe('program_not_found');
  });

  test('continues when another admin confirms it, who answers for it from then on', async () => {
    const { program, token } = (await make()).reply;
    await demote();
    const { reply } = await confirm(program.id);
    expect(reply.program).toMatchObject({ confirm_by: null, responsible: { id: ben.id }, made_by: { id: ada.id } });
    at(15);
    await runJobs();
    expect(await use(token)).toBe(200);
    expect((await log()).map(({ action }) => action)).toEqual(['program_made', 'program_confirmed']);
    // The second admin leaves too: the same again.
    at(0);
    await setRole(cleo, 'admin');
    await setRole(ben, 'teacher', cleo);
    await runJobs();
    expect(programMails().at(-1)?.recipient).toBe(cleo.email);
  });

  test('each admin is asked about once, however often programs are looked at', async () => {
    await make();
    // As short as the announcement, so that its end is not announced.
    await make({ name: 'Short', days: 14 });
    await make({ name: 'Shorter', days: 1 });
    await demote();
    expect(programMails()).toHaveLength(1);
    at(1);
    await runJobs();
    at(14);
    await runJobs();
    expect(programMails()).toHaveLength(1);
  });

  test('is theirs again when they are an admin again', async () => {
    const { program } = (await make()).reply;
    await demote();
    await setRole(ada, 'admin');
    await runJobs();
    expect(await findListed(program.id)).toMatchObject({ confirm_by: null, responsible: { id: ada.id } });
    // Another 14 days the next time.
    at(3);
    await prove(ben);
    await setRole(ada, 'teacher');
    await runJobs();
    expect(await findListed(program.id, ben)).toMatchObject({ confirm_by: '2026-12-05T12:00:00.000Z' });
    expect(programMails()).toHaveLength(2);
  });

  test('goes on when they are an admin again on the day of its end, before anyone looked', async () => {
    const { token } = (await make()).reply;
    await demote();
    at(14);
    await app.database.kysely.updateTable('staff').set({ role: 'admin' }).where('user_id', '=', ada.id).execute();
    await runJobs();
    expect(await use(token)).toBe(200);
  });

  test('ends in the same way when they leave the school', async () => {
    const { program, token } = (await make()).reply;
    const params = { id: school.id, userId: ada.id };
    await app.call(teacherCalls.removeTeacher, { params, token: ben.token });
    await runJobs();
    expect(await use(token)).toBe(200);
    expect(await findListed(program.id, ben)).toMatchObject({
      confirm_by: '2026-12-02T12:00:00.000Z',
      responsible: { id: ada.id },
    });
    at(14);
    expect(await use(token)).toBe(401);
  });

  test('is asked about as soon as the school has an admin who can be reached, and ends on the same day', async () => {
    const { token } = (await make()).reply;
    await app.database.kysely
      .updateTable('staff')
      .set({ role: 'teacher' })
      .where('school_id', '=', school.id)
      .execute();
    await runJobs();
    expect(programMails()).toEqual([]);
    at(10);
    await app.database.kysely.updateTable('staff').set({ role: 'admin' }).where('user_id', '=', ben.id).execute();
    await runJobs();
    expect(programMails()).toMatchObject([{ recipient: ben.email, text: expect.stringContaining('2 December 2026') }]);
    at(14);
    expect(await use(token)).toBe(401);
  });
});

test('a school that closes ends its programs, and reopening does not bring them back', async () => {
  const { program, token } = (await make()).reply;
  const params = { id: school.id };
  await app.call(schoolClosingCalls.requestClosing, { params, token: ada.token });
  expect(await use(token)).toBe(200);
  expect((await app.call(schoolClosingCalls.confirmClosing, { params, token: ben.token })).status).toBe(200);
  expect(await use(token)).toBe(401);
  expect(await findListed(program.id)).toMatchObject({ ended_because: 'school_closed' });
  await app.call(schoolClosingCalls.cancelClosing, { params, token: ada.token });
  expect(await use(token)).toBe(401);
});
