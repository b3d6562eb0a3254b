import { randomUUID } from 'node:crypto';
import type { ParamsOf, ReplyOf } from '#contract/call.ts';
import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { type NeedKind, readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../clock.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { isHiding, sortNeeds } from './need-responses.service.ts';

const app = testApp();
/** A Wednesday. */
const NOW = '2026-11-18T12:00:00.000Z';
const after = (days: number, ms = 0) => new Date(Date.parse(NOW) + days * DAY_MS + ms).toISOString();
const POOR = { words_attempted: 100, words_correct: 84, has_completed_book: true, last_page: 9 };
const WELL = { ...POOR, words_attempted: 900, words_correct: 890 };
let school: BuiltSchool;
let ada: ParamsOf<typeof readingNeedsCalls.listPupilNeeds>;

/** Ada reads with an accuracy of 84 %, which is a reason; Ben has read well. */
beforeEach(async () => {
  app.setTime('2026-11-16T12:00:00.000Z');
  school = await app.build.school({ ownPupils: ['Ada Away', 'Ben Books'] });
  await app.build.assign(school, { classId: school.ownClass.id }, [101, 102]);
  await app.build.assign(school, { classId: school.otherClass.id }, [101]);
  const [first, second] = school.ownClass.pupils.map(({ id }) => id);
  ada = { id: school.id, readerId: first ?? 0 };
  app.setTime(NOW);
  await read('2026-11-17T09:00:00.000Z', POOR);
  await app.build.reading(school, second ?? 0, [{ ...WELL, started_at: '2026-11-17T09:00:00.000Z' }]);
});

const read = (started_at: string, session: Partial<typeof POOR & { book_id: number }> = POOR, pupilId = ada.readerId) =>
  app.build.reading(school, pupilId, [{ ...session, started_at, played_words: [], skipped_words: [] }]);
const respond = (
  response: 'done' | 'snoozed',
  { remark, token = school.teacher.token, need = 'low_accuracy', key }: RespondOptions = {},
) =>
  app.call(readingNeedsCalls.respondToNeed, {
    params: ada,
    body: { need, response, ...(remark !== undefined && { remark }) },
    token,
    ...(key && { headers: { 'idempotency-key': key } }),
  });
interface RespondOptions {
  remark?: string;
  token?: string;
  need?: NeedKind;
  key?: string;
}
const undo = (responseId: number, token = school.teacher.token, params = ada) =>
  app.call(readingNeedsCalls.undoNeedResponse, { params: { ...params, responseId }, token });
const ofPupil = async (token = school.teacher.token) =>
  (await app.call(readingNeedsCalls.listPupilNeeds, { params: ada, token })).reply;
const list = async (token = school.teacher.token) =>
  (await app.call(readingNeedsCalls.listReadingNeeds, { params: { id: school.id }, query: {}, token })).reply;
const named = (pupils: readonly { name: string }[]) => pupils.map(({ name }) => name);
const LOW = 'low_accuracy';
/** Where Ada's accuracy is on the list, and on her own page, which agree. */
async function findAda(): Promise<'open' | 'hidden' | 'improved' | 'nowhere'> {
  const [all, own] = [await list(), await ofPupil()];
  const isAda = ({ id }: { id: number }) => id === ada.readerId;
  const isLow = ({ evidence }: { evidence: { kind: NeedKind } }) => evidence.kind === LOW;
  const at = {
    open: all.readers.find(isAda)?.needs.some(isLow) ?? false,
    hidden: all.hidden.find(isAda)?.hidden.some(isLow) ?? false,
    improved: all.improved.find(isAda)?.improved.some(({ need }) => need === LOW) ?? false,
  };
  expect(at).toEqual({
    open: own.needs.some(isLow),
    hidden: own.hidden.some(isLow),
    improved: own.improved.some(({ need }) => need === LOW),
  });
  return at.open ? 'open' : at.hidden ? 'hidden' : at.improved ? 'improved' : 'nowhere';
}
const findLow = async () => (await ofPupil()).needs.find(({ evidence }) => evidence.kind === LOW);
const auditOf = async () => {
  const { reply, text } = await app.call(schoolCalls.listAuditLog, {
    params: { id: school.id },
    query: {},
    token: school.admin.token,
  });
  return { actions: reply.entries.map(({ action }) => action).filter((action) => action.startsWith('need_')), text };
};

describe('response “done”', () => {
  test('“done” hides the reason with its remark for colleagues, until the pupil has read three times', async () => {
    expect(await findAda()).toBe('open');
    const { reply } = await respond('done', { remark: ' heard them read ' });
    expect(reply.response).toMatchObject({
      need: 'low_accuracy',
      response: 'done',
      remark: 'heard them read',
      reason: 'Level 1: 84% accuracy in the last six weeks, over 100 words',
      responded_by: school.teacher.id,
      responded_at: NOW,
      until: after(14),
      can_remove: true,
    });
    const seen = (await list(school.admin.token)).hidden;
    expect(seen).toMatchObject([{ name: 'Ada Away', hidden: [{ response: { remark: 'heard them read' } }] }]);
    // A tablet that was offline sends an earlier session.
    await read('2026-11-18T11:00:00.000Z');
    app.setTime('2026-11-20T12:00:00.000Z');
    await read('2026-11-19T09:00:00.000Z');
    await read('2026-11-20T09:00:00.000Z');
    expect(await findAda()).toBe('hidden');
    await read('2026-11-20T10:00:00.000Z');
    expect(await findAda()).toBe('open');
    expect((await findLow())?.tried).toMatchObject({ remark: 'heard them read', responded_by: school.teacher.id });
  });

  test('“done” hides a reason for exactly 14 days', async () => {
    await respond('done');
    app.setTime(after(14, -1));
    expect(await findAda()).toBe('hidden');
    app.setTime(after(14));
    expect(await findAda()).toBe('open');
  });

  test('a reason dealt with shows as improved once it no longer holds, for four weeks from the response', async () => {
    await respond('done', { remark: 'new books' });
    app.setTime(after(1));
    await read('2026-11-18T13:00:00.000Z', WELL);
    await read('2026-11-18T14:00:00.000Z', WELL);
    expect(await findAda()).toBe('nowhere');
    await read('2026-11-18T15:00:00.000Z', WELL);
    expect(await findAda()).toBe('improved');
    expect((await list()).improved).toMatchObject([{ improved: [{ remark: 'new books', need: 'low_accuracy' }] }]);
    app.setTime(after(28, -1));
    expect(await findAda()).toBe('improved');
    app.setTime(after(28));
    expect(await findAda()).toBe('nowhere');
  });

  test('the printed list mentions what staff did about a reason', async () => {
    await respond('done', { remark: 'spoke to parents' });
    app.setTime(after(14));
    await app.call(secondFactorCalls.proveIdentity, { token: school.teacher.token, body: { password: PASSWORD } });
    const path = `/enterprises/${school.id}/needs?output=pdf&group_id=${school.ownClass.id}`;
    const { bytes } = await app.ask('GET', path, { token: school.teacher.token });
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    expect(text).toContain('Done on 18 November: spoke to parents');
  });

  test('“done” hides one reason of a pupil and no other', async () => {
    for (const day of ['12', '13', '16'])
      await read(`2026-11-${day}T09:00:00.000Z`, { ...POOR, book_id: 102, has_completed_book: false, last_page: 2 });
    expect((await ofPupil()).needs.map(({ evidence }) => evidence.kind)).toEqual(['low_accuracy', 'unfinished']);
    await respond('done');
    expect((await ofPupil()).needs.map(({ evidence }) => evidence.kind)).toEqual(['unfinished']);
    expect(named((await list()).readers)).toContain('Ada Away');
  });
});

test('snoozing hides a reason for 14 days, however much the pupil reads, and does not count as an attempt', async () => {
  await respond('snoozed');
  for (const hour of ['13', '14', '15']) await read(`2026-11-18T${hour}:00:00.000Z`);
  app.setTime(after(14, -1));
  expect(await findAda()).toBe('hidden');
  app.setTime(after(14));
  expect((await findLow())?.tried).toBeNull();
});

describe('undoing a response', () => {
  test('any colleague with access can undo a response, which shows the reason again; a second undo is a 404', async () => {
    const { response } = (await respond('done', { remark: 'new books' })).reply;
    expect((await undo(response.id, school.admin.token)).status).toBe(200);
    expect(await findAda()).toBe('open');
    expect((await ofPupil()).history).toEqual([]);
    expect((await undo(response.id)).status).toBe(404);
    const { actions, text } = await auditOf();
    expect(actions.toSorted()).toEqual(['need_done', 'need_response_undone']);
    expect(text).not.toContain('new books');
  });

  test('only its author and admins can remove a response from the history', async () => {
    const { response } = (await respond('done', { token: school.admin.token })).reply;
    expect((await ofPupil()).history[0]?.can_remove).toBe(true);
    app.setTime(after(15));
    expect((await ofPupil()).history[0]?.can_remove).toBe(false);
    expect((await undo(response.id)).status).toBe(404);
    expect((await undo(response.id, school.admin.token)).status).toBe(200);
  });

  test('undoing a response through another pupil is a 404', async () => {
    const { response } = (await respond('done')).reply;
    const ben = { ...ada, readerId: school.ownClass.pupils[1]?.id ?? 0 };
    expect((await undo(response.id, school.admin.token, ben)).status).toBe(404);
    expect(await findAda()).toBe('hidden');
  });
});

describe('repeated responses', () => {
  test('a second response to a hidden reason is rejected, and the first stays', async () => {
    await respond('done', { remark: 'heard them read' });
    const second = await respond('snoozed', { token: school.admin.token });
    expect(second.status).toBe(409);
    expect(second.text).toContain('A colleague has just dealt with this reason.');
    expect((await ofPupil()).history).toHaveLength(1);
  });

  test('of two simultaneous responses to a reason, only the first is stored', async () => {
    const answers = await Promise.all([
      respond('done', { remark: 'one' }),
      respond('snoozed', { token: school.admin.token }),
      respond('done', { remark: 'two' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect((await ofPupil()).history).toHaveLength(1);
  });

  test('a response sent again with its Idempotency-Key returns the first reply', async () => {
    const key = randomUUID();
    const [first, again] = [await respond('done', { key }), await respond('done', { key })];
    expect([again.status, again.reply]).toEqual([200, first.reply]);
    expect((await auditOf()).actions).toEqual(['need_done']);
  });

  test('a response to a reason that no longer holds is rejected', async () => {
    const { status, text } = await respond('done', { need: 'not_read' });
    expect(status).toBe(409);
    expect(text).toContain('This reason no longer applies.');
  });

  test('a reason dealt with twice shows the latest attempt, and the history has both', async () => {
    await respond('done', { remark: 'first' });
    app.setTime(after(14));
    await respond('done', { remark: 'second' });
    app.setTime(after(28));
    const { history } = await ofPupil();
    expect((await findLow())?.tried?.remark).toBe('second');
    expect(history.map(({ remark }) => remark)).toEqual(['second', 'first']);
  });
});

describe('access to responses', () => {
  test('a response follows the pupil to another class, with its remark', async () => {
    await respond('done', { remark: 'spoke to parents' });
    await app.build.move(school, ada.readerId, school.otherClass.id);
    const former = await app.call(readingNeedsCalls.listPupilNeeds, { params: ada, token: school.teacher.token });
    expect([former.status, former.error.code]).toEqual([409, 'pupil_not_managed']);
    expect(JSON.stringify(await list())).not.toContain('spoke to parents');
    expect((await respond('snoozed')).status).toBe(409);
    expect((await ofPupil(school.admin.token)).hidden).toMatchObject([{ response: { remark: 'spoke to parents' } }]);
  });

  test('a response outlives its author’s membership', async () => {
    const colleague = await app.build.staff(school, 'admin');
    await respond('done', { token: colleague.token, remark: 'heard them read' });
    await app.call(teacherCalls.removeTeacher, {
      params: { id: school.id, userId: colleague.id },
      token: school.admin.token,
    });
    expect((await ofPupil()).hidden).toMatchObject([{ response: { responded_by: colleague.id } }]);
  });

  test('another school cannot see, add or undo a response', async () => {
    const otherSchool = await app.build.school();
    const { response } = (await respond('done')).reply;
    for (const id of [school.id, otherSchool.id]) {
      const params = { ...ada, id };
      const token = otherSchool.admin.token;
      const answers = [
        await app.call(readingNeedsCalls.listPupilNeeds, { params, token }),
        await app.call(readingNeedsCalls.undoNeedResponse, { params: { ...params, responseId: response.id }, token }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    }
    expect(await findAda()).toBe('hidden');
  });

  test('the export of the school has no remarks of responses', async () => {
    await respond('done', { remark: 'thimblework' });
    await app.call(secondFactorCalls.proveIdentity, { token: school.admin.token, body: { password: PASSWORD } });
    const files = ['readers/export?output=csv', `groups/${school.ownClass.id}/reading/export?output=csv`];
    for (const path of files) {
      const file = await app.ask('GET', `/enterprises/${school.id}/${path}`, { token: school.admin.token });
      expect(file.status).toBe(200);
      expect(file.text).not.toContain('thimblework');
    }
  });

  test('erasing a pupil deletes the responses to their needs', async () => {
    await respond('done');
    await app.call(classMembershipCalls.deletePupil, { params: { readerId: ada.readerId }, token: school.admin.token });
    expect(named((await list(school.admin.token)).hidden)).not.toContain('Ada Away');
    await app.database.kysely
      .deleteFrom('pupils')
      .where('school_id', '=', school.id)
      .where('id', '=', ada.readerId)
      .execute();
    const left = await app.database.kysely
      .selectFrom('need_responses')
      .selectAll()
      .where('school_id', '=', school.id)
      .execute();
    expect(left).toEqual([]);
  });
});

test.each([
  ['an unknown reason', { need: 'other', response: 'done' }, 'need'],
  ['an unknown response', { need: 'not_read', response: 'dismissed' }, 'response'],
  ['a remark of 201 characters', { need: 'not_read', response: 'done', remark: 'x'.repeat(201) }, 'remark'],
  ['a remark of two lines', { need: 'not_read', response: 'done', remark: 'a\nb' }, 'remark'],
])('a response with %s is rejected', async (_, payload, field) => {
  const path = `/enterprises/${school.id}/readers/${ada.readerId}/needs/responses`;
  const { status, error } = await app.ask('POST', path, { token: school.admin.token, payload });
  expect([status, Object.keys(error.errors ?? {})]).toEqual([422, [field]]);
});

describe('rules of responses over random histories', () => {
  const kinds = ['nothing_assigned', 'not_read', 'low_accuracy', 'falling', 'same_words', 'unfinished'] as const;
  type Evidence = ReplyOf<typeof readingNeedsCalls.listPupilNeeds>['needs'][number]['evidence'];
  const now = new Date(NOW);
  const responses = fc
    .array(
      fc.record({
        need: fc.constantFrom(...kinds),
        response: fc.constantFrom('done' as const, 'snoozed' as const),
        age: fc.integer({ min: 0, max: 50 * DAY_MS }),
        sessions_since: fc.integer({ min: 0, max: 3 }),
      }),
      { maxLength: 8 },
    )
    .map((all) =>
      all
        .toSorted((a, b) => a.age - b.age)
        .map(({ age, ...rest }) => ({
          ...rest,
          responded_at: new Date(now.getTime() - age),
          until: new Date(now.getTime() - age + 14 * DAY_MS),
        })),
    );

  test('each reason is either shown or hidden, and an improved reason is neither', () => {
    fc.assert(
      fc.property(responses, fc.subarray([...kinds]), fc.subarray([...kinds]), (past, holding, off) => {
        // Only the kind matters to these rules.
        const needs = holding.map((kind) => ({ kind }) as Evidence);
        const { open, hidden, improved } = sortNeeds(needs, past, now, (kind) => !off.includes(kind));
        expect([...open, ...hidden].map(({ need }) => need.kind).toSorted()).toEqual(holding.toSorted());
        for (const { response, need } of hidden) {
          expect(response.need).toBe(need.kind);
          expect(now.getTime()).toBeLessThan(response.responded_at.getTime() + 14 * DAY_MS);
          expect(response.response === 'snoozed' || response.sessions_since < 3).toBe(true);
        }
        for (const { need } of open)
          expect(past.filter((response) => response.need === need.kind && isHiding(response, now))).toEqual([]);
        for (const response of improved) {
          expect(response.response).toBe('done');
          expect([...holding, ...off]).not.toContain(response.need);
          expect(response.need === 'nothing_assigned' || response.sessions_since > 0).toBe(true);
        }
        expect(new Set(improved.map(({ need }) => need)).size).toBe(improved.length);
      }),
    );
  });

  test('an attempt to deal with a reason is mentioned for six weeks, and a snooze is no attempt', () => {
    const findTried = (age: number, response: 'done' | 'snoozed' = 'done') => {
      const responded_at = new Date(now.getTime() - age);
      const until = new Date(responded_at.getTime() + 14 * DAY_MS);
      const past = [{ need: LOW, response, responded_at, until, sessions_since: 3 } as const];
      return sortNeeds([{ kind: LOW } as Evidence], past, now, () => true).open[0]?.tried?.response ?? null;
    };
    expect([findTried(42 * DAY_MS - 1), findTried(42 * DAY_MS)]).toEqual(['done', null]);
    expect(findTried(20 * DAY_MS, 'snoozed')).toBeNull();
  });

  test('a snooze hides a reason however much the pupil reads, “done” until three sessions', () => {
    const until = new Date(now.getTime() + 1);
    const isHidden = (response: 'done' | 'snoozed', sessions_since: number) =>
      isHiding({ response, until, sessions_since }, now);
    expect([isHidden('snoozed', 3), isHidden('done', 2), isHidden('done', 3)]).toEqual([true, true, false]);
  });

  test('a response only moves from hidden to tried to forgotten as time passes', () => {
    fc.assert(
      fc.property(responses, fc.constantFrom(...kinds), fc.nat(60 * DAY_MS), (past, kind, later) => {
        const stateAt = (moment: Date) => {
          const { open, hidden } = sortNeeds([{ kind } as Evidence], past, moment, () => true);
          return hidden.length > 0 ? 0 : open[0]?.tried ? 1 : 2;
        };
        const then = new Date(now.getTime() + later);
        // A snooze is no attempt, so it may end in "forgotten" at once, but nothing comes back.
        expect(stateAt(then)).toBeGreaterThanOrEqual(stateAt(now));
      }),
    );
  });
});
