import type { ParamsOf } from '#contract/call.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
const SCRIPT = '<script>alert("x")</script>\n<b>bold</b> & “quotes”';
let school: BuiltSchool;
let ada: ParamsOf<typeof pupilNoteCalls.listPupilNotes>;

beforeEach(async () => {
  school = await app.build.school();
  ada = { id: school.id, readerId: school.ownClass.pupils[0]?.id ?? 0 };
});
const add = (text: string, token: string, params = ada) =>
  app.call(pupilNoteCalls.addPupilNote, { params, body: { text }, token });
const list = async (token: string) =>
  (await app.call(pupilNoteCalls.listPupilNotes, { params: ada, token })).reply.notes;

describe('notes on a pupil', () => {
  test('notes on a pupil are listed as typed with their author and time, the latest first', async () => {
    app.setTime('2026-11-17T09:00:00.000Z');
    await add(`  ${SCRIPT}  `, school.teacher.token);
    app.setTime('2026-11-18T09:00:00.000Z');
    await add('Surer today', school.admin.token);
    expect(await list(school.teacher.token)).toMatchObject([
      { text: 'Surer today', written_by: school.admin.id, written_at: '2026-11-18T09:00:00.000Z', can_remove: false },
      { text: SCRIPT, written_by: school.teacher.id, written_at: '2026-11-17T09:00:00.000Z', can_remove: true },
    ]);
    expect((await list(school.admin.token)).map(({ can_remove }) => can_remove)).toEqual([true, true]);
    const log = await app.call(schoolCalls.listAuditLog, {
      params: { id: school.id },
      query: {},
      token: school.admin.token,
    });
    expect(log.reply.entries.filter(({ action }) => action === 'pupil_note_added')).toHaveLength(2);
    expect(JSON.stringify(log.reply)).not.toContain('Surer');
  });

  test('rejects a note on a pupil that is empty or longer than 10,000 characters', async () => {
    expect((await add('x'.repeat(10_000), school.teacher.token)).status).toBe(200);
    for (const wrong of ['x'.repeat(10_001), '   ', 'a\0b']) {
      const { status, error } = await add(wrong, school.teacher.token);
      expect([status, Object.keys(error.errors ?? {})]).toEqual([422, ['text']]);
    }
    expect(await list(school.teacher.token)).toHaveLength(1);
  });

  test('notes on a pupil require access to the pupil', async () => {
    await add('Own', school.teacher.token);
    const stranger = await app.build.staff(school, 'teacher');
    const rejection = { status: 409, code: 'pupil_not_managed' };
    const answers = [
      await app.call(pupilNoteCalls.listPupilNotes, { params: ada, token: stranger.token }),
      await add('No', stranger.token),
    ];
    expect(answers.map(({ status, error }) => ({ status, code: error.code }))).toEqual([rejection, rejection]);
  });

  test('notes on a pupil can be deleted only by their author or an admin, and only through their own pupil', async () => {
    const { note } = (await add('By the admin', school.admin.token)).reply;
    const remove = (token: string, params: object = {}) =>
      app.call(pupilNoteCalls.removePupilNote, { params: { ...ada, noteId: note.id, ...params }, token });
    expect((await remove(school.teacher.token)).status).toBe(404);
    expect((await remove(school.admin.token, { readerId: school.unplaced.id })).status).toBe(404);
    expect((await remove(school.admin.token)).status).toBe(200);
    expect((await remove(school.admin.token)).status).toBe(404);
    expect(await list(school.admin.token)).toEqual([]);
  });

  test('notes are deleted with their pupil', async () => {
    await add('Soon gone', school.teacher.token);
    await app.database.kysely
      .deleteFrom('pupils')
      .where('school_id', '=', school.id)
      .where('id', '=', ada.readerId)
      .execute();
    const left = await app.database.kysely
      .selectFrom('pupil_notes')
      .selectAll()
      .where('school_id', '=', school.id)
      .execute();
    expect(left).toEqual([]);
  });
});
