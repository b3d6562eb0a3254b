import { api } from '#contract/api.ts';
import type { Call } from '#contract/call.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { supportAccessCalls } from '#contract/calls/support-access.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../testing/builder.ts';
import { exampleQuery, pathWithIds } from '../testing/example-requests.ts';

const LOGIN = '2026-11-18T12:00:00.000Z';
const LAST_SECOND = '2026-11-18T12:14:59.999Z';
const TOO_LATE = '2026-11-18T12:15:00.000Z';
const app = testApp();
let school: BuiltSchool;
let invite: { id: string; link: string };
let operator: { token: string };
beforeAll(async () => {
  app.setTime(LOGIN);
  school = await app.build.school();
  invite = await app.build.invite(school);
  operator = await app.build.operator();
});
beforeEach(() => app.setTime(LOGIN));

const calls = Object.values<Call>(api);
const tokenFor = ({ permission }: Call) => (permission === 'operator' ? operator : school.admin).token;
const ask = (call: Call, query = exampleQuery(call)) =>
  app.ask(call.method, pathWithIds(call, school, invite) + query, {
    token: tokenFor(call),
    ...(call.method === 'POST' ? { payload: {} } : {}),
  });
const listed = (which: Call[]) => which.map((call) => [call.name, call] as const);

describe('15 minutes after the login', () => {
  beforeEach(() => app.setTime(TOO_LATE));

  test.each(listed(calls.filter(({ needsProof }) => needsProof === true)))('%s needs a proof', async (_, call) => {
    const { status, error } = await ask(call);
    expect([status, error.code]).toEqual([409, 'proof_required']);
  });

  const filesWithoutProof = calls.filter((call) => call.noProof && call.permission !== 'open');
  test.each(listed(filesWithoutProof))('%s needs no proof', async (_, call) => {
    expect((await ask(call)).error.code).not.toBe('proof_required');
  });

  test('the list of pupils who need help is shown without a proof, and printed with one', async () => {
    const needs = readingNeedsCalls.listReadingNeeds;
    for (const query of ['', '?output=json']) expect((await ask(needs, query)).status).toBe(200);
    for (const query of ['?output=pdf', '?output=json&output=pdf', '?outpu%74=pdf']) {
      const { status, error } = await ask(needs, query);
      expect([query, status, error.code]).toEqual([query, 409, 'proof_required']);
    }
    const proof = { token: school.admin.token, body: { password: PASSWORD } };
    expect((await app.call(secondFactorCalls.proveIdentity, proof)).status).toBe(200);
    expect((await ask(needs, '?output=pdf')).status).toBe(200);
  });
});

test('support is let in with a login or a proof of the last 15 minutes, and shut out without one', async () => {
  const { admin, id } = await app.build.school();
  const at = { token: admin.token, params: { id } };
  app.setTime(LAST_SECOND);
  expect((await app.call(supportAccessCalls.allowSupportAccess, at)).status).toBe(200);
  app.setTime(TOO_LATE);
  expect((await app.call(supportAccessCalls.allowSupportAccess, at)).error.code).toBe('proof_required');
  expect((await app.call(supportAccessCalls.endSupportAccess, at)).status).toBe(200);
});

test('an admin who was made a teacher gets 403 with a proof and without one', async () => {
  const own = await app.build.school();
  const second = await app.build.staff(own, 'admin');
  const demote = { token: own.admin.token, params: { id: own.id, userId: second.id }, body: { admin: false } };
  expect((await app.call(teacherCalls.setAdmin, demote)).status).toBe(200);
  for (const time of [LOGIN, TOO_LATE]) {
    app.setTime(time);
    const at = { token: second.token, params: { id: own.id } };
    expect((await app.call(supportAccessCalls.allowSupportAccess, at)).status).toBe(403);
  }
});
