import { accessCalls } from '#contract/calls/access.ts';
import { chartCalls } from '#contract/calls/charts.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
beforeEach(async () => {
  school = await app.build.school();
});

const log = () =>
  app.database.kysely
    .selectFrom('audit_log')
    .select(['action', 'actor_user_id', 'subject_id', 'details'])
    .where('school_id', '=', school.id)
    .orderBy('id')
    .execute();

test('logins and failed logins are in the audit log, without what was typed', async () => {
  const { email, id } = school.teacher;
  expect((await app.call(accessCalls.logIn, { body: { email, password: 'a wrong secret' } })).status).toBe(401);
  expect((await app.call(accessCalls.logIn, { body: { email: 'nobody@test.example', password: 'x' } })).status).toBe(
    401,
  );
  await app.runJobs();
  expect((await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } })).status).toBe(200);
  expect(await log()).toEqual([
    { action: 'login_failed', actor_user_id: null, subject_id: String(id), details: {} },
    { action: 'logged_in', actor_user_id: id, subject_id: String(id), details: {} },
  ]);
});

test('downloads of logins and of the list of pupils are in the audit log', async () => {
  const { token, id } = school.admin;
  const at = { params: { id: school.id }, token };
  const { reply } = await app.call(pupilImportCalls.createPupils, {
    ...at,
    body: { readers: [{ name: 'Wren Fletcher' }] },
  });
  const [, file = ''] = /files\/([\w-]+\.pdf)$/.exec(reply.links?.logins ?? '') ?? [];
  expect((await app.call(loginCardCalls.getFile, { params: { token: file }, token })).status).toBe(200);
  expect((await app.call(downloadCalls.exportPupils, { ...at, query: { output: 'csv' } })).status).toBe(200);
  const chart = {
    name: 'readers_read_books_by_reading_level',
    start_date: '2026-11-01T00:00:00.000Z',
    end_date: '2026-11-18T12:00:00.000Z',
  } as const;
  for (const output of ['json', 'csv'] as const)
    expect(
      (await app.call(chartCalls.getChart, { token, params: at.params, query: { ...chart, output } })).status,
    ).toBe(200);
  expect((await log()).slice(1)).toMatchObject([
    { action: 'logins_downloaded', actor_user_id: id, details: { file: 'login-cards.pdf' } },
    { action: 'pupils_exported', actor_user_id: id, details: { file: 'pupils.csv' } },
    { action: 'chart_downloaded', actor_user_id: id, details: { chart: chart.name } },
  ]);
});

test("an operator's access to a school is in its audit log", async () => {
  const operator = await app.build.operator();
  await app.call(operatorCalls.getSchoolState, { params: { schoolId: school.id }, token: operator.token });
  expect(await log()).toMatchObject([{ action: 'school_viewed', actor_user_id: operator.id }]);
});
