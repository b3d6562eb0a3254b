import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { pupilTagCalls } from '#contract/calls/pupil-tags.ts';
import { subjectRequestCalls } from '#contract/calls/subject-requests.ts';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { makeCopy } from '../../../testing/subject-requests.ts';

const app = testApp();
let school: BuiltSchool;
let pupil: { id: number };

beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  school = await app.build.school();
  pupil = (await app.build.pupils(school, school.ownClass.id, ['Xanthippe Quaglino']))[0]!;
});

const atSchool = () => ({ params: { id: school.id }, token: school.admin.token });

/** Records a request about the pupil, or another person. Returns its ID. */
async function open(requester: string, identity: string, subject?: { kind: 'pupil' | 'staff'; id: number }) {
  const { reply } = await app.call(subjectRequestCalls.openSubjectRequest, {
    ...atSchool(),
    body: {
      subject: subject ?? { kind: 'pupil', id: pupil.id },
      requester_name: requester,
      requester_relation: 'parent',
      identity_check: identity,
      maturity: 'adult_decides',
      received_on: '2026-11-16',
    },
  });
  return reply.request.id;
}

const close = (requestId: number, note: string) =>
  app.call(subjectRequestCalls.closeSubjectRequest, {
    params: { id: school.id, requestId },
    token: school.admin.token,
    body: { outcome: 'released', note },
  });

/** Tags the pupil. Returns the tag's ID. */
async function tag(name: string): Promise<number> {
  const { reply } = await app.call(pupilTagCalls.createPupilTag, { ...atSchool(), body: { name } });
  await app.call(pupilTagCalls.tagPupils, {
    ...atSchool(),
    body: { changes: [{ tag_id: reply.id, add: [pupil.id], remove: [] }] },
  });
  return reply.id;
}

const addNote = (text: string) =>
  app.call(pupilNoteCalls.addPupilNote, {
    params: { id: school.id, readerId: pupil.id },
    token: school.admin.token,
    body: { text },
  });

/** Records that a user renamed the pupil, with the former name, as an earlier version did. */
const recordRename = (userId: number, from: string) =>
  sql`insert into audit_log (school_id, at, actor_user_id, action, subject_kind, subject_id, details)
    values (${school.id}, ${app.services.clock.now()}, ${userId}, 'pupil_renamed', 'pupil', ${String(pupil.id)},
      ${JSON.stringify({ from, to: 'Xanthippe Quaglino' })}::jsonb)`.execute(app.database.kysely);

/** The texts to decide about in a request. */
const listTexts = async (requestId: number) =>
  (
    await app.call(subjectRequestCalls.listSubjectTexts, {
      params: { id: school.id, requestId },
      token: school.admin.token,
      query: {},
    })
  ).reply.texts;

/** The mother's request, from its record to its closing note. */
async function answerMother(subject?: { kind: 'pupil' | 'staff'; id: number }): Promise<void> {
  const id = await open('Maria Haven', 'Passport; she lives at 14 Refuge Lane', subject);
  await makeCopy(app, school, id, { leavesOut: true });
  expect((await close(id, 'Posted to 14 Refuge Lane, Leeds: the father must not know')).status).toBe(200);
}

const MOTHER = /Maria|Haven|Refuge|Leeds|Passport|must not know/;

test('a copy for one parent contains only the dates of the other parent’s request', async () => {
  await answerMother();
  const copy = await makeCopy(app, school, await open('Aldo Quaglino', 'Driving licence'));
  expect(copy.everything).not.toMatch(MOTHER);
  expect(copy.everything).not.toMatch(/Driving licence|Aldo/);
  expect(JSON.parse(copy.files.get('data/subject_requests.json') ?? '')).toEqual([
    { id: expect.any(Number), received_on: '2026-11-16', closed_at: '2026-11-18T12:00:00.000Z' },
    { id: expect.any(Number), received_on: '2026-11-16', closed_at: null },
  ]);
  expect(copy.files.get('data/subject_requests.csv')).toMatch(/^\uFEFF?id,received_on,closed_at\r\n/);
  expect(copy.files.get('read-me-first.html')).toContain(
    'The school received a request on 16 November 2026 and closed it on 18 November 2026.',
  );
  expect(copy.files.get('data/audit_log.json') ?? '').not.toContain('subject_');
});

test('a copy contains neither notes and tags that an admin left out nor the values of changes', async () => {
  await addNote('Mother moved to Refuge Lane');
  await tag('Haven: no contact');
  await recordRename(school.admin.id, 'Xanthippe Haven');
  const requestId = await open('Aldo Quaglino', 'Driving licence');
  expect(await listTexts(requestId)).toMatchObject([
    { kind: 'pupil_notes', written_at: '2026-11-18T12:00:00.000Z' },
    { kind: 'pupil_tags', text: 'Haven: no contact', written_at: null, written_by: null },
  ]);
  const copy = await makeCopy(app, school, requestId, { leavesOut: true });
  expect(copy.everything).not.toMatch(MOTHER);
  expect(copy.everything).toContain('Left out by the school');
  expect(copy.files.get('data/audit_log.csv')).toContain('pupil_renamed');
});

test('the review marks a note that names the parent of an earlier request', async () => {
  await answerMother();
  await addNote('Maria said that Xanthippe reads at bedtime');
  const [note] = await listTexts(await open('Aldo Quaglino', 'Driving licence'));
  expect(note?.names).toEqual(['Maria']);
});

test('a copy contains the name of a tag that an admin has included', async () => {
  await tag('Reading club');
  const copy = await makeCopy(app, school, await open('Aldo Quaglino', 'Driving licence'));
  expect(copy.files.get('data/pupil_tags.csv')).toContain('Reading club');
  expect(copy.pages.join(' ')).toContain('Reading club');
});

test('a copy is not made after a tag was renamed until an admin has decided about its new name', async () => {
  const tagId = await tag('Reading club');
  const requestId = await open('Aldo Quaglino', 'Driving licence');
  const ofRequest = { params: { id: school.id, requestId }, token: school.admin.token };
  await app.call(subjectRequestCalls.decideSubjectText, {
    ...ofRequest,
    body: { kind: 'pupil_tags', id: tagId, decision: 'include' },
  });
  await app.call(pupilTagCalls.renamePupilTag, {
    params: { id: school.id, tagId },
    token: school.admin.token,
    body: { name: 'Haven: no contact' },
  });
  expect((await app.call(subjectRequestCalls.makeSubjectFile, ofRequest)).error.code).toBe('subject_texts_undecided');
  const copy = await makeCopy(app, school, requestId, { leavesOut: true });
  expect(copy.everything).not.toMatch(MOTHER);
});

test('a copy for a member of staff contains nothing of another person’s request about them', async () => {
  const subject = { kind: 'staff' as const, id: school.teacher.id };
  await answerMother(subject);
  await recordRename(school.teacher.id, 'Xanthippe Haven');
  const copy = await makeCopy(app, school, await open('Morgan Teacher', 'Known', subject));
  expect(copy.everything).not.toMatch(MOTHER);
  expect(copy.files.get('data/audit_log.csv')).toContain('pupil_renamed');
  expect(copy.everything).not.toContain('Xanthippe');
});
