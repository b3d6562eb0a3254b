import { accessCalls } from '#contract/calls/access.ts';
import { bookCalls } from '#contract/calls/books.ts';
import { chartCalls } from '#contract/calls/charts.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { coverCalls as calls } from '#contract/calls/covers.ts';
import { deletedClassCalls } from '#contract/calls/deleted-classes.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { recordViewCalls } from '#contract/calls/record-views.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { MAX_COVERS } from '#contract/limits.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { inSchool } from '../../../database/school.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool, Person } from '../../../testing/builder.ts';
import { listCoversBy, lockCoveringMember } from './covers.queries.ts';
import { removeCover } from './covers.service.ts';

const app = testApp();
/** A Wednesday. */
const NOW = '2026-11-18T09:00:00.000Z';
const LATER = '2026-11-18T15:30:00.000Z';
const AFTER = '2026-11-18T15:30:00.001Z';
const FRIDAY = '2026-11-20T15:30:00.000Z';
const SUPPLY = { first_name: 'Priya', last_name: 'Shah' };
const TWO_BROWSERS = [{ 'user-agent': 'Tablet' }, { 'user-agent': 'Phone' }] as const;

let school: BuiltSchool;
/** A teacher without a class. */
let colleague: Person;
let assistant: Person;
beforeEach(async () => {
  app.setTime(NOW);
  await app.database.kysely.deleteFrom('rate_limits').execute();
  school = await app.build.school({ ownPupils: ['Olu Own', 'Una Own'], otherPupils: ['Fern Foreign'] });
  colleague = await app.build.staff(school, 'teacher');
  assistant = await app.build.staff(school, 'teaching_assistant');
  await app.runJobs();
  app.mails.length = 0;
});

const pupil = (index = 0) => school.ownClass.pupils[index]?.id ?? 0;
const here = (more: object = {}) => ({ id: school.id, ...more }) as never;
type Start = { by?: Person; who?: { user_id: number } | typeof SUPPLY; classId?: number; until?: string };
const start = ({ by = school.teacher, who = SUPPLY, classId = school.ownClass.id, until = LATER }: Start = {}) =>
  app.call(calls.startCover, {
    token: by.token,
    params: { id: school.id },
    body: { group_id: classId, ends_at: until, ...who },
  });
const cover = async (given: Start = {}) => (await start(given)).reply.cover;
const list = async ({ token } = school.teacher) =>
  (await app.call(calls.listCovers, { token, params: { id: school.id } })).reply.covers;
const end = (coverId: number, { token } = school.teacher) =>
  app.call(calls.endCover, { token, params: { id: school.id, coverId } });
const makeCard = (coverId: number, { token } = school.teacher) =>
  app.call(calls.makeSupplyCard, { token, params: { id: school.id, coverId } });
const codeFor = async (given: Start = {}) => (await makeCard((await cover(given)).id)).reply.card.code;
const enter = (code: string, headers: Record<string, string> = TWO_BROWSERS[0]) =>
  app.call(calls.logInWithCode, { body: { code }, headers });
const logIn = async (code: string) => (await enter(code)).reply.meta.token;
const me = (token: string) => app.call(accessCalls.getMe, { token });
const rename = (token: string, pupilId = pupil()) =>
  app.call(pupilCalls.renamePupil, { token, params: here({ readerId: pupilId }), body: { name: 'Corrected Name' } });
const seeClass = (token: string, classId = school.ownClass.id) =>
  app.call(classCalls.getClass, { token, params: here({ groupId: classId }) });
const renewLogin = (token: string, id = pupil()) =>
  app.call(loginCardCalls.resetPasswords, { token, params: here(), body: { reader_ids: [id] } });
const move = (token: string, to: number, source: number | null, id = pupil()) =>
  app.call(classMembershipCalls.movePupils, {
    token,
    params: here({ groupId: to }),
    body: { reader_ids: [id], source },
  });
const changes = async () =>
  (
    await app.call(schoolCalls.listAuditLog, {
      token: school.admin.token,
      params: { id: school.id },
      query: { kind: 'classes' } as never,
    })
  ).reply.entries.map(({ action, actor, details }) => [action, actor?.id ?? null, details.teacher]);

describe('a colleague who covers a class', () => {
  test('corrects names, renews logins and moves pupils until the time chosen, and not afterwards', async () => {
    const { token } = colleague;
    expect([(await rename(token)).status, (await renewLogin(token)).status]).toEqual([409, 409]);
    expect((await start({ who: { user_id: colleague.id } })).status).toBe(200);
    expect((await me(token)).reply.user.covers).toEqual([{ group_id: school.ownClass.id, ends_at: LATER }]);
    expect([(await rename(token)).status, (await renewLogin(token)).status]).toEqual([200, 200]);
    const logins = await app.call(pupilCalls.listPupilLogins, { token, params: here() });
    expect(logins.reply.readers.map(({ id }) => id)).toEqual(
      expect.arrayContaining(school.ownClass.pupils.map(({ id }) => id)),
    );
    const own = await app.build.newClass(school, 'Wrens', colleague.id);
    expect((await move(token, own, school.ownClass.id)).status).toBe(200);
    expect((await move(token, school.ownClass.id, own)).status).toBe(200);
    app.setTime(AFTER);
    expect([(await rename(token)).status, (await renewLogin(token)).status]).toEqual([409, 409]);
    expect((await move(token, own, school.ownClass.id)).status).toBe(409);
    expect((await me(token)).reply.user.covers).toEqual([]);
    expect(await list()).toEqual([]);
  });

  test('adds a pupil of the class to one of their own, and no list of pupils to the class', async () => {
    const own = await app.build.newClass(school, 'Wrens', colleague.id);
    const add = (classId: number, pupils: object) =>
      app.call(pupilImportCalls.addPupilsToClass, {
        token: colleague.token,
        params: here({ groupId: classId }),
        body: { readers: pupils },
      });
    const existing = { existing: [pupil()] };
    expect((await add(own, existing)).error).toMatchObject({ code: 'pupil_not_managed' });
    await start({ who: { user_id: colleague.id } });
    expect((await add(own, existing)).status).toBe(200);
    expect((await add(school.ownClass.id, { new: [{ name: 'Tom Price' }] })).error).toMatchObject({
      code: 'class_not_managed',
    });
    app.setTime(AFTER);
    expect((await add(own, { existing: [pupil(1)] })).error).toMatchObject({ code: 'pupil_not_managed' });
    expect((await seeClass(school.teacher.token)).reply.group.readers.map(({ id }) => id)).toEqual([pupil(1)]);
  });

  test('neither changes the class, nor assigns books, nor reads notes, nor moves a pupil to a class of others', async () => {
    await start({ who: { user_id: colleague.id } });
    const { token } = colleague;
    const classId = school.ownClass.id;
    const { reply } = await seeClass(token);
    expect([reply.group.user_manages, reply.group.readers.map(({ can_update }) => can_update)]).toEqual([
      false,
      [false, false],
    ]);
    const statuses = [
      await app.call(classCalls.renameClass, { token, params: here({ groupId: classId }), body: { name: 'Mine' } }),
      await app.call(classCalls.removeClass, { token, params: here({ groupId: classId }) }),
      await app.call(pupilNoteCalls.listPupilNotes, { token, params: here({ readerId: pupil() }) }),
      await app.call(bookCalls.assignBookToClass, { token, params: here({ groupId: classId, bookId: 101 }) }),
      await move(token, school.otherClass.id, classId),
      await end((await cover()).id, colleague),
    ].map(({ status }) => status);
    expect(statuses).toEqual([409, 409, 409, 409, 409, 409]);
  });

  test('a teaching assistant sees the class, its pupils and its figures until the cover ends', async () => {
    const { token } = assistant;
    const figures = () =>
      app.call(chartCalls.compareFigures, {
        token,
        query: { start_date: '2026-11-01', end_date: '2026-11-18', reader_id: pupil() } as never,
      });
    await app.build.reading(school, pupil(), [{ started_at: '2026-11-17T09:00:00.000Z' }]);
    const ofAll = async () =>
      JSON.stringify(
        (
          await app.call(chartCalls.getReadingSummary, {
            token,
            query: { start_date: '2026-11-01', end_date: '2026-11-18' },
          })
        ).reply,
      );
    const before = await ofAll();
    expect([(await seeClass(token)).status, (await figures()).status]).toEqual([404, 404]);
    await start({ who: { user_id: assistant.id } });
    expect([(await seeClass(token)).status, (await figures()).status]).toEqual([200, 200]);
    expect(await ofAll()).not.toBe(before);
    expect((await rename(token)).status).toBe(200);
    expect((await seeClass(token, school.otherClass.id)).status).toBe(404);
    app.setTime(AFTER);
    expect([(await seeClass(token)).status, (await rename(token)).status]).toEqual([404, 404]);
    expect(await ofAll()).toBe(before);
  });

  test('gets the new end when the cover is given again', async () => {
    const first = await cover({ who: { user_id: colleague.id } });
    const again = await cover({ who: { user_id: colleague.id }, until: FRIDAY, by: school.admin });
    expect([again.id, again.ends_at, again.given_by?.id]).toEqual([first.id, FRIDAY, school.admin.id]);
    expect(await list()).toHaveLength(1);
  });

  test.each(['leaves', 'gets a role without classes'] as const)('who %s no longer covers it', async (how) => {
    await start({ who: { user_id: colleague.id } });
    const params = here({ userId: colleague.id });
    const { token } = school.admin;
    if (how === 'leaves') await app.call(teacherCalls.removeTeacher, { token, params });
    else await app.call(teacherCalls.setStaffRole, { token, params, body: { role: 'business_manager' } });
    expect(await list()).toEqual([]);
    if (how === 'leaves') return;
    await app.call(teacherCalls.setStaffRole, { token, params, body: { role: 'teaching_assistant' } });
    expect((await seeClass(colleague.token)).status).toBe(404);
  });

  test('loses the cover with the class, also when the class is restored', async () => {
    await start({ who: { user_id: assistant.id } });
    const params = here({ groupId: school.ownClass.id });
    await app.call(classCalls.removeClass, { token: school.admin.token, params });
    const restored = await app.call(deletedClassCalls.restoreClass, { token: school.admin.token, params });
    expect(restored.status).toBe(200);
    expect([(await list(school.admin)).length, (await seeClass(assistant.token)).status]).toEqual([0, 404]);
  });
});

describe('who can give a cover', () => {
  test('the teacher of the class and an admin, but not another teacher or an assistant', async () => {
    expect((await start()).status).toBe(200);
    expect((await start({ by: school.admin })).status).toBe(200);
    expect((await start({ by: colleague })).error).toMatchObject({ code: 'class_not_managed' });
    expect((await start({ by: assistant })).status).toBe(403);
  });

  test('a person who covers the class cannot pass it on', async () => {
    await start({ who: { user_id: colleague.id } });
    expect((await start({ by: colleague, who: { user_id: assistant.id } })).status).toBe(409);
  });

  test.each([
    ['the past', NOW, 'Choose a time in the future.'],
    ['too far away', '2026-12-20T09:00:00.000Z', 'Choose a time in the next 31 days.'],
  ])('an end in %s is not accepted', async (_, until, text) => {
    expect((await start({ until })).error).toMatchObject({ errors: { ends_at: [text] } });
    expect(await list()).toEqual([]);
  });

  test('an admin, a teacher of the class, someone without classes and a stranger cannot get one', async () => {
    const office = await app.build.staff(school, 'business_manager');
    const elsewhere = await app.build.school();
    const ask = async (user_id: number) => (await start({ who: { user_id } })).status;
    expect(await ask(school.admin.id)).toBe(409);
    expect(await ask(school.teacher.id)).toBe(409);
    expect(await ask(office.id)).toBe(404);
    expect(await ask(elsewhere.teacher.id)).toBe(404);
  });

  test('a class has a bounded number of covers, also when several are given at once', async () => {
    const answers = await Promise.all(Array.from({ length: MAX_COVERS + 3 }, () => start()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(MAX_COVERS);
    expect(answers.find(({ status }) => status !== 200)?.error).toMatchObject({ code: 'covers_full' });
    expect(await list()).toHaveLength(MAX_COVERS);
  });

  test('covers of one class are not shown to the teacher of another', async () => {
    await start();
    expect(await list(colleague)).toEqual([]);
    expect(await list(school.admin)).toHaveLength(1);
  });
});

describe('a supply teacher', () => {
  test('logs in with the code, whatever its case and spaces, and lands in the class without an address', async () => {
    const code = await codeFor();
    expect(code).toMatch(/^[2-9A-HJKMNP-Z]{4}(-[2-9A-HJKMNP-Z]{4}){2}$/);
    const { status, reply } = await enter(` ${code.toLowerCase().replaceAll('-', ' ')} `);
    expect(status).toBe(200);
    expect(reply.user).toMatchObject({
      full_name: 'Priya Shah',
      email: '',
      role: 'supply_teacher',
      enterprise_user_role: 'teacher',
      covers: [{ group_id: school.ownClass.id, ends_at: LATER }],
    });
  });

  test('sees their class alone, renews logins, corrects names and takes pupils out', async () => {
    const token = await logIn(await codeFor());
    const pupils = await app.call(pupilCalls.listPupils, { token, params: here() });
    expect(pupils.reply.readers.map(({ name }) => name)).toEqual(['Olu Own', 'Una Own']);
    expect((await seeClass(token, school.otherClass.id)).status).toBe(404);
    expect([(await renewLogin(token)).status, (await rename(token)).status]).toEqual([200, 200]);
    // The cards are on the screen: there is no address to which a link could be sent.
    await app.runJobs();
    expect(app.mails).toEqual([]);
    const [stranger] = school.otherClass.pupils;
    expect([(await renewLogin(token, stranger?.id)).status, (await rename(token, stranger?.id)).status]).toEqual([
      404, 404,
    ]);
    expect((await move(token, school.ownClass.id, null, school.unplaced.id)).status).toBe(404);
    const removed = await app.call(classMembershipCalls.removePupilFromClass, {
      token,
      params: here({ groupId: school.ownClass.id, pupilId: pupil() }),
    });
    expect(removed.status).toBe(200);
    expect((await seeClass(token)).reply.group.readers).toHaveLength(1);
  });

  test('sees neither addresses of staff nor contacts, and has no account to change', async () => {
    const token = await logIn(await codeFor());
    const { reply } = await app.call(schoolCalls.getSchool, { token, params: here(), query: {} });
    expect([reply.enterprise.users, reply.enterprise.contacts]).toEqual([[], []]);
    expect(reply.enterprise.groups.map(({ id }) => id)).toEqual([school.ownClass.id]);
    const change = await app.call(accessCalls.updateMe, { token, body: { first_name: 'Someone' } });
    expect(change.status).toBe(403);
  });

  test('is on no list of staff, and has no role that can be changed', async () => {
    await start();
    const { reply } = await app.call(schoolCalls.getSchool, {
      token: school.admin.token,
      params: here(),
      query: {},
    });
    expect(reply.enterprise.users.map(({ last_name }) => last_name)).not.toContain('Shah');
    const [given] = await list();
    const role = await app.call(teacherCalls.setStaffRole, {
      token: school.admin.token,
      params: here({ userId: given?.user.id }),
      body: { role: 'teacher' },
    });
    expect(role.status).toBe(404);
  });

  test('is named in Changes, and among those who looked at a pupil', async () => {
    const given = await cover();
    const token = await logIn((await makeCard(given.id)).reply.card.code);
    await app.build.reading(school, pupil(), [{ started_at: '2026-11-17T09:00:00.000Z' }]);
    await app.call(pupilCalls.getPupil, { token, params: here({ readerId: pupil() }) });
    await app.fastify.recordViews.flush();
    await end(given.id);
    expect(await changes()).toEqual([
      ['cover_ended', school.teacher.id, 'Priya Shah'],
      ['cover_card_made', school.teacher.id, 'Priya Shah'],
      ['cover_started', school.teacher.id, 'Priya Shah'],
    ]);
    const views = await app.call(recordViewCalls.listRecordViews, {
      token: school.admin.token,
      params: here({ readerId: pupil() }),
    });
    expect(JSON.stringify(views.reply)).toContain('Priya Shah');
  });

  test('is logged out at the time chosen, and leaves the staff', async () => {
    const token = await logIn(await codeFor());
    app.setTime('2026-11-18T15:29:59.999Z');
    expect((await me(token)).status).toBe(200);
    app.setTime(LATER);
    expect((await me(token)).status).toBe(401);
    await app.runJobs({ scheduled: true });
    const staff = await app.database.kysely
      .selectFrom('staff')
      .select(['role', 'until'])
      .where('school_id', '=', school.id)
      .where('until', 'is not', null)
      .execute();
    expect(staff).toEqual([{ role: null, until: new Date(LATER) }]);
  });

  test('who covers a class for days needs a new card each day', async () => {
    const given = await cover({ until: FRIDAY });
    const { card } = (await makeCard(given.id)).reply;
    expect(card.works_until).toBe('2026-11-19T00:00:00.000Z');
    const token = await logIn(card.code);
    app.setTime('2026-11-19T00:00:00.000Z');
    expect((await me(token)).status).toBe(401);
    expect((await enter(card.code)).error).toMatchObject({ code: 'supply_code_failed' });
    await app.runJobs({ scheduled: true });
    expect(await list()).toMatchObject([{ code: 'none' }]);
    expect((await me(await logIn((await makeCard(given.id)).reply.card.code))).status).toBe(200);
  });

  test('the day of a card ends at midnight in the school’s time zone', async () => {
    app.setTime('2026-06-10T09:00:00.000Z');
    const admin = await app.build.staff(school, 'admin');
    const given = await cover({ by: admin, until: '2026-06-12T09:00:00.000Z' });
    expect((await makeCard(given.id, admin)).reply.card.works_until).toBe('2026-06-10T23:00:00.000Z');
  });

  test('can cover a second class, and stays until the end of the last cover', async () => {
    const given = await cover();
    const token = await logIn((await makeCard(given.id)).reply.card.code);
    await start({
      by: school.admin,
      who: { user_id: given.user.id },
      classId: school.otherClass.id,
      until: '2026-11-18T16:00:00.000Z',
    });
    expect((await seeClass(token, school.otherClass.id)).status).toBe(200);
    await end(given.id);
    expect([(await seeClass(token)).status, (await seeClass(token, school.otherClass.id)).status]).toEqual([404, 200]);
  });

  test('is logged out when the cover is ended by hand, or with the class', async () => {
    const given = await cover();
    const token = await logIn((await makeCard(given.id)).reply.card.code);
    expect((await end(given.id)).status).toBe(200);
    expect((await me(token)).status).toBe(401);
    expect((await end(given.id)).status).toBe(404);
    const again = await logIn(await codeFor());
    await app.call(classCalls.removeClass, {
      token: school.admin.token,
      params: here({ groupId: school.ownClass.id }),
    });
    expect((await me(again)).status).toBe(401);
  });

  test('needs no second factor where all staff need one', async () => {
    await app.database.kysely
      .updateTable('schools')
      .set({ teachers_factor_from: '2026-11-01', admins_factor_from: '2026-11-01' })
      .where('id', '=', school.id)
      .execute();
    await app.build.passkey(school.teacher);
    expect((await me(await logIn(await codeFor()))).status).toBe(200);
  });
});

describe('the code on a card', () => {
  test('works once: entered again, it is rejected, ends the cover, and the class’s teacher gets an email', async () => {
    const code = await codeFor();
    const token = await logIn(code);
    app.setTime('2026-11-18T09:30:00.000Z');
    const second = await enter(code, TWO_BROWSERS[1]);
    expect([second.status, second.error]).toMatchObject([401, { code: 'supply_code_used' }]);
    expect((await me(token)).status).toBe(401);
    expect(await list()).toEqual([]);
    expect((await changes())[0]).toEqual(['cover_code_reused', null, 'Priya Shah']);
    await app.runJobs();
    expect(app.mails.map(({ kind, recipient }) => [kind, recipient])).toEqual([['cover_ended', school.teacher.email]]);
    expect((await enter(code)).error).toMatchObject({ code: 'supply_code_failed' });
    await app.runJobs();
    expect(app.mails).toHaveLength(1);
  });

  test('sent again at once or in the next minute, as on a slow line, it logs in once and the cover goes on', async () => {
    const code = await codeFor();
    const answers = await Promise.all([enter(code), enter(code, TWO_BROWSERS[1]), enter(code, TWO_BROWSERS[1])]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    app.setTime('2026-11-18T09:00:59.000Z');
    expect((await enter(code, TWO_BROWSERS[1])).error).toMatchObject({ code: 'supply_code_used' });
    expect(await list()).toHaveLength(1);
  });

  test('entered again on the device that is logged in, it is rejected and the cover goes on', async () => {
    const code = await codeFor();
    const token = await logIn(code);
    app.setTime('2026-11-18T09:30:00.000Z');
    expect((await enter(code)).error).toMatchObject({ code: 'supply_code_used' });
    expect((await me(token)).status).toBe(200);
  });

  test('is replaced by a new card, which logs out the device that used the one before', async () => {
    const given = await cover();
    const first = (await makeCard(given.id)).reply.card.code;
    const token = await logIn(first);
    const second = (await makeCard(given.id)).reply.card.code;
    expect((await me(token)).status).toBe(401);
    expect((await enter(first)).error).toMatchObject({ code: 'supply_code_failed' });
    expect((await enter(second, TWO_BROWSERS[1])).status).toBe(200);
    expect(await list()).toMatchObject([{ code: 'used' }]);
    await app.runJobs();
    expect(app.mails).toEqual([]);
  });

  test('is stored as a hash, and is in no reply but its own', async () => {
    const code = (await codeFor()).replaceAll('-', '');
    const rows = await app.database.kysely.selectFrom('one_time_links').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(JSON.stringify(await list())).not.toContain(code);
  });

  test('an empty code is asked for', async () => {
    expect((await enter(' ')).error).toMatchObject({ errors: { code: ['Enter the code on your card.'] } });
  });

  test.each(['K7PM', 'K7PM-3XQR-9DT0', 'K7PM-3XQR-9DTWW', '🐢🐢🐢🐢🐢🐢', 'K7PM-3XQR-9DTW'])(
    'a code that no card has (%j) is rejected',
    async (code) => {
      expect((await enter(code)).error).toMatchObject({ code: 'supply_code_failed' });
    },
  );

  test('is for supply teachers alone', async () => {
    const given = await cover({ who: { user_id: colleague.id } });
    expect((await makeCard(given.id)).error).toMatchObject({ code: 'cover_of_colleague' });
  });

  test('works neither after the cover was ended, nor after the class was deleted', async () => {
    const given = await cover();
    const { code } = (await makeCard(given.id)).reply.card;
    await end(given.id);
    expect((await enter(code)).error).toMatchObject({ code: 'supply_code_failed' });
    const other = await codeFor();
    await app.call(classCalls.removeClass, {
      token: school.admin.token,
      params: here({ groupId: school.ownClass.id }),
    });
    expect((await enter(other)).error).toMatchObject({ code: 'supply_code_failed' });
  });

  test('of a cover that is being ended waits for the end, and does not work then', async () => {
    const given = await cover();
    const { code } = (await makeCard(given.id)).reply.card;
    const now = new Date(NOW);
    const entered = await inSchool(app.database, school.id, async (db) => {
      await lockCoveringMember(db, given.user.id);
      const entering = enter(code);
      for (const own of await listCoversBy(db, given.user.id, now)) await removeCover(db, own, now);
      return { entering };
    });
    expect((await entered.entering).error).toMatchObject({ code: 'supply_code_failed' });
  });

  test('of a cover that someone ends at the moment of login leaves no session, in either order', async () => {
    for (let round = 0; round < 8; round += 1) {
      const given = await cover();
      const { code } = (await makeCard(given.id)).reply.card;
      const both = [() => enter(code), () => end(given.id)] as const;
      await Promise.all((round % 2 === 0 ? both : both.toReversed()).map((act) => act()));
      const sessions = await app.database.kysely
        .selectFrom('sessions')
        .select('user_id')
        .where('user_id', '=', given.user.id)
        .execute();
      expect([round, sessions]).toEqual([round, []]);
      expect(await list()).toEqual([]);
    }
  });
});
