import type { Call } from '#contract/call.ts';
import { chartCalls } from '#contract/calls/charts.ts';
import { classReadingCalls } from '#contract/calls/class-reading.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { hardWordCalls } from '#contract/calls/hard-words.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { readingCalls } from '#contract/calls/reading.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
// On a page that the sessions read, and in no other text.
const WORD = 'big';
const SENT_WORD = `"${WORD}"`;
const NOTE = 'Reads better in the morning';
const DATES = { start_date: '2026-11-01', end_date: '2026-11-18' };

let school: BuiltSchool;
let pupilId: number;
/** The teacher of the class in which the pupil starts. */
let first: string;
/** The teacher of the other class. */
let second: string;

beforeAll(async () => {
  school = await app.build.school({ ownPupils: ['Ada Away', 'Ben Books', 'Cleo Cole'] });
  pupilId = school.ownClass.pupils[0]?.id ?? 0;
  first = school.teacher.token;
  const teacher = await app.build.staff(school, 'teacher');
  second = teacher.token;
  await app.database.kysely
    .updateTable('classes')
    .set({ manager_id: teacher.id })
    .where('school_id', '=', school.id)
    .where('id', '=', school.otherClass.id)
    .execute();
  for (const { id } of school.ownClass.pupils)
    await app.build.reading(school, id, [
      { started_at: '2026-11-16T09:00:00.000Z', played_words: [WORD], skipped_words: [WORD] },
    ]);
  await app.call(pupilNoteCalls.addPupilNote, {
    params: { id: school.id, readerId: pupilId },
    body: { text: NOTE },
    token: school.admin.token,
  });
});

const params = (classId: number) => ({ id: school.id, readerId: pupilId, groupId: classId, bookId: 101 });
const send = (
  call: Call,
  token: string,
  { classId = school.ownClass.id, query = {}, body = {} }: { classId?: number; query?: object; body?: object } = {},
) =>
  app.call(call, {
    params: params(classId),
    query: query as Record<string, unknown>,
    token,
    ...(call.method === 'GET' ? {} : { body }),
  });

/** Calls that return names, levels and figures, open to all staff. */
const figures: [string, Call, object?][] = [
  ['the pupil', pupilCalls.getPupil],
  ['the list of pupils', pupilCalls.listPupils],
  ['the summary', readingCalls.getPupilSummary],
  ['a book as the pupil has read it', readingCalls.getPupilBook],
  ['the level', pupilProgressCalls.getPupilProgress, DATES],
  ['the sessions as a file', downloadCalls.exportPupilSessions, { output: 'csv' }],
  ['the reading of the class', classReadingCalls.getClassReading],
  ['the reading of the class as a file', downloadCalls.exportClassReading, { output: 'csv' }],
  ['a chart', chartCalls.getChart, { name: 'group_reading_time_by_reading_level_over_time', ...DATES }],
];

/** Which of the administrator and the two teachers may read the pupil's details now. */
type Access = { admin: boolean; first: boolean; second: boolean };

/** What the calls on notes, words and reasons return to each person. */
async function canRead(token: string): Promise<Record<string, boolean>> {
  const list = await send(pupilNoteCalls.listPupilNotes, token);
  const add = await send(pupilNoteCalls.addPupilNote, token, { body: { text: 'Another note' } });
  const remove = await app.call(pupilNoteCalls.removePupilNote, {
    params: { id: school.id, readerId: pupilId, noteId: 99_999_999 },
    token,
  });
  const progress = await app.call(pupilProgressCalls.getPupilProgress, {
    params: { id: school.id, readerId: pupilId },
    query: DATES,
    token,
  });
  const report = await send(pupilProgressCalls.getPupilProgress, token, { query: { ...DATES, output: 'pdf' } });
  const book = await app.call(readingCalls.getPupilBook, {
    params: { id: school.id, readerId: pupilId, bookId: 101 },
    token,
  });
  const summary = await app.call(readingCalls.getPupilSummary, { params: { id: school.id, readerId: pupilId }, token });
  const respond = await app.call(readingNeedsCalls.respondToNeed, {
    params: { id: school.id, readerId: pupilId },
    body: { need: 'nothing_assigned', response: 'done', remark: 'Was ill' },
    token,
  });
  const pupilNeeds = await app.call(readingNeedsCalls.listPupilNeeds, {
    params: { id: school.id, readerId: pupilId },
    token,
  });
  const needs = await app.call(readingNeedsCalls.listReadingNeeds, { params: { id: school.id }, token });
  const undo = await app.call(readingNeedsCalls.undoNeedResponse, {
    params: { id: school.id, readerId: pupilId, responseId: respond.status === 200 ? respond.reply.response.id : 1 },
    token,
  });
  return {
    'lists the notes': list.status === 200 && list.text.includes(NOTE),
    'adds a note': add.status === 200,
    'may remove notes': remove.error.code !== 'pupil_not_managed',
    'reads the words': progress.reply.words !== null && progress.text.includes(SENT_WORD),
    'downloads the report': report.status === 200,
    'reads the words of a book': book.text.includes(SENT_WORD),
    'reads that the words of a book are shown': book.reply.meta.has_words,
    'reads the words of the latest sessions': summary.text.includes(SENT_WORD),
    'deals with a reason': respond.status === 200,
    'reads on the list what was done': needs.text.includes('Was ill'),
    'reads what was done': pupilNeeds.status === 200 && pupilNeeds.text.includes('Was ill'),
    'undoes it': undo.status === 200,
  };
}

async function expectAccess(access: Access): Promise<void> {
  // The admin last, so that a teacher cannot read the admin's remark.
  for (const [person, token] of [
    ['first', first],
    ['second', second],
    ['admin', school.admin.token],
  ] as const) {
    const answers = await canRead(token);
    expect({ person, answers }).toEqual({
      person,
      answers: Object.fromEntries(Object.keys(answers).map((what) => [what, access[person]])),
    });
  }
}

describe('figures', () => {
  test.each(figures)('all staff read %s of any pupil', async (_, call, query = {}) => {
    const chart = call === chartCalls.getChart ? { ...query, reader_id: pupilId } : query;
    for (const token of [school.admin.token, first, second]) {
      const { status, text } = await send(call, token, { query: chart });
      expect(status).toBe(200);
      if (token === second) expect(text).not.toContain(SENT_WORD);
    }
  });
});

describe('details', () => {
  test('notes, words and reasons are for admins and the teachers of the current class, and follow the pupil to another class', async () => {
    await expectAccess({ admin: true, first: true, second: false });
    await app.build.move(school, pupilId, school.otherClass.id);
    await expectAccess({ admin: true, first: false, second: true });
    await app.build.move(school, pupilId, null);
    await expectAccess({ admin: true, first: false, second: false });
    await app.build.move(school, pupilId, school.ownClass.id);
    await expectAccess({ admin: true, first: true, second: false });
  });

  test('notes, words and reasons follow the class to another teacher', async () => {
    const { id } = await app.build.staff(school, 'teacher');
    const setTeacher = (managerId: number) =>
      app.database.kysely
        .updateTable('classes')
        .set({ manager_id: managerId })
        .where('school_id', '=', school.id)
        .where('id', '=', school.ownClass.id)
        .execute();
    await setTeacher(id);
    await expectAccess({ admin: true, first: false, second: false });
    await setTeacher(school.teacher.id);
    await expectAccess({ admin: true, first: true, second: false });
  });

  test('the words and reasons of a class are for admins and its teachers', async () => {
    for (const [token, status] of [
      [school.admin.token, 200],
      [first, 200],
      [second, 404],
    ] as const) {
      const words = await send(hardWordCalls.listHardWords, token, { query: DATES });
      const sheet = await send(hardWordCalls.listHardWords, token, { query: { ...DATES, output: 'sheet' } });
      const needs = await send(readingNeedsCalls.listReadingNeeds, token, { query: { group_id: school.ownClass.id } });
      expect([words.status, sheet.status, needs.status]).toEqual([status, status, status]);
    }
  });
});
