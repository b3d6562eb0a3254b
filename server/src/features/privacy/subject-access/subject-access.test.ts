import { accessCalls } from '#contract/calls/access.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { recordViewCalls } from '#contract/calls/record-views.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { subjectRequestCalls } from '#contract/calls/subject-requests.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { sql } from 'kysely';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { inSchool } from '../../../database/school.ts';
import { listZip, unzip } from '../../../spreadsheets/zip.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { dumpDatabase } from '../../../testing/dump.ts';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';
import { carryOutRetention } from '../retention/retention.public.ts';
import { claimFile, insertPart } from './subject-file.queries.ts';
import { makeFile, ROWS_AT_ONCE } from './subject-file.service.ts';
import { findNames } from './subject-requests.service.ts';

const app = testApp();
const NOW = '2026-11-18T12:00:00.000Z';
let school: BuiltSchool;
let pupil: { id: number; username: string };
beforeEach(async () => {
  app.setTime(NOW);
  school = await app.build.school();
  pupil = (await app.build.pupils(school, school.ownClass.id, ['Xanthippe Quaglino']))[0]!;
});

const body = (subject: { kind: 'pupil' | 'staff'; id: number }) => ({
  subject,
  requester_name: 'Gwen Quaglino',
  requester_relation: 'parent' as const,
  identity_check: 'Showed a passport',
  maturity: 'adult_decides' as const,
  received_on: '2026-11-18',
});
const at = (requestId?: number) => ({
  params: requestId === undefined ? { id: school.id } : { id: school.id, requestId },
  token: school.admin.token,
});
const open = (subject: { kind: 'pupil' | 'staff'; id: number } = { kind: 'pupil', id: pupil.id }) =>
  app.call(subjectRequestCalls.openSubjectRequest, { ...at(), body: body(subject) });
const openId = async (subject?: { kind: 'pupil' | 'staff'; id: number }): Promise<number> =>
  (await open(subject)).reply.request.id;
const get = async (requestId: number) =>
  (await app.call(subjectRequestCalls.getSubjectRequest, at(requestId) as never)).reply.request;
const texts = async (requestId: number) =>
  (await app.call(subjectRequestCalls.listSubjectTexts, { ...at(requestId), query: {} } as never)).reply.texts;
const decide = (requestId: number, text: { kind: string; id: number }, decision: 'include' | 'leave_out') =>
  app.call(subjectRequestCalls.decideSubjectText, {
    ...at(requestId),
    body: { kind: text.kind, id: text.id, decision },
  } as never);
const make = (requestId: number) => app.call(subjectRequestCalls.makeSubjectFile, at(requestId) as never);
const download = (requestId: number) => app.call(subjectRequestCalls.downloadSubjectFile, at(requestId) as never);
const close = (requestId: number, outcome: 'released' | 'not_released') =>
  app.call(subjectRequestCalls.closeSubjectRequest, { ...at(requestId), body: { outcome, note: 'By hand' } } as never);
const addNote = (text: string, pupilId = pupil.id) =>
  app.call(pupilNoteCalls.addPupilNote, {
    params: { id: school.id, readerId: pupilId },
    token: school.admin.token,
    body: { text },
  });
const readFiles = (archive: Buffer): Map<string, string> =>
  new Map((listZip(archive) ?? []).map((entry) => [entry.name, unzip(archive, entry)?.toString('utf8') ?? '']));
const logInPupil = ({ username }: { username: string }) =>
  app.call(readingAppCalls.logInPupil, { body: { username, password: PASSWORD } });
const eventsIn = (files: Map<string, string>) => JSON.parse(files.get('data/login_events.json') ?? 'null') as unknown;
const countParts = async (requestId: number): Promise<number> =>
  (
    await app.database.kysely
      .selectFrom('subject_request_parts')
      .select('part')
      .where('school_id', '=', school.id)
      .where('request_id', '=', requestId)
      .execute()
  ).length;

describe('requests', () => {
  test('a request is due a month after receipt, and overdue on the day after', async () => {
    const { status, reply } = await open();
    expect([status, reply.request.due_on, reply.request.is_overdue]).toEqual([200, '2026-12-18', false]);
    app.setTime('2026-12-18T23:59:00.000Z');
    const session = await app.build.staff(school, 'admin');
    const list = async () =>
      (await app.call(subjectRequestCalls.listSubjectRequests, { ...at(), token: session.token, query: {} })).reply
        .requests;
    expect((await list()).map(({ is_overdue }) => is_overdue)).toEqual([false]);
    app.setTime('2026-12-19T00:00:00.000Z');
    expect(await list()).toMatchObject([
      { is_overdue: true, subject: { name: 'Xanthippe Quaglino', is_former: false } },
    ]);
  });

  test('of three requests at once about one person, one is opened', async () => {
    const statuses = (await Promise.all([open(), open(), open()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409]);
    expect((await open()).error.code).toBe('subject_request_open');
    expect((await open({ kind: 'staff', id: school.teacher.id })).status).toBe(200);
    expect((await open({ kind: 'staff', id: school.teacher.id })).error.code).toBe('subject_request_open');
  });

  test('a request can be about people of the school alone, and is for its admins', async () => {
    const other = await app.build.school();
    expect((await open({ kind: 'pupil', id: other.ownClass.pupils[0]!.id })).status).toBe(404);
    expect((await open({ kind: 'staff', id: other.teacher.id })).status).toBe(404);
    expect((await open({ kind: 'staff', id: (await app.build.operator()).id })).status).toBe(404);
    const id = await openId();
    const foreign = { params: { id: other.id, requestId: id }, token: other.admin.token };
    for (const call of [subjectRequestCalls.getSubjectRequest, subjectRequestCalls.downloadSubjectFile])
      expect((await app.call(call, foreign as never)).status).toBe(404);
    expect((await app.call(subjectRequestCalls.makeSubjectFile, foreign as never)).status).toBe(404);
    const teacher = { ...at(id), token: school.teacher.token };
    expect((await app.call(subjectRequestCalls.getSubjectRequest, teacher as never)).status).toBe(403);
  });

  test.each([
    ['received_on', { received_on: '2026-11-19' }],
    ['received_on', { received_on: '2025-11-01' }],
    ['maturity', { maturity: null }],
    ['requester_name', { requester_name: '  ' }],
    ['identity_check', { identity_check: 'x'.repeat(501) }],
  ])('a request with a wrong %s is rejected: %o', async (field, change) => {
    const { status, error } = await app.call(subjectRequestCalls.openSubjectRequest, {
      ...at(),
      body: { ...body({ kind: 'pupil', id: pupil.id }), ...change },
    });
    expect([status, Object.keys(error.errors ?? {})]).toEqual([422, [field]]);
  });
});

describe('texts about a pupil', () => {
  test('texts about a pupil are listed with the names of other pupils, and no file is made until all are decided', async () => {
    await app.build.pupils(school, school.ownClass.id, ['Zuleika Marsh']);
    await addNote('Xanthippe reads with Zuleika at break');
    await addNote('Xanthippe likes otters. Quaglino family meeting.');
    const id = await openId();
    const found = await texts(id);
    expect(found.map(({ names, decision }) => [names, decision])).toEqual([
      [[], null],
      [['Zuleika'], null],
    ]);
    expect((await make(id)).error.code).toBe('subject_texts_undecided');
    expect((await decide(id, found[0]!, 'include')).status).toBe(200);
    expect((await get(id)).texts).toEqual({ total: 2, undecided: 1, blacked_out: 0 });
    expect((await make(id)).error.code).toBe('subject_texts_undecided');
    await decide(id, found[1]!, 'include');
    await decide(id, found[1]!, 'leave_out');
    expect((await make(id)).status).toBe(200);
  });

  test('a request does not decide about texts about another pupil', async () => {
    const [other] = school.ownClass.pupils;
    const note = (await addNote('About another', other!.id)).reply.note;
    const id = await openId();
    expect((await decide(id, { kind: 'pupil_notes', id: note.id }, 'include')).status).toBe(404);
    expect((await decide(id, { kind: 'users', id: 1 }, 'include')).status).toBe(404);
  });

  test('a text that is left out is not in the file, and a text written after the decisions stops the file', async () => {
    await addNote('Includes this');
    await addNote('Omits that');
    const id = await openId();
    const [second, first] = await texts(id);
    await decide(id, first!, 'include');
    await decide(id, second!, 'leave_out');
    await make(id);
    await addNote('Written later');
    await app.runJobs();
    expect((await get(id)).file.state).toBe('failed');
    expect(await countParts(id)).toBe(0);
    const later = (await texts(id)).find(({ decision }) => decision === null);
    await decide(id, later!, 'leave_out');
    await make(id);
    await app.runJobs();
    const everything = [...readFiles((await download(id)).bytes).values()].join('\n');
    expect(everything).toContain('Includes this');
    expect(everything).not.toMatch(/Omits that|Written later/);
    expect(everything).toContain('Left out by the school');
  });

  describe('words that are blacked out', () => {
    const TEXT = 'Reads with Zuleika and 🦉 at break';
    const name = { from: 11, to: 18 };
    const blackOutWords = (requestId: number, text: { kind: string; id: number }, change: object) =>
      app.call(subjectRequestCalls.decideSubjectText, {
        ...at(requestId),
        body: { kind: text.kind, id: text.id, decision: 'include', ...change },
      } as never);

    test('words that an admin blacks out are blacked out in every part of the file, and nowhere else', async () => {
      await addNote(TEXT);
      const id = await openId();
      const [text] = await texts(id);
      expect((await blackOutWords(id, text!, { blacked_out: [name, { from: 23, to: 25 }] })).status).toBe(200);
      expect((await get(id)).texts).toEqual({ total: 1, undecided: 0, blacked_out: 1 });
      expect(await texts(id)).toMatchObject([{ text: TEXT, blacked_out: [name, { from: 23, to: 25 }] }]);
      await make(id);
      await app.runJobs();
      const { bytes } = await download(id);
      const files = readFiles(bytes);
      const pdf = new Uint8Array(
        unzip(
          bytes,
          listZip(bytes)!.find((entry) => entry.name.endsWith('.pdf'))!,
        )!,
      );
      const { text: printed } = await extractText(await getDocumentProxy(pdf), { mergePages: true });
      const copies = [
        files.get('data/pupil_notes.json'),
        files.get('data/pupil_notes.csv'),
        files.get('read-me-first.html'),
        printed,
      ];
      for (const copy of copies) {
        expect(copy?.replaceAll(/\s+/g, ' ')).toContain('Reads with [blacked out] and [blacked out] at break');
        expect(copy).not.toMatch(/Zuleika|🦉/);
      }
      const params = { id: school.id, readerId: pupil.id };
      const { reply } = await app.call(pupilNoteCalls.listPupilNotes, { params, token: school.admin.token });
      expect(reply.notes.map((note) => note.text)).toEqual([TEXT]);
    });

    test('words stay blacked out when the text is included again, and not once the text is left out', async () => {
      await addNote(TEXT);
      const id = await openId();
      const [text] = await texts(id);
      await blackOutWords(id, text!, { blacked_out: [name] });
      await decide(id, text!, 'include');
      expect(await texts(id)).toMatchObject([{ decision: 'include', blacked_out: [name] }]);
      await decide(id, text!, 'leave_out');
      expect(await texts(id)).toMatchObject([{ decision: 'leave_out', blacked_out: [] }]);
      await decide(id, text!, 'include');
      expect(await texts(id)).toMatchObject([{ decision: 'include', blacked_out: [] }]);
    });

    test.each([
      ['are after the end', { blacked_out: [{ from: 30, to: 99 }] }],
      ['are empty', { blacked_out: [{ from: 5, to: 5 }] }],
      ['overlap', { blacked_out: [name, { from: 17, to: 20 }] }],
      ['are not in order', { blacked_out: [{ from: 20, to: 22 }, name] }],
      ['split a character', { blacked_out: [{ from: 23, to: 24 }] }],
      ['begin in a character', { blacked_out: [{ from: 24, to: 28 }] }],
      ['are of a text that is left out', { decision: 'leave_out', blacked_out: [name] }],
      ['are too many', { blacked_out: Array.from({ length: 1001 }, () => name) }],
    ])('passages to black out are rejected when they %s', async (_, change) => {
      await addNote(TEXT);
      const id = await openId();
      const [text] = await texts(id);
      expect((await blackOutWords(id, text!, change)).status).toBe(422);
      expect(await texts(id)).toMatchObject([{ decision: null, blacked_out: [] }]);
    });

    test('passages to black out that do not fit the text any more stop the file', async () => {
      await addNote(TEXT);
      const id = await openId();
      const [text] = await texts(id);
      await blackOutWords(id, text!, { blacked_out: [{ from: 26, to: 34 }] });
      await make(id);
      await sql`update pupil_notes set text = 'Shorter' where id = ${text!.id} and school_id = ${school.id}`.execute(
        app.database.kysely,
      );
      await app.runJobs();
      expect((await get(id)).file.state).toBe('failed');
    });
  });

  test.each([
    ['Tom and Zoë read', ['Zoë']],
    ['will read with zoe', []],
    ['O’Brien sat with Ann-Marie', ['Brien', 'Marie']],
    ['Tom Marsh', []],
  ])('the names of other pupils are found in “%s”', (text, names) => {
    expect(findNames(text, 'Tom Marsh', new Set(['zoe', 'brien', 'marie', 'marsh', 'tom']))).toEqual(names);
  });
});

describe('the file', () => {
  test('the file has everything about the pupil, and nothing about another', async () => {
    const [other] = await app.build.pupils(school, school.ownClass.id, ['Zuleika Marsh']);
    await inSchool(app.database, school.id, (db) =>
      recordChange(db, { userId: school.admin.id, impersonatorId: null }, new Date(NOW), {
        action: 'pupils_archived',
        subjectKind: 'school',
        subjectId: school.id,
        details: { pupils: [pupil.id, other!.id] },
      }),
    );
    await app.build.reading(school, pupil.id, [
      { started_at: '2026-11-16T09:00:00Z', has_completed_book: true, last_page: 9, skipped_words: ['lighthouse'] },
    ]);
    await app.build.move(school, pupil.id, school.otherClass.id);
    for (const child of [pupil, other!]) await logInPupil(child);
    const id = await openId();
    await make(id);
    expect((await get(id)).file.state).toBe('making');
    expect((await download(id)).status).toBe(404);
    await app.runJobs();
    const made = (await get(id)).file;
    expect([made.state, made.made_at, made.expires_at]).toEqual(['ready', NOW, '2026-11-25T12:00:00.000Z']);
    const { status, headers, bytes } = await download(id);
    expect([status, headers['content-type'], bytes.length]).toEqual([200, 'application/zip', made.size]);
    const files = readFiles(bytes);
    for (const name of ['pupils', 'reading_sessions', 'reading_days', 'audit_log', 'sessions', 'subject_requests'])
      expect([...files.keys()]).toEqual(expect.arrayContaining([`data/${name}.json`, `data/${name}.csv`]));
    const rows = JSON.parse(files.get('data/reading_sessions.json') ?? '') as Record<string, unknown>[];
    expect(rows).toMatchObject([{ skipped_words: ['lighthouse'], book_name: expect.any(String) as string }]);
    expect(eventsIn(files)).toMatchObject([{ pupil_id: pupil.id, at: NOW, method: 'pupil_password' }]);
    expect([...files.keys()]).toContain('data/login_events.csv');
    const page = files.get('read-me-first.html') ?? '';
    for (const part of [
      'Login history',
      '<th scope="row">November 2026</th><td>Password</td><td class="number">1</td>',
      '<th scope="row">Pupils archived</th>',
      'The school received a request on 18 November 2026.',
      'Everything about Xanthippe Quaglino',
      school.name,
      'To show staff what to practise',
      'lighthouse',
      school.otherClass.name,
    ])
      expect(page).toContain(part);
    const changes = JSON.parse(files.get('data/audit_log.json') ?? '') as object[];
    expect(changes.map((change) => Object.keys(change).includes('details'))).toEqual([false]);
    expect([...files].filter(([, text]) => /Zuleika|password_hash|token_hash/.test(text))).toEqual([]);
    const pdf = (listZip(bytes) ?? []).find(({ name }) => name === 'read-me-first.pdf');
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(unzip(bytes, pdf!)!)), {
      mergePages: true,
    });
    expect(text).toContain('Everything about Xanthippe Quaglino');
    expect(text).toContain('lighthouse');
    expect(text).toContain('November 2026 Password 1');
    expect(`${page} ${text}`).not.toMatch(/pupil_password|adult_decides|subject_request_opened/);
  });

  test('the file is made from rows that are read in pieces, and has every reading session', async () => {
    const total = 2 * ROWS_AT_ONCE + 45;
    await sql`insert into reading_sessions (school_id, id, pupil_id, book_id, reading_level, started_at, received_at, reading_time, last_page, words_attempted, words_correct, has_completed_book, heatmap, played_words, skipped_words)
      select ${school.id}, gen_random_uuid(), ${pupil.id}, 101, 2, timestamptz '2026-01-01' + (n / 3) * interval '1 minute', now(), n, 1, 10, 9, false, '{}', '{}', '{}'
      from generate_series(1, ${total}) n`.execute(app.database.kysely);
    const id = await openId();
    await make(id);
    await app.runJobs();
    const files = readFiles((await download(id)).bytes);
    const rows = JSON.parse(files.get('data/reading_sessions.json') ?? '') as {
      started_at: string;
      reading_time: number;
    }[];
    expect(new Set(rows.map(({ reading_time: time }) => time)).size).toBe(total);
    expect(rows.map(({ started_at }) => started_at)).toEqual(rows.map(({ started_at }) => started_at).sort());
    expect(files.get('data/reading_sessions.csv')?.trimEnd().split('\r\n')).toHaveLength(total + 1);
    expect(files.get('read-me-first.html')).toContain('Reading sessions: 545 in reading_sessions.csv');
  });

  test('the file is sealed in the database, in parts that no other place accepts', async () => {
    await addNote('A canary named Quillfeather');
    const id = await openId();
    await decide(id, (await texts(id))[0]!, 'include');
    await make(id);
    await app.runJobs();
    const { rows } = await sql<{
      sealed: Buffer;
    }>`select sealed from subject_request_parts where request_id = ${id} and school_id = ${school.id}`.execute(
      app.database.kysely,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ sealed }) => Buffer.from(sealed).includes('read-me-first'))).toBe(false);
    await sql`update subject_request_parts set version = gen_random_uuid() where request_id = ${id} and school_id = ${school.id}`.execute(
      app.database.kysely,
    );
    await sql`update subject_requests set file_version = (select version from subject_request_parts where request_id = ${id} and school_id = ${school.id} limit 1)
      where id = ${id} and school_id = ${school.id}`.execute(app.database.kysely);
    expect((await download(id).catch(() => ({ status: 500, bytes: Buffer.alloc(0) }))).bytes.length).toBeLessThan(1000);
  });

  test('a download of the file is recorded before the file is sent, and the file is gone after seven days', async () => {
    const id = await openId();
    await make(id);
    await app.runJobs();
    await download(id);
    expect((await get(id)).downloads).toMatchObject([{ at: NOW }]);
    const log = (await app.call(schoolCalls.listAuditLog, at())).reply.entries;
    expect(log.map(({ action }) => action).slice(0, 3)).toEqual([
      'subject_file_downloaded',
      'subject_file_requested',
      'subject_request_opened',
    ]);
    expect(log[0]?.pupils?.first[0]?.id).toBe(pupil.id);
    app.setTime('2026-11-25T11:59:59.000Z');
    await carryOutRetention(app.services);
    expect(await countParts(id)).toBeGreaterThan(0);
    app.setTime('2026-11-25T12:00:00.000Z');
    const { token } = await app.build.staff(school, 'admin');
    const late = await app.call(subjectRequestCalls.downloadSubjectFile, { ...at(id), token } as never);
    expect(late.status).toBe(404);
    await carryOutRetention(app.services);
    expect(await countParts(id)).toBe(0);
    const { reply } = await app.call(subjectRequestCalls.getSubjectRequest, { ...at(id), token } as never);
    expect([reply.request.file.state, reply.request.downloads.length]).toEqual(['expired', 1]);
  });

  test('Who looked lists the download of the file and the review of notes', async () => {
    await addNote('Likes otters');
    const id = await openId();
    const [text] = await texts(id);
    await decide(id, text!, 'include');
    await make(id);
    await app.runJobs();
    const listViews = async () => {
      await app.fastify.recordViews.flush();
      const params = { id: school.id, readerId: pupil.id };
      const { reply } = await app.call(recordViewCalls.listRecordViews, {
        params,
        query: {},
        token: school.admin.token,
      });
      return reply.views.map(({ what, screen, viewer, is_support: isSupport }) => [
        what,
        screen,
        viewer?.id,
        isSupport,
      ]);
    };
    const review = ['notes', 'subject_access', school.admin.id, false];
    const written = ['change', 'pupil', school.admin.id, false];
    expect(await listViews()).toEqual([review, written]);
    expect((await download(id)).status).toBe(200);
    expect(await listViews()).toEqual([['file', 'subject_access', school.admin.id, false], review, written]);
  });

  test('the file is not sent when its download cannot be recorded', async () => {
    const id = await openId();
    await make(id);
    await app.runJobs();
    const raw = (text: string) => sql.raw(text).execute(app.database.kysely);
    await raw(
      `create function fail_download() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    );
    await raw(
      'create trigger fail_download before insert on subject_request_downloads execute function fail_download()',
    );
    const { status, bytes } = await download(id);
    await raw('drop function fail_download() cascade');
    expect([status, bytes.subarray(0, 2).toString()]).toEqual([500, '{"']);
  });

  test('the file is made again after a run that was stopped, and of two runs one stores the file', async () => {
    const id = await openId();
    await make(id);
    const stopped = new AbortController();
    stopped.abort(new Error('stopped'));
    await expect(makeFile(app.services, { schoolId: school.id, requestId: id }, stopped.signal)).rejects.toThrow();
    expect((await get(id)).file.state).toBe('making');
    const [first, second] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;
    const inThisSchool = <T>(work: Parameters<typeof inSchool<T>>[2]) =>
      inSchool(app.services.database, school.id, work);
    await inThisSchool((db) => claimFile(db, id, first));
    await inThisSchool((db) => claimFile(db, id, second));
    const store = (version: string) =>
      inThisSchool((db) => insertPart(db, { requestId: id, version, part: 0 }, Buffer.from('x'), new Date(NOW)));
    expect([await store(first), await store(second)]).toEqual([false, true]);
    await app.runJobs();
    expect(readFiles((await download(id)).bytes).size).toBeGreaterThan(4);
    await makeFile(app.services, { schoolId: school.id, requestId: id });
    expect((await download(id)).status).toBe(200);
  });
});

describe('people about whom a request can be', () => {
  const search = async (query: object, token = school.admin.token) =>
    (await app.call(subjectRequestCalls.listDataSubjects, { params: { id: school.id }, query: query, token })).reply
      .people;

  test('a search finds pupils and staff, current and former, by a part of the name', async () => {
    const [gone] = await app.build.pupils(school, null, ['Xaver Quaglino']);
    const leaver = await app.build.staff(school, 'teacher');
    await app.call(archiveCalls.archivePupils, {
      params: { id: school.id },
      body: { reader_ids: [gone?.id ?? 0] },
      token: school.admin.token,
    });
    await app.call(teacherCalls.removeTeacher, {
      params: { id: school.id, userId: leaver.id },
      token: school.admin.token,
    });
    expect(await search({ search: 'QUAGL' })).toEqual([
      { kind: 'pupil', id: pupil.id, name: 'Xanthippe Quaglino', is_former: false, group: school.ownClass.name },
      { kind: 'pupil', id: gone?.id, name: 'Xaver Quaglino', is_former: true, group: null },
    ]);
    const staff = (await search({ search: 'morgan' })).map(({ id, is_former }) => [id, is_former]);
    expect(staff).toEqual(
      expect.arrayContaining([
        [school.teacher.id, false],
        [leaver.id, true],
      ]),
    );
    expect(await search({ pupil: gone?.id })).toMatchObject([{ name: 'Xaver Quaglino', is_former: true }]);
    expect(await search({ staff: leaver.id })).toMatchObject([{ id: leaver.id, is_former: true }]);
  });

  test('a search finds at most 20 people, no one of another school, and no one for a search without letters', async () => {
    const otherSchool = await app.build.school();
    await app.build.pupils(
      school,
      null,
      Array.from({ length: 30 }, (_, index) => `Quaglino ${'ABCDEFGHIJKLMNOPQRSTUVWXYZabcd'[index]}`),
    );
    expect(await search({ search: 'quaglino' })).toHaveLength(20);
    for (const query of [{ search: ' ' }, {}, { pupil: otherSchool.unplaced.id }, { staff: otherSchool.teacher.id }])
      expect(await search(query)).toEqual([]);
  });

  test('a data protection officer records a request and makes its file, and erases no one', async () => {
    const { token } = await app.build.staff(school, 'data_protection_officer');
    expect(await search({ search: 'Xanthippe' }, token)).toHaveLength(1);
    const opened = await app.call(subjectRequestCalls.openSubjectRequest, {
      params: { id: school.id },
      body: body({ kind: 'pupil', id: pupil.id }),
      token,
    });
    expect(opened.status).toBe(200);
    const params = { id: school.id, requestId: opened.reply.request.id };
    expect((await app.call(subjectRequestCalls.makeSubjectFile, { params, token })).status).toBe(200);
    const erasure = await app.call(archiveCalls.erasePupil, {
      params: { id: school.id, readerId: pupil.id },
      token,
    });
    expect(erasure.status).toBe(403);
  });
});

describe('requests about pupils', () => {
  test('a pupil who moves class or is archived keeps the request', async () => {
    const id = await openId();
    await app.build.move(school, pupil.id, school.otherClass.id);
    await app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: [pupil.id] } });
    expect((await get(id)).subject).toMatchObject({ name: 'Xanthippe Quaglino', is_former: true });
    await make(id);
    await app.runJobs();
    expect(readFiles((await download(id)).bytes).get('read-me-first.html')).toContain('Xanthippe Quaglino');
  });

  test('a request can be about a pupil in the archive', async () => {
    await app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: [pupil.id] } });
    expect((await open()).status).toBe(200);
  });

  test('erasing a pupil closes the request and deletes the requester, the texts and the file', async () => {
    pupil = (await app.build.pupils(school, school.ownClass.id, ['Zenobia Quillon']))[0]!;
    await addNote('A canary named Quillon');
    const { reply } = await app.call(subjectRequestCalls.openSubjectRequest, {
      ...at(),
      body: { ...body({ kind: 'pupil', id: pupil.id }), requester_name: 'Gwen Quillon' },
    });
    const { id } = reply.request;
    await decide(id, (await texts(id))[0]!, 'include');
    await make(id);
    await app.runJobs();
    await make(id);
    await app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: [pupil.id] } });
    await app.call(archiveCalls.erasePupil, { ...at(), params: { id: school.id, readerId: pupil.id } });
    await app.runJobs();
    expect(await countParts(id)).toBe(0);
    const { subject, requester_name, identity_check, outcome, closed_at, file } = await get(id);
    expect([subject.name, requester_name, identity_check, outcome, closed_at, file.state]).toEqual([
      null,
      null,
      null,
      'erased',
      NOW,
      'none',
    ]);
    expect((await dumpDatabase(app.database)).split('\n').filter((line) => /Quillon/.test(line))).toEqual([]);
    expect((await make(id)).error.code).toBe('subject_request_closed');
    expect((await open()).status).toBe(404);
  });
});

describe('requests about staff', () => {
  const subject = () => ({ kind: 'staff' as const, id: school.teacher.id });

  test('the file about a member of staff has account, logins and changes, without the password and notes about pupils', async () => {
    await app.call(pupilNoteCalls.addPupilNote, {
      params: { id: school.id, readerId: pupil.id },
      token: school.teacher.token,
      body: { text: 'Sees badly' },
    });
    for (const { email } of [school.teacher, school.admin])
      await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });
    const id = await openId(subject());
    expect(await texts(id)).toEqual([]);
    await make(id);
    await app.runJobs();
    const files = readFiles((await download(id)).bytes);
    expect(eventsIn(files)).toMatchObject([{ user_id: school.teacher.id, at: NOW, method: 'password' }]);
    for (const name of ['users', 'staff', 'sessions', 'audit_log', 'classes'])
      expect([...files.keys()]).toContain(`data/${name}.json`);
    expect(files.get('data/users.json')).toContain(school.teacher.email);
    const everything = [...files.values()].join('\n');
    expect(everything).not.toMatch(/Sees badly|Xanthippe|password_hash/);
    expect(everything).not.toContain(school.admin.email);
  });

  test('the file about an admin who was reported to have left names all the people in the request', async () => {
    await app.database.kysely
      .insertInto('admin_requests')
      .values({
        school_id: school.id,
        requested_by: school.admin.id,
        new_admin_id: school.admin.id,
        former_admin_ids: [school.teacher.id, (await app.build.staff(school, 'admin')).id],
        note: 'Left in July',
        requested_at: new Date(NOW),
      })
      .execute();
    const id = await openId(subject());
    await make(id);
    await app.runJobs();
    const files = readFiles((await download(id)).bytes);
    expect(JSON.parse(files.get('data/admin_requests.json') ?? '')).toMatchObject([
      { requested_by_name: 'Morgan Admin', former_admin_names: ['Morgan Teacher', 'Morgan Admin'] },
    ]);
    const page = files.get('index.html') ?? [...files.values()].join('\n');
    expect(page).toContain('Morgan Teacher, Morgan Admin');
    expect(page).not.toContain('Left in July');
  });

  test('a file can be made about a former member of staff, unless they are at another school', async () => {
    await app.call(teacherCalls.removeTeacher, {
      ...at(),
      params: { id: school.id, userId: school.teacher.id },
    });
    const id = await openId(subject());
    expect((await get(id)).subject.is_former).toBe(true);
    await make(id);
    await app.runJobs();
    expect((await get(id)).file.state).toBe('ready');
    const other = await app.build.school();
    await make(id);
    await app.build.join(school.teacher, other, 'teacher');
    await app.runJobs();
    expect((await get(id)).file.state).toBe('failed');
    await close(id, 'not_released');
    expect((await open(subject())).status).toBe(404);
  });

  test('erasing a member of staff closes their request', async () => {
    await app.call(teacherCalls.removeTeacher, {
      ...at(),
      params: { id: school.id, userId: school.teacher.id },
    });
    const id = await openId(subject());
    const erased = await app.call(privacyCalls.eraseFormerMember, {
      ...at(),
      params: { id: school.id, userId: school.teacher.id },
    });
    expect(erased.status).toBe(200);
    expect(await get(id)).toMatchObject({ outcome: 'erased', requester_name: null, subject: { name: null } });
  });
});

describe('closed requests', () => {
  test('closing a request as released needs a download, otherwise a reason, and deletes the file', async () => {
    const id = await openId();
    expect((await close(id, 'released')).error.code).toBe('subject_file_not_downloaded');
    await make(id);
    await app.runJobs();
    expect((await close(id, 'released')).error.code).toBe('subject_file_not_downloaded');
    await download(id);
    expect((await close(id, 'released')).status).toBe(200);
    expect(await get(id)).toMatchObject({ outcome: 'released', outcome_note: 'By hand', closed_at: NOW });
    expect(await countParts(id)).toBe(0);
    expect((await download(id)).status).toBe(404);
    expect((await close(id, 'not_released')).error.code).toBe('subject_request_closed');
    expect((await make(id)).error.code).toBe('subject_request_closed');
    const second = await openId();
    await make(second);
    await close(second, 'not_released');
    await app.runJobs();
    expect([(await get(second)).file.state, await countParts(second)]).toEqual(['none', 0]);
  });

  test('two admins who close a request at once close the request once', async () => {
    const id = await openId();
    const statuses = (await Promise.all([close(id, 'not_released'), close(id, 'not_released')])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 409]);
  });

  test('a closed request is deleted after three years', async () => {
    const id = await openId();
    await close(id, 'not_released');
    app.setTime('2029-11-18T11:59:00.000Z');
    await carryOutRetention(app.services);
    const exists = async () =>
      (
        await app.database.kysely
          .selectFrom('subject_requests')
          .select('id')
          .where('school_id', '=', school.id)
          .where('id', '=', id)
          .execute()
      ).length;
    expect(await exists()).toBe(1);
    app.setTime('2029-11-18T12:00:00.000Z');
    await carryOutRetention(app.services);
    expect(await exists()).toBe(0);
  });
});
