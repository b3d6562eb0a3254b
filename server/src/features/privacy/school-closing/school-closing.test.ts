import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { api } from '#contract/api.ts';
import { areaOf, type Call, isOpenWhileClosed } from '#contract/call.ts';
import { accessCalls } from '#contract/calls/access.ts';
import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { hostedInvoiceCalls } from '#contract/calls/hosted-invoices.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { schoolClosingCalls } from '#contract/calls/school-closing.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { subjectRequestCalls } from '#contract/calls/subject-requests.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { countBlockedConnections } from '../../../testing/blocked-connections.ts';
import { type BuiltSchool, makeSession, PASSWORD, type Person } from '../../../testing/builder.ts';
import type { MailAttachment } from '../../../database/column-types.ts';
import { dumpDatabase } from '../../../testing/dump.ts';
import { extractText, getDocumentProxy, readStructure } from '../../../testing/read-pdf.ts';
import { pathWithIds } from '../../../testing/example-requests.ts';
import { readErasureList } from '../erasure/erasure.public.ts';
import { schoolClosingsJob } from './school-closing.jobs.ts';

const folder = await mkdtemp(join(tmpdir(), 'closing-'));
const app = testApp({ BACKUP_DIR: folder, BACKUP_DAYS: '7', DATA_DIR: join(folder, 'data') });
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The embedded database has one connection, on which nothing waits for a lock. */
const isServer = inject('template').kind === 'server';
const START = '2026-11-18T12:00:00.000Z';
let school: BuiltSchool;
let second: Person;
beforeEach(async () => {
  app.setTime(START);
  school = await app.build.school();
  second = await app.build.staff(school, 'admin');
  app.mails.length = 0;
});

const params = () => ({ id: school.id });
const request = (token = school.admin.token) =>
  app.call(schoolClosingCalls.requestClosing, { params: params(), token });
const confirm = (token = second.token) => app.call(schoolClosingCalls.confirmClosing, { params: params(), token });
const cancel = (token = second.token) => app.call(schoolClosingCalls.cancelClosing, { params: params(), token });
const getSchool = async (token = school.teacher.token) =>
  (await app.call(schoolCalls.getSchool, { params: params(), query: {}, token })).reply.enterprise;
const close = async () => {
  expect((await request()).status).toBe(200);
  expect((await confirm()).status).toBe(200);
};
/** Moves the clock and keeps everyone logged in. */
const moveTo = async (time: string) => {
  app.setTime(time);
  await sql`update sessions set last_used_at = ${time}, expires_at = ${time}::timestamptz + interval '1 day',
    proved_at = case when proved_at is null then null else ${time}::timestamptz end`.execute(app.database.kysely);
};
const runJob = async () => {
  await schoolClosingsJob(app.services).run({});
  await app.runJobs();
};
/** Runs the job, which fails when it stores the receipt. */
const failErasure = async () => {
  const raw = (text: string) => sql.raw(text).execute(app.database.kysely);
  await raw(`create function fail_receipt() returns trigger language plpgsql as 'begin raise exception ''no''; end'`);
  await raw('create trigger fail_receipt before insert on erasures execute function fail_receipt()');
  await expect(runJob()).rejects.toThrow();
  await raw('drop function fail_receipt() cascade');
};
const listActions = async () =>
  (await app.database.kysely.selectFrom('audit_log').select('action').where('school_id', '=', school.id).execute())
    .map(({ action }) => action)
    .filter((action) => action.startsWith('school_'));

describe('requests to close a school', () => {
  test('a request to close a school is sent to all admins, changes nothing else, and can be withdrawn by any admin', async () => {
    expect((await request()).status).toBe(200);
    await app.runJobs();
    expect(app.mails.map(({ recipient, subject }) => [recipient, subject]).sort()).toEqual(
      [school.admin.email, second.email].sort().map((email) => [email, `An admin has asked to close ${school.name}`]),
    );
    const { access, closing } = await getSchool();
    expect([access, closing]).toEqual([
      'open',
      {
        requested_by: { id: school.admin.id, name: 'Morgan Admin' },
        takes_effect_at: '2026-11-25T12:00:00.000Z',
        closed_at: null,
        erase_at: null,
      },
    ]);
    expect((await request(second.token)).status).toBe(409);
    const at = { params: params(), token: school.teacher.token };
    expect((await app.call(classCalls.createClass, { ...at, body: { name: 'Wrens' } })).status).toBe(200);
    expect((await cancel()).status).toBe(200);
    expect((await getSchool()).closing).toBeNull();
    expect((await cancel()).status).toBe(409);
    expect((await confirm()).status).toBe(409);
    expect(await listActions()).toEqual(['school_closing_requested', 'school_closing_withdrawn']);
  });

  test('a request to close a school is confirmed by another admin only, and once', async () => {
    await request();
    expect((await confirm(school.admin.token)).error.error).toMatch(/Another admin/);
    const third = await app.build.staff(school, 'admin');
    const answers = await Promise.all([confirm(), confirm(third.token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await listActions()).toEqual(['school_closing_requested', 'school_closed']);
  });

  test('asking to close a school and confirming need a recent proof', async () => {
    await sql`update sessions set proved_at = null`.execute(app.database.kysely);
    expect((await request()).error.code).toBe('proof_required');
    expect((await confirm()).error.code).toBe('proof_required');
  });

  test('a request to close a school takes effect after seven days, not before', async () => {
    await request();
    await moveTo('2026-11-25T11:59:00.000Z');
    await runJob();
    expect((await getSchool()).access).toBe('open');
    await moveTo('2026-11-25T12:00:00.000Z');
    await runJob();
    expect(await getSchool()).toMatchObject({
      access: 'closed',
      closing: { closed_at: '2026-11-25T12:00:00.000Z', erase_at: '2026-12-25T12:00:00.000Z' },
    });
    expect(app.mails.filter(({ subject }) => subject === `${school.name} is closed`)).toHaveLength(2);
    await runJob();
    expect(app.mails.filter(({ subject }) => subject === `${school.name} is closed`)).toHaveLength(2);
  });

  test('a request to close a school ends without effect when the person who asked is no longer an admin', async () => {
    await request();
    const at = { params: { ...params(), userId: school.admin.id }, token: second.token };
    await app.call(teacherCalls.setAdmin, { ...at, body: { admin: false } });
    await moveTo('2026-11-25T12:00:00.000Z');
    await runJob();
    expect((await getSchool()).closing).toBeNull();
    expect(await listActions()).toEqual(['school_closing_requested', 'school_closing_withdrawn']);
  });
});

describe('closed schools', () => {
  test('a closed school lets staff read and export, while pupils cannot log in or send what they read', async () => {
    const [pupil] = school.ownClass.pupils;
    const invite = await app.build.invite(school);
    await close();
    const at = { params: params(), token: school.teacher.token };
    expect((await app.call(pupilCalls.listPupils, at)).status).toBe(200);
    const file = await app.call(downloadCalls.exportSchool, { params: params(), token: school.admin.token });
    expect([file.status, file.headers['content-type']]).toEqual([200, 'application/zip']);
    const body = { sessions: [makeSession({ started_at: '2026-11-18T10:00:00.000Z' })] };
    expect((await app.call(readingAppCalls.storeSessions, { token: pupil!.token, body })).status).toBe(401);
    const login = { username: pupil!.username, password: PASSWORD };
    expect((await app.call(readingAppCalls.logInPupil, { body: login })).error.code).toBe('school_closed');
    const opened = await app.call(inviteCalls.getInvite, { params: { inviteId: invite.link } });
    expect(opened.reply.invite.status).toBe('expired');

    // A login that began before the school closed.
    await sql`insert into sessions (token_hash, school_id, pupil_id, created_at, last_used_at, expires_at)
      select token_hash, ${school.id}, ${pupil!.id}, ${START}, ${START}, ${START}::timestamptz + interval '1 day'
      from (select sha256(convert_to('late', 'UTF8')) as token_hash) t`.execute(app.database.kysely);
    const late = { token: 'late', body };
    expect((await app.call(readingAppCalls.storeSessions, late)).error.code).toBe('school_closed');
    expect((await app.call(readingAppCalls.listPupilBooks, { token: 'late' })).error.code).toBe('school_closed');
  });

  test('a closed school rejects every change except those meant for closed schools', async () => {
    await close();
    const invite = await app.build.invite(school);
    // The programs of the school have ended.
    const byStaff = Object.values<Call>(api).filter(({ permission }) => permission !== 'program');
    const changes = byStaff.filter((call) => areaOf(call) && call.method !== 'GET');
    const ask = async (call: Call) => {
      const sent = { token: school.admin.token, payload: {} };
      const { error } = await app.ask(call.method, pathWithIds(call, school, invite), sent);
      return [call.name, error?.code === 'school_closed'];
    };
    const open = changes.filter(isOpenWhileClosed);
    for (const call of changes.filter((change) => !open.includes(change)))
      expect(await ask(call)).toEqual([call.name, true]);
    // At the same time, because one of them cancels the closing.
    for (const answer of await Promise.all(open.map(ask))) expect(answer[1]).toBe(false);
    expect(open.map(({ name }) => name)).toEqual([
      'cancelClosing',
      'endCover',
      'eraseOwnAccount',
      'openSubjectRequest',
      'recordSubjectStep',
      'undoSubjectStep',
      'decideSubjectText',
      'makeSubjectFile',
      'closeSubjectRequest',
      'reportPayment',
    ]);
  });

  test('a closed school can still answer a request for everything about a pupil', async () => {
    await close();
    const at = { params: params(), token: school.admin.token };
    const body = {
      subject: { kind: 'pupil', id: school.ownClass.pupils[0]!.id },
      requester_name: 'Gwen Marsh',
      requester_relation: 'parent',
      identity_check: 'Known to the office.',
      maturity: 'adult_decides',
      received_on: '2026-11-18',
    } as const;
    const { reply } = await app.call(subjectRequestCalls.openSubjectRequest, { ...at, body });
    const ofRequest = { ...at, params: { ...at.params, requestId: reply.request.id } };
    expect((await app.call(subjectRequestCalls.makeSubjectFile, ofRequest)).status).toBe(200);
    await app.runJobs();
    const file = await app.call(subjectRequestCalls.downloadSubjectFile, ofRequest);
    expect([file.status, file.headers['content-type']]).toEqual([200, 'application/zip']);
  });

  test('a closed school gets no new invoice and no digest, and a reminder of an open invoice alone', async () => {
    await sql`update staff set digest_optin_at = now() where school_id = ${school.id}`.execute(app.database.kysely);
    await app.build.reading(school, school.ownClass.pupils[0]!.id, [{ started_at: '2026-11-17T09:00:00Z' }]);
    const invoice = await app.build.invoice(school);
    await close();
    await app.runJobs();
    app.mails.length = 0;
    const operator = await app.build.operator();
    const given = await app.call(billingConsoleCalls.grantCustomPackage, {
      params: { schoolId: school.id },
      token: operator.token,
      body: { title: 'Special', max_readers: 500, price: 100, ends_on: '2027-11-18' },
    });
    expect(given.error.code).toBe('school_closed');
    await moveTo('2026-11-23T08:00:00.000Z');
    await app.runJobs({ scheduled: true });
    expect(app.mails.map(({ kind }) => kind)).not.toContain('weekly_digest');
    await moveTo('2026-12-11T08:00:00.000Z');
    await app.runJobs({ scheduled: true });
    const sent = app.mails.filter(({ subject }) => subject.includes(invoice.number));
    expect(sent.map(({ kind }) => kind)).toEqual(['billing_reminder', 'billing_reminder']);
    expect(new Set(sent.map(({ recipient }) => recipient)).size, 'the billing contact and the admin').toBe(2);
  });

  test('any admin can reopen a closed school with everything as it was', async () => {
    const before = await getSchool();
    await close();
    await moveTo('2026-12-18T11:00:00.000Z');
    await runJob();
    expect((await cancel(school.admin.token)).status).toBe(200);
    const after = await getSchool();
    expect(after.closing).toBeNull();
    expect(after.groups).toEqual(before.groups);
    expect(
      (
        await app.call(classCalls.createClass, {
          params: params(),
          token: school.teacher.token,
          body: { name: 'Wrens' },
        })
      ).status,
    ).toBe(200);
    const { username } = school.ownClass.pupils[0]!;
    expect((await app.call(readingAppCalls.logInPupil, { body: { username, password: PASSWORD } })).status).toBe(200);
    expect(await listActions()).toContain('school_reopened');
    await moveTo('2027-01-20T12:00:00.000Z');
    await runJob();
    expect((await getSchool()).closing).toBeNull();
  });
});

const CANARY = /quaglino|xanthippe/i;

/** Every text that the installation stores: tables with the job queue, and files. */
async function readEverything(): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  );
  return [await dumpDatabase(app.database), ...texts].flatMap((text) => text.split('\n'));
}

/** Names of pupils, staff, classes, contacts and invited people that occur nowhere else. */
async function addCanaries(): Promise<void> {
  const { kysely } = app.database;
  const at = { params: params(), token: school.admin.token };
  const [pupil] = await app.build.pupils(school, school.ownClass.id, ['Xanthippe Quaglino']);
  await app.build.reading(school, pupil!.id, [{ started_at: '2026-11-16T09:00:00Z', skipped_words: ['quaglino'] }]);
  const aboutPupil = { ...at, params: { ...params(), readerId: pupil!.id } };
  await app.call(pupilNoteCalls.addPupilNote, { ...aboutPupil, body: { text: 'Xanthippe likes otters' } });
  await app.call(pupilNoteCalls.listPupilNotes, aboutPupil);
  await app.fastify.recordViews.flush();
  await app.call(classCalls.createClass, { ...at, body: { name: 'Quaglino class' } });
  const left = await app.build.staff(school, 'teacher');
  const people = [
    [school.admin.id, `one-${school.id}@quaglino.example`],
    [school.teacher.id, `two-${school.id}@quaglino.example`],
    [left.id, `three-${school.id}@quaglino.example`],
  ] as const;
  for (const [id, email] of people)
    await kysely
      .updateTable('users')
      .set({ last_name: 'Quaglino', email, email_key: email })
      .where('id', '=', id)
      .execute();
  await app.call(teacherCalls.removeTeacher, { ...at, params: { ...params(), userId: left.id } });
  await app.build.invite(school, 'four@quaglino.example');
  await sql`insert into contacts (school_id, type, contact_name, address_line_1, postcode, country_code, telephone, email)
    values (${school.id}, 'primary', 'Pat Quaglino', '1 Mill Lane', 'SW1A 1AA', 'GBR', '+442079460000', 'five@quaglino.example')
    on conflict (school_id, type) do update set contact_name = excluded.contact_name, email = excluded.email`.execute(
    kysely,
  );
  await sql`insert into outbox (kind, recipient, subject, html, text, created_at, from_school_id) values
    ('invoice', 'five@quaglino.example', 's', 'h', 't', ${START}, ${school.id}),
    ('enquiry', 'support@portal.example', 's', 'h', ${`From two-${school.id}@quaglino.example`}, ${START}, ${school.id})`.execute(
    kysely,
  );
}

/** The text and the title of the PDF that is attached to a mail. */
async function readReceipt(attachments: readonly MailAttachment[] = []): Promise<{ text: string; title: string }> {
  const [{ type, content } = { type: '', content: '' }] = attachments;
  expect([attachments.length, type]).toEqual([1, 'application/pdf']);
  const bytes = new Uint8Array(Buffer.from(content, 'base64'));
  const { text } = await extractText(await getDocumentProxy(bytes.slice()), { mergePages: true });
  return { text, title: (await readStructure(bytes)).Title };
}

describe('erasures of closed schools', () => {
  test('an erased school leaves no name in any table, queue, file or email, keeps its invoices, and gets a receipt by email', async () => {
    const other = await app.build.school({ name: 'Elm End' });
    const invoice = await app.build.invoice(school);
    await addCanaries();
    const holding = new Set((await readEverything()).filter((row) => CANARY.test(row)).map((row) => row.split(':')[0]));
    for (const table of ['pupils', 'users', 'classes', 'invites', 'outbox', 'pupil_notes', 'reading_sessions'])
      expect([...holding]).toContain(table);
    await close();
    await moveTo('2026-12-18T11:59:00.000Z');
    await runJob();
    const { access, name } = await getSchool();
    expect(access).toBe('closed');
    app.mails.length = 0;
    await moveTo('2026-12-18T12:00:00.000Z');
    await runJob();
    await app.runJobs();

    expect((await readEverything()).filter((row) => CANARY.test(row))).toEqual([]);
    const receipts = app.mails.filter(({ kind }) => kind === 'school_erased');
    expect(receipts.map(({ recipient }) => recipient).sort()).toEqual(
      [`one-${school.id}@quaglino.example`, second.email].sort(),
    );
    const listed = (await readErasureList(folder)).filter(
      ({ kind, schoolId }) => kind === 'school' && schoolId === school.id,
    );
    expect(listed).toHaveLength(1);
    expect(receipts[0]?.text).toContain(listed[0]!.digest);
    expect(receipts[0]?.text).toContain('26 December 2026');
    const { text, title } = await readReceipt(receipts[0]?.attachments);
    for (const part of [listed[0]!.digest, '26 December 2026', 'Receipt of erasure', 'Reading sessions', 'Invoices'])
      expect(text).toContain(part);
    for (const part of [CANARY, name, second.email]) expect(`${title} ${text}`).not.toMatch(part);
    const { kysely } = app.database;
    const rows = await kysely.selectFrom('erasures').selectAll().where('school_id', '=', school.id).execute();
    expect(rows).toMatchObject([{ kind: 'school', erased_by: null }]);
    expect(rows[0]?.counts).toMatchObject({ pupils: 5, users: 4, pupil_notes: 1 });

    for (const { token } of [school.admin, school.teacher, second])
      expect((await app.call(schoolCalls.getSchool, { params: params(), query: {}, token })).status).toBe(401);
    const shown = await app.call(hostedInvoiceCalls.getHostedInvoice, {
      params: { invoiceToken: invoice.token },
      query: {},
    });
    expect(shown.reply.invoice).toMatchObject({ number: invoice.number, status: 'open' });
    const operator = await app.build.operator();
    const paid = await app.call(billingConsoleCalls.markInvoicePaid, {
      token: operator.token,
      params: { invoiceNumber: invoice.number },
      body: {},
    });
    expect(paid.status).toBe(200);
    const elm = { params: { id: other.id }, token: other.admin.token };
    expect((await app.call(pupilCalls.listPupils, elm)).reply.readers.length).toBeGreaterThan(0);
    // The jobs of an erased school find nothing to do.
    await moveTo('2026-12-21T08:00:00.000Z');
    await app.runJobs({ scheduled: true });
    expect((await kysely.selectFrom('erasures').select('id').where('school_id', '=', school.id).execute()).length).toBe(
      1,
    );
  });

  test('an erasure of a school that fails halfway is completed by the next run, and the school cannot be reopened between', async () => {
    await addCanaries();
    await close();
    await moveTo('2026-12-18T12:00:00.000Z');
    await failErasure();
    expect((await sql`select from pupils where school_id = ${school.id}`.execute(app.database.kysely)).rows).toEqual(
      [],
    );
    await sql`insert into sessions (token_hash, user_id, school_id, created_at, last_used_at, expires_at, proved_at)
      values (sha256(convert_to('still', 'UTF8')), ${second.id}, ${school.id}, now(), '2026-12-18T12:00:00Z', '2027-12-18T12:00:00Z', '2026-12-18T12:00:00Z')`.execute(
      app.database.kysely,
    );
    expect((await cancel('still')).status).toBe(409);
    await runJob();
    await app.runJobs();
    expect((await readEverything()).filter((row) => CANARY.test(row))).toEqual([]);
    const [receipt] = await app.database.kysely
      .selectFrom('erasures')
      .select('counts')
      .where('school_id', '=', school.id)
      .execute();
    expect(receipt?.counts).toMatchObject({ pupils: 5 });
  });

  test('erasing a school ends the accounts of current and former staff, except operators and staff of other schools', async () => {
    const other = await app.build.school();
    const [moved, former, operator] = [
      await app.build.staff(school, 'teacher'),
      await app.build.staff(school, 'teacher'),
      await app.build.staff(school, 'teacher'),
    ];
    const visitor = await app.build.staff(other, 'teacher');
    const removeFrom = ({ id, admin }: BuiltSchool, userId: number) =>
      app.call(teacherCalls.removeTeacher, { params: { id, userId }, token: admin.token });
    const joinSchool = async (at: BuiltSchool, { email }: Person) => {
      const { link } = await app.build.invite(at, email);
      const { reply } = await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });
      const accept = { token: reply.meta.token, params: { inviteId: link } };
      expect((await app.call(inviteCalls.acceptInvite, accept)).status).toBe(200);
    };
    await removeFrom(school, moved.id);
    await removeFrom(school, former.id);
    await removeFrom(other, visitor.id);
    await joinSchool(school, visitor);
    await app.database.kysely
      .insertInto('operators')
      .values({ user_id: operator.id, added_at: new Date(START) })
      .execute();
    await sql`delete from audit_log where school_id = ${school.id}`.execute(app.database.kysely);
    await close();
    await moveTo('2026-12-18T12:00:00.000Z');
    await failErasure();
    await joinSchool(other, moved);
    await runJob();
    const accounts = await app.database.kysely
      .selectFrom('users')
      .leftJoin('user_schools', 'user_id', 'id')
      .select(['id', 'school_id'])
      .where(
        'id',
        'in',
        [school.admin, school.teacher, second, moved, former, operator, visitor].map(({ id }) => id),
      )
      .orderBy('id')
      .execute();
    expect(accounts).toEqual([
      { id: moved.id, school_id: other.id },
      { id: operator.id, school_id: null },
      { id: visitor.id, school_id: null },
    ]);
    const { rows } = await sql`select school_id, role from staff where user_id in (${moved.id}, ${visitor.id})`.execute(
      app.database.kysely,
    );
    expect(rows.map((row) => (row as { role: string | null }).role).sort()).toEqual(['teacher', null].sort());
    const [receipt] = await app.database.kysely
      .selectFrom('erasures')
      .select('counts')
      .where('school_id', '=', school.id)
      .execute();
    expect(receipt?.counts).toMatchObject({ users: 4 });
  });

  test.runIf(isServer)(
    'the erasure of a school waits while an admin reopens the school, and then leaves the school alone',
    async () => {
      await close();
      await moveTo('2026-12-18T12:00:00.000Z');
      let job: Promise<unknown> = Promise.resolve();
      await app.database.kysely.transaction().execute(async (tx) => {
        await sql`select from schools where id = ${school.id} for no key update`.execute(tx);
        job = runJob();
        await expect.poll(() => countBlockedConnections(app.database)).toBe(1);
        await sql`delete from school_closings where school_id = ${school.id}`.execute(tx);
      });
      await job;
      expect((await getSchool()).access).toBe('open');
      expect(
        (await sql`select from pupils where school_id = ${school.id}`.execute(app.database.kysely)).rows.length,
      ).toBe(4);
    },
  );
});

test('an admin sees the state of the closing on Data and privacy of an expired school too', async () => {
  await moveTo('2027-11-18T12:00:00.000Z');
  expect((await getSchool()).access).toBe('expired');
  await close();
  expect((await getSchool()).access).toBe('closed');
  const { status } = await app.call(privacyCalls.getDataAndPrivacy, { params: params(), token: school.admin.token });
  expect(status).toBe(200);
});
