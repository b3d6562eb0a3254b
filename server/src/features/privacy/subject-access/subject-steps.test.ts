import { archiveCalls } from '#contract/calls/archive.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { subjectRequestCalls } from '#contract/calls/subject-requests.ts';
import { termDateCalls } from '#contract/calls/term-dates.ts';
import type { BodyInputOf } from '#contract/call.ts';
import type { RequestKind, RequestStep } from '#contract/rights.ts';
import { usualYear } from '#contract/school-calendar.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { dumpDatabase } from '../../../testing/dump.ts';
import { MAX_STEPS } from './subject-steps.service.ts';

const app = testApp();
let school: BuiltSchool;
let pupil: { id: number };
beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  school = await app.build.school();
  pupil = (await app.build.pupils(school, school.ownClass.id, ['Xanthippe Quaglino']))[0]!;
});

type Body = BodyInputOf<typeof subjectRequestCalls.openSubjectRequest>;
const at = (requestId: number, token = school.admin.token) => ({ params: { id: school.id, requestId }, token });

const open = (kind: RequestKind, change: Partial<Body> = {}) =>
  app.call(subjectRequestCalls.openSubjectRequest, {
    params: { id: school.id },
    token: school.admin.token,
    body: {
      kind,
      subject: { kind: 'pupil', id: pupil.id },
      requester_name: 'Gwen Quaglino',
      requester_relation: 'parent',
      details: 'As she said on the telephone',
      maturity: 'adult_decides',
      school_type: 'maintained',
      received_on: '2026-11-18',
      ...change,
    },
  });
const openId = async (...args: Parameters<typeof open>): Promise<number> => (await open(...args)).reply.request.id;
const get = async (requestId: number) =>
  (await app.call(subjectRequestCalls.getSubjectRequest, at(requestId))).reply.request;
const list = async (query: { kind?: RequestKind } = {}) =>
  (
    await app.call(subjectRequestCalls.listSubjectRequests, {
      params: { id: school.id },
      token: school.admin.token,
      query,
    })
  ).reply.requests;
const record = (requestId: number, step: RequestStep, on: string, note: string | null = 'As agreed', token?: string) =>
  app.call(subjectRequestCalls.recordSubjectStep, { ...at(requestId, token), body: { step, on, note } });
const undo = (requestId: number, stepId: number) =>
  app.call(subjectRequestCalls.undoSubjectStep, {
    params: { id: school.id, requestId, stepId },
    token: school.admin.token,
  });
const undoLast = async (requestId: number) => undo(requestId, (await get(requestId)).steps.at(-1)?.id ?? 0);
const close = (requestId: number, outcome: 'released' | 'not_released') =>
  app.call(subjectRequestCalls.closeSubjectRequest, { ...at(requestId), body: { outcome, note: 'Told by letter' } });
/** The days that pass; sessions last 30 days unused. */
const setDay = async (day: string) => {
  app.setTime(`${day}T12:00:00.000Z`);
  school.admin.token = (await app.build.staff(school, 'admin')).token;
};

test('a request whose requester still has to prove who they are has no due day, and starts when the proof arrives', async () => {
  const id = await openId('access');
  expect(await get(id)).toMatchObject({ clock: 'running', due_on: '2026-12-18', identity_check: null });
  await record(id, 'identity_asked', '2026-11-18');
  await setDay('2027-01-04');
  expect(await get(id)).toMatchObject({
    clock: 'waiting_for_identity',
    starts_on: null,
    due_on: null,
    is_overdue: false,
    next_steps: ['identity_confirmed', 'clarification_asked'],
  });
  expect((await record(id, 'identity_confirmed', '2027-01-04', 'Showed a passport')).status).toBe(200);
  expect(await get(id)).toMatchObject({
    clock: 'running',
    starts_on: '2027-01-04',
    due_on: '2027-02-04',
    identity_check: 'Showed a passport',
    steps: [
      { step: 'identity_asked', on: '2026-11-18', note: null },
      { step: 'identity_confirmed', on: '2027-01-04', note: null },
    ],
  });
});

test('no file is made or downloaded until identity is confirmed, also when that step is removed again', async () => {
  const id = await openId('access');
  const make = () => app.call(subjectRequestCalls.makeSubjectFile, at(id));
  const download = () => app.call(subjectRequestCalls.downloadSubjectFile, at(id));
  expect((await make()).error.code).toBe('subject_identity_unconfirmed');
  await record(id, 'identity_confirmed', '2026-11-18');
  expect((await make()).status).toBe(200);
  await app.runJobs();
  await undoLast(id);
  expect(await get(id)).toMatchObject({ identity_check: null, file: { state: 'ready' } });
  expect((await download()).status).toBe(404);
  await record(id, 'identity_confirmed', '2026-11-18');
  expect((await download()).status).toBe(200);
});

test('an extended request is not overdue after its first month, and is overdue after its third', async () => {
  const id = await openId('access');
  const other = await openId('rectification');
  await setDay('2026-12-18');
  expect(await get(id)).toMatchObject({ is_extended: false, extend_by: '2026-12-18' });
  expect((await record(id, 'extended', '2026-12-18', 'Five requests at once')).status).toBe(200);
  await setDay('2026-12-19');
  expect(
    (await list()).map(({ kind, is_overdue, is_extended, due_on }) => [kind, is_overdue, is_extended, due_on]),
  ).toEqual([
    ['rectification', true, false, '2026-12-18'],
    ['access', false, true, '2027-02-18'],
  ]);
  expect((await record(id, 'extended', '2026-12-19')).error.code).toBe('subject_step_unavailable');
  expect((await record(other, 'extended', '2026-12-19')).error.errors).toHaveProperty('on');
  // The letter was sent in time, and is recorded a day later.
  expect((await record(other, 'extended', '2026-12-18')).status).toBe(200);
  await setDay('2027-02-19');
  expect((await list()).map(({ is_overdue }) => is_overdue)).toEqual([true, true]);
});

test('an access request stops while the school waits to hear which information is meant, and goes on afterwards', async () => {
  const id = await openId('access');
  await setDay('2027-01-08');
  await record(id, 'clarification_asked', '2026-12-18');
  expect(await get(id)).toMatchObject({ clock: 'paused', due_on: null, is_overdue: false, extend_by: null });
  expect((await list())[0]).toMatchObject({ clock: 'paused', is_overdue: false });
  await record(id, 'clarification_answered', '2027-01-08');
  expect(await get(id)).toMatchObject({ clock: 'running', due_on: '2027-01-08', is_overdue: false });
  expect((await record(id, 'clarification_asked', '2026-12-01')).error.errors).toHaveProperty('on');
});

test.each<[RequestStep, string, string]>([
  ['clarification_asked', '2026-12-19', 'after the time to answer'],
  ['identity_asked', '2026-12-19', 'after the time to answer'],
  ['extended', '2026-12-19', 'after the first month'],
  ['extended', '2026-11-17', 'before the request arrived'],
  ['extended', '2026-12-21', 'in the future'],
])('the step %s of a request cannot have happened on %s, %s', async (step, on) => {
  const id = await openId('access');
  await setDay('2026-12-20');
  const { status, error } = await record(id, step, on);
  expect([status, Object.keys(error.errors ?? {})]).toEqual([422, ['on']]);
  expect((await get(id)).steps).toEqual([]);
});

test.each<[RequestStep]>([['identity_confirmed'], ['clarification_asked'], ['extended']])(
  'the step %s of a request needs a text',
  async (step) => {
    const id = await openId('access');
    const { status, error } = await record(id, step, '2026-11-18', null);
    expect([status, Object.keys(error.errors ?? {})]).toEqual([422, ['note']]);
  },
);

test('the steps of a request are recorded in the order in which they happened', async () => {
  const id = await openId('access');
  await setDay('2026-11-30');
  await record(id, 'clarification_asked', '2026-11-25');
  expect((await record(id, 'clarification_answered', '2026-11-24')).error.errors).toHaveProperty('on');
  expect((await record(id, 'clarification_answered', '2026-11-25')).status).toBe(200);
});

test.each<[RequestKind, RequestStep]>([
  ['rectification', 'clarification_asked'],
  ['erasure', 'clarification_asked'],
  ['objection', 'acknowledged'],
  ['access', 'clarification_answered'],
  ['educational_record', 'extended'],
  ['educational_record', 'clarification_asked'],
  ['complaint', 'extended'],
  ['complaint', 'identity_asked'],
  ['complaint', 'progress_told'],
])('a request of the kind %s cannot begin with the step %s', async (kind, step) => {
  const id = await openId(kind);
  expect((await record(id, step, '2026-11-18')).error.code).toBe('subject_step_unavailable');
  expect((await get(id)).next_steps).not.toContain(step);
});

test('one of two admins who record the same step of a request at once succeeds', async () => {
  const second = await app.build.staff(school, 'admin');
  for (const [kind, step] of [
    ['access', 'extended'],
    ['access', 'clarification_asked'],
    ['complaint', 'acknowledged'],
  ] as const) {
    const id = await openId(kind, { requester_name: `Asks for ${step}` });
    const statuses = await Promise.all([
      record(id, step, '2026-11-18'),
      record(id, step, '2026-11-18', 'As agreed', second.token),
    ]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await get(id)).steps).toHaveLength(1);
  }
});

test('removing the last step of a request, once, sets the clock back, and no other step can be removed', async () => {
  const id = await openId('access');
  await record(id, 'clarification_asked', '2026-11-18');
  await record(id, 'extended', '2026-11-18');
  const [first, last] = (await get(id)).steps;
  expect((await undo(id, first!.id)).error.code).toBe('subject_step_unavailable');
  const statuses = await Promise.all([undo(id, last!.id), undo(id, last!.id)]);
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await get(id)).toMatchObject({
    clock: 'paused',
    is_extended: false,
    steps: [{ step: 'clarification_asked' }],
  });
  await undoLast(id);
  expect(await get(id)).toMatchObject({ clock: 'running', due_on: '2026-12-18', steps: [] });
  expect((await undo(id, first!.id)).error.code).toBe('subject_step_unavailable');
});

test('no step of a closed request is recorded or removed', async () => {
  const id = await openId('objection');
  await record(id, 'extended', '2026-11-18');
  await close(id, 'released');
  expect((await record(id, 'identity_confirmed', '2026-11-18')).error.code).toBe('subject_request_closed');
  expect((await undoLast(id)).error.code).toBe('subject_request_closed');
  expect(await get(id)).toMatchObject({ next_steps: [], extend_by: null, is_overdue: false, outcome: 'released' });
});

test('an admin of another school and a teacher can neither record nor remove a step of a request', async () => {
  const id = await openId('access');
  await record(id, 'clarification_asked', '2026-11-18');
  const stepId = (await get(id)).steps[0]!.id;
  const other = await app.build.school();
  const body = { step: 'clarification_answered' as const, on: '2026-11-18' };
  for (const [schoolId, token, status] of [
    [other.id, other.admin.token, 404],
    [school.id, school.teacher.token, 403],
  ] as const) {
    const params = { id: schoolId, requestId: id };
    expect((await app.call(subjectRequestCalls.recordSubjectStep, { params, token, body })).status).toBe(status);
    const ofStep = { params: { ...params, stepId }, token };
    expect((await app.call(subjectRequestCalls.undoSubjectStep, ofStep)).status).toBe(status);
  }
  expect((await get(id)).steps).toHaveLength(1);
});

test('a complaint is acknowledged, then has no fixed day, and is closed with its outcome', async () => {
  const id = await openId('complaint', { identity_check: 'Not needed' });
  expect(await get(id)).toMatchObject({
    identity_check: null,
    maturity: null,
    due_on: '2026-12-18',
    last_told_on: null,
    next_steps: ['acknowledged'],
    texts: { total: 0 },
  });
  await setDay('2026-12-19');
  expect((await list())[0]).toMatchObject({ is_overdue: true });
  await record(id, 'acknowledged', '2026-12-18', null);
  expect((await list())[0]).toMatchObject({ clock: 'no_fixed_day', due_on: null, is_overdue: false });
  await record(id, 'progress_told', '2026-12-19', 'Still asking the office');
  expect(await get(id)).toMatchObject({ last_told_on: '2026-12-19', next_steps: ['progress_told'] });
  expect((await app.call(subjectRequestCalls.makeSubjectFile, at(id))).error.code).toBe('subject_request_without_file');
  expect((await close(id, 'released')).status).toBe(200);
});

test('progress of a complaint is told at most a hundred times', async () => {
  const id = await openId('complaint');
  await record(id, 'acknowledged', '2026-11-18');
  for (let count = 1; count < MAX_STEPS; count += 1) await record(id, 'progress_told', '2026-11-18');
  expect((await record(id, 'progress_told', '2026-11-18')).error.code).toBe('subject_step_unavailable');
});

test('the educational record is due after 15 days of the school’s own term dates, also when they change later', async () => {
  const id = await openId('educational_record');
  expect(await get(id)).toMatchObject({ due_on: '2026-12-09', uses_usual_terms: true, maturity: null });
  const halves = usualYear(2026).map(({ from, to }) => ({ first_day: from, last_day: to }));
  halves[1] = { first_day: '2026-11-02', last_day: '2026-12-01' };
  halves[2] = { first_day: '2027-01-04', last_day: '2027-02-12' };
  const saved = await app.call(termDateCalls.updateTermDates, {
    params: { id: school.id },
    token: school.admin.token,
    body: { academic_year: 2026, half_terms: halves },
  });
  expect(saved.status).toBe(200);
  // Nine school days until 1 December, and six from 4 January on.
  expect(await get(id)).toMatchObject({ due_on: '2027-01-11', uses_usual_terms: false, is_overdue: false });
  expect((await list())[0]).toMatchObject({ due_on: '2027-01-11' });
});

test.each<[string, string, Partial<Body>]>([
  ['school_type', 'at an academy', { school_type: 'other' }],
  ['school_type', 'at a school of an unknown type', { school_type: null }],
  ['requester_relation', 'by a solicitor', { requester_relation: 'other' }],
])('rejects at the field %s a request for the educational record %s', async (field, _, change) => {
  const { status, error } = await open('educational_record', change);
  expect([status, Object.keys(error.errors ?? {})]).toEqual([422, [field]]);
});

test('rejects a request for the educational record of a member of staff', async () => {
  const { status, error } = await open('educational_record', { subject: { kind: 'staff', id: school.teacher.id } });
  expect([status, Object.keys(error.errors ?? {})]).toEqual([422, ['kind']]);
});

test.each(['rectification', 'erasure', 'objection', 'complaint'] as const)(
  'rejects a request of the kind %s that does not say what is asked for',
  async (kind) => {
    const { status, error } = await open(kind, { details: null });
    expect([status, Object.keys(error.errors ?? {})]).toEqual([422, ['details']]);
  },
);

test('two parents can each have an open request of each kind about one pupil, and none of them twice', async () => {
  for (const kind of ['access', 'educational_record', 'complaint'] as const)
    for (const requester_name of ['Gwen Quaglino', 'Tom Quaglino'])
      expect((await open(kind, { requester_name })).status).toBe(200);
  expect((await open('access', { requester_name: 'gwen quaglino' })).error.code).toBe('subject_request_open');
  const twice = await Promise.all([open('erasure'), open('erasure')]);
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('the list of requests shows all kinds or one, the first due at the top', async () => {
  const paused = await openId('access', { received_on: '2026-11-02' });
  await record(paused, 'clarification_asked', '2026-11-10');
  await openId('objection', { received_on: '2026-11-10' });
  await openId('complaint', { received_on: '2026-11-04' });
  const closed = await openId('rectification', { received_on: '2026-11-01' });
  await close(closed, 'not_released');
  expect((await list()).map(({ kind }) => kind)).toEqual(['complaint', 'objection', 'access', 'rectification']);
  expect((await list({ kind: 'objection' })).map(({ kind }) => kind)).toEqual(['objection']);
});

test('the log of changes names the kind and step of a request, and none of its texts', async () => {
  const id = await openId('complaint', { details: 'A canary called Quillon' });
  await record(id, 'acknowledged', '2026-11-18');
  await record(id, 'progress_told', '2026-11-18', 'Canary Quillon');
  await undoLast(id);
  await close(id, 'not_released');
  const { reply } = await app.call(schoolCalls.listAuditLog, {
    params: { id: school.id },
    token: school.admin.token,
    query: {},
  });
  const entries = reply.entries.filter(({ action }) => action.startsWith('subject_'));
  expect(entries.map(({ action, details }) => [action, details.kind, details.step]).toReversed()).toEqual([
    ['subject_request_opened', 'complaint', undefined],
    ['subject_step_recorded', 'complaint', 'acknowledged'],
    ['subject_step_recorded', 'complaint', 'progress_told'],
    ['subject_step_undone', 'complaint', 'progress_told'],
    ['subject_request_closed', 'complaint', undefined],
  ]);
  expect(JSON.stringify(entries)).not.toContain('Quillon');
});

test('erasing the pupil closes their requests and deletes what was asked, answered and told', async () => {
  const id = await openId('access', { details: 'Zenobia Thistlewick moved' });
  await record(id, 'clarification_asked', '2026-11-18', 'Which Thistlewick?');
  await record(id, 'extended', '2026-11-18', 'Thistlewick twins');
  const complaintId = await openId('complaint', { details: 'About Thistlewick', requester_name: 'Gwen Thistlewick' });
  await record(complaintId, 'acknowledged', '2026-11-18');
  await record(complaintId, 'progress_told', '2026-11-18', 'Told Thistlewick');
  await close(complaintId, 'released');
  const asAdmin = { params: { id: school.id }, token: school.admin.token };
  await app.call(archiveCalls.archivePupils, { ...asAdmin, body: { reader_ids: [pupil.id] } });
  await app.call(archiveCalls.erasePupil, { ...asAdmin, params: { id: school.id, readerId: pupil.id } });
  await app.runJobs();
  expect(await get(id)).toMatchObject({ outcome: 'erased', details: null, steps: [{ note: null }, { note: null }] });
  expect(await get(complaintId)).toMatchObject({ outcome: 'released', details: null, requester_name: null });
  expect((await dumpDatabase(app.database)).split('\n').filter((line) => /Thistlewick/.test(line))).toEqual([]);
});

test('a page that was loaded before there were other kinds records a request for a copy of the data', async () => {
  expect((await open('access', { kind: undefined })).reply.request.kind).toBe('access');
});
