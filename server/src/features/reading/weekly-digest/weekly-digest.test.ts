import { accessCalls } from '#contract/calls/access.ts';
import { digestCalls } from '#contract/calls/weekly-digest.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { inPlatform } from '../../../database/platform.ts';
import { enqueue } from '../../../jobs/queue.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { carryOutRetention } from '../../privacy/retention/retention.public.ts';
import { DIGEST_JOB, digestJob, SCHOOL_DIGEST_JOB, schoolDigestJob } from './weekly-digest.jobs.ts';
import { mondayOfLastWeek } from './weekly-digest.service.ts';

const app = testApp({ PUBLIC_URL: 'https://portal.test.example' });
/** Monday morning after the week from 16 to 22 November. */
const MONDAY = '2026-11-23T07:00:00.000Z';

let school: BuiltSchool;
beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  // Removes the subscribers of earlier tests.
  await app.database.kysely.updateTable('staff').set({ digest_optin_at: null }).execute();
  school = await app.build.school();
});

const want = async (token: string, weekly_school_digest_optin = true) => {
  const { status } = await app.call(accessCalls.updateMe, { token, body: { weekly_school_digest_optin } });
  expect(status).toBe(200);
};
const optedInAt = async (userId: number) =>
  (
    await app.database.kysely
      .selectFrom('staff')
      .select('digest_optin_at')
      .where('user_id', '=', userId)
      .executeTakeFirst()
  )?.digest_optin_at;
/** Runs the schedule at a moment, and returns the mails. */
async function strike(at = MONDAY): Promise<Mail[]> {
  app.setTime(at);
  app.mails.splice(0);
  await inPlatform(app.database, (db) => enqueue(db, DIGEST_JOB, {}));
  await app.runJobs();
  return app.mails.splice(0);
}
const read = (pupil: { id: number } | undefined, started_at: string, more = {}) =>
  app.build.reading(school, pupil?.id ?? 0, [{ started_at, ...more }]);
const completed = { has_completed_book: true, last_page: 9 };
const digestOf = async (person: { email: string; token: string }, at = MONDAY): Promise<Mail> => {
  await want(person.token);
  const mail = (await strike(at)).find(({ recipient }) => recipient === person.email);
  if (!mail) throw new Error('There was no digest.');
  return mail;
};
const linkIn = (mail: Mail) => /https:\/\/portal\.test\.example(\/digest\/unsubscribe\/([\w-]+))/.exec(mail.text) ?? [];
const visit = (method: 'GET' | 'POST' | 'HEAD', url: string, more = {}) => app.fastify.inject({ method, url, ...more });

describe('content of the weekly digest', () => {
  test('the digest shows a teacher only the classes that they manage', async () => {
    const [ada, zoe] = school.ownClass.pupils;
    await read(ada, '2026-11-16T10:00:00Z', { reading_time: 3000, ...completed });
    await read(ada, '2026-11-17T10:00:00Z', { reading_time: 960 });
    await read(school.otherClass.pupils[0], '2026-11-17T10:00:00Z');
    app.setTime('2026-11-22T23:59:00.000Z');
    const { subject, text, html } = await digestOf(school.teacher);
    expect(subject).toBe('Reading last week: 16 to 22 November');
    expect(text).toContain('From Monday 16 November to Sunday 22 November, 1 of 2 pupils in your classes read.');
    expect(text).toContain(
      [
        'Year 3 Wrens',
        'Read last week: 1 of 2 pupils: 1 h 6 min together, 1 book completed',
        'Most reading time: Ada Baker (1 h 6 min)',
        'Most books completed: Ada Baker (1)',
        `Did not read: ${zoe?.name}`,
      ].join('\n'),
    );
    for (const content of [text, html]) {
      expect(content).toContain(zoe?.name);
      expect(content).not.toContain('Swifts');
      expect(content).not.toContain('Hara');
      expect(content).not.toContain(school.unplaced.name);
    }
    expect(text).toContain('we name up to three pupils with the most reading time');
  });

  test('the digest shows an admin all classes with pupils, including a class where everyone has read', async () => {
    await app.build.newClass(school, 'Empty Class');
    await read(school.otherClass.pupils[0], '2026-11-17T10:00:00Z', { reading_time: 30 });
    const { text, html } = await digestOf(school.admin);
    expect(text).toContain('1 of 4 pupils in your school read.');
    expect(text).toContain('Year 3 Wrens\nRead last week: 0 of 2 pupils\nDid not read: Ada Baker, Zoë Łukasik');
    expect(text).toContain(
      "Year 5 Swifts\nRead last week: 1 of 1 pupil: under 1 min together, 0 books completed\nMost reading time: Finn O'Hara (under 1 min)\nDid not read: No one",
    );
    expect(text).not.toContain('Empty Class');
    expect(html).toContain('Finn O&#39;Hara');
  });

  test('the digest shows an admin pupils without a class, but no archived pupils', async () => {
    await read(school.unplaced, '2026-11-17T10:00:00Z', { reading_time: 300, ...completed });
    const { text } = await digestOf(school.admin);
    expect(text).toContain('1 of 4 pupils in your school read.');
    expect(text).toContain(
      `Pupils without a class\nRead last week: 1 of 1 pupil: 5 min together, 1 book completed\nMost reading time: ${school.unplaced.name} (5 min)`,
    );
    await app.database.kysely
      .updateTable('pupils')
      .set({ archived_at: new Date(MONDAY) })
      .where('id', '=', school.unplaced.id)
      .execute();
    await app.database.kysely.deleteFrom('digests_sent').execute();
    const later = await digestOf(school.admin);
    expect(later.text).not.toContain('Pupils without a class');
    expect(later.text).toContain('0 of 3 pupils in your school read.');
  });

  test('the digest names the top three pupils of a class, breaking ties by the other figure', async () => {
    const classId = await app.build.newClass(school, 'Year 4 Owls', school.teacher.id);
    const [amy, ben, cleo, dan, eve] = await app.build.pupils(school, classId, [
      'Amy A',
      'Ben B',
      'Cleo C',
      'Dan D',
      'Eve E',
    ]);
    await read(amy, '2026-11-16T10:00:00Z', { reading_time: 300 });
    await read(ben, '2026-11-16T10:00:00Z', { reading_time: 300, ...completed });
    await read(cleo, '2026-11-16T10:00:00Z', { reading_time: 120, ...completed });
    await read(dan, '2026-11-16T10:00:00Z', { reading_time: 600 });
    await read(eve, '2026-11-16T10:00:00Z', { reading_time: 29 });
    const { text } = await digestOf(school.teacher);
    expect(text).toContain('Most reading time: Dan D (10 min), Ben B (5 min), Amy A (5 min)\n');
    expect(text).toContain('Most books completed: Ben B (1), Cleo C (1)\n');
    expect(text).toContain('Did not read: Eve E');
  });

  test('the subject of the digest has no pupil’s name', async () => {
    const named = await app.build.school({ ownPupils: ['November Reading'] });
    const { subject } = await digestOf(named.teacher);
    expect(subject).toBe('Reading last week: 16 to 22 November');
  });

  test("the digest excludes other schools' pupils", async () => {
    const otherSchool = await app.build.school({ ownPupils: ['Stranger Danger'], otherPupils: ['Foreign Body'] });
    await app.build.reading(otherSchool, otherSchool.ownClass.pupils[0]?.id ?? 0, [
      { started_at: '2026-11-17T10:00:00Z' },
    ]);
    for (const { token } of [school.admin, school.teacher, otherSchool.admin]) await want(token);
    const mails = await strike();
    expect(mails.map(({ recipient }) => recipient).sort()).toEqual(
      [school.admin.email, school.teacher.email, otherSchool.admin.email].sort(),
    );
    for (const { recipient, text, html } of mails)
      expect(/Stranger|Foreign/.test(text + html)).toBe(recipient === otherSchool.admin.email);
  });
});

describe('recipients of the weekly digest', () => {
  test('the digest is sent only to subscribers', async () => {
    await want(school.teacher.token);
    expect((await strike()).map(({ recipient }) => recipient)).toEqual([school.teacher.email]);
    await want(school.teacher.token, false);
    expect(await strike('2026-11-30T07:00:00.000Z')).toEqual([]);
  });

  test('the digest is not sent to staff whose classes have no pupils', async () => {
    const idle = await app.build.staff(school, 'teacher');
    const early = await app.build.staff(school, 'teacher');
    await app.build.newClass(school, 'Year 1', early.id);
    const founder = (await app.build.emptySchool()).admin;
    for (const { token } of [idle, early, founder]) await want(token);
    expect(await strike()).toEqual([]);
  });

  test('each subscriber gets one digest a week, however often the jobs run', async () => {
    for (const { token } of [school.admin, school.teacher]) await want(token);
    expect(await strike()).toHaveLength(2);
    expect(await strike()).toEqual([]);
    expect(await strike('2026-11-25T15:00:00.000Z')).toEqual([]);
    app.setTime(MONDAY);
    const job = schoolDigestJob(app.services);
    await Promise.all([1, 2].map(() => job.run({ schoolId: school.id, week: '2026-11-16' })));
    await app.runJobs();
    expect(app.mails).toEqual([]);
    expect(await strike('2026-11-30T07:00:00.000Z')).toHaveLength(2);
  });

  test('a digest that is a week late is dropped', async () => {
    await want(school.teacher.token);
    app.setTime('2026-11-30T00:00:00.000Z');
    await schoolDigestJob(app.services).run({ schoolId: school.id, week: '2026-11-16' });
    expect(await app.runJobs()).toBe(0);
  });
});

describe('week of the digest', () => {
  test.each([
    ['2026-11-23T07:00:00Z', '2026-11-16'],
    ['2026-11-29T23:59:59Z', '2026-11-16'],
    ['2026-11-30T00:00:00Z', '2026-11-23'],
    ['2027-01-04T07:00:00Z', '2026-12-28'],
    // The clocks went back on Sunday 25 October and forward on Sunday 28 March.
    ['2026-10-26T07:00:00Z', '2026-10-19'],
    ['2026-10-25T23:30:00Z', '2026-10-12'],
    ['2027-03-28T22:59:59Z', '2027-03-15'],
    ['2027-03-28T23:00:00Z', '2027-03-22'],
    ['2027-03-29T06:00:00Z', '2027-03-22'],
  ])('the digest sent at %s covers the week from Monday %s', (now, monday) => {
    expect(mondayOfLastWeek(new Date(now))).toBe(monday);
  });

  test.each([
    [
      'back',
      '2026-10-26T07:00:00.000Z',
      ['2026-10-18T22:59:59Z', '2026-10-18T23:00:00Z', '2026-10-25T23:59:59Z', '2026-10-26T00:00:00Z'],
      '19 to 25 October',
    ],
    [
      'forward',
      '2027-03-29T06:00:00.000Z',
      ['2027-03-21T23:59:59Z', '2027-03-22T00:00:00Z', '2027-03-28T22:59:59Z', '2027-03-28T23:00:00Z'],
      '22 to 28 March',
    ],
  ])(
    'the digest’s week in which the clocks go %s ends when its Sunday ends',
    async (_, monday, [before, first, last, after], dates) => {
      const names = ['Before It', 'First Second', 'Last Second', 'After It'];
      const classId = await app.build.newClass(school, 'Year 4 Owls');
      const pupils = await app.build.pupils(school, classId, names);
      app.setTime(monday);
      for (const [index, at] of [before, first, last, after].entries()) await read(pupils[index], at ?? '');
      // Sessions from before the clock was set have expired, so the flag is set directly.
      await app.database.kysely
        .updateTable('staff')
        .set({ digest_optin_at: new Date(monday) })
        .where('user_id', '=', school.admin.id)
        .execute();
      const [mail] = await strike(monday);
      expect(mail?.subject).toBe(`Reading last week: ${dates}`);
      expect(mail?.text).toContain('Did not read: After It, Before It');
    },
  );

  test('the digest covers the week in the school’s time zone and is sent when that week is over', async () => {
    school = await app.build.school({ timeZone: 'America/New_York' });
    await read(school.ownClass.pupils[0], '2026-11-16T04:59:59Z', { reading_time: 60 });
    await read(school.ownClass.pupils[1], '2026-11-16T05:00:00Z', { reading_time: 120 });
    await want(school.teacher.token);
    app.setTime('2026-11-23T07:00:00.000Z');
    await digestJob(app.services).run({});
    const { rows } = await sql<{ start_after: Date; data: object }>`
      select start_after, data from pgboss.job where name = ${SCHOOL_DIGEST_JOB} and data->>'schoolId' = ${String(school.id)}`.execute(
      app.database.kysely,
    );
    expect(rows).toEqual([
      { start_after: new Date('2026-11-23T12:00:00.000Z'), data: { schoolId: school.id, week: '2026-11-16' } },
    ]);
    app.setTime('2026-11-23T12:00:00.000Z');
    app.mails.splice(0);
    await schoolDigestJob(app.services).run({ schoolId: school.id, week: '2026-11-16' });
    await app.runJobs();
    expect(app.mails.map(({ text }) => /Did not read: .+/.exec(text)?.[0])).toEqual(['Did not read: Ada Baker']);
  });
});

describe('unsubscribe link of the weekly digest', () => {
  test('the unsubscribe link is in the email and its headers, and is not stored', async () => {
    const mail = await digestOf(school.teacher);
    const [link = '', , token = ''] = linkIn(mail);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.headers).toEqual({
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    const links = await app.database.kysely
      .selectFrom('digest_links')
      .selectAll()
      .where('user_id', '=', school.teacher.id)
      .execute();
    expect(links).toHaveLength(1);
    expect(JSON.stringify(links.map((row) => String(row.token_hash)))).not.toContain(token);
  });

  test('opening the unsubscribe link shows a page with a button and changes nothing', async () => {
    const [, path = '', token] = linkIn(await digestOf(school.teacher));
    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      const { statusCode, headers } = await visit(method, path);
      expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ]);
    }
    const { payload } = await visit('GET', path);
    expect(payload).toContain('<form method="post"><button>Stop the weekly email</button></form>');
    expect(payload).not.toContain('<script');
    expect(payload).not.toContain(token);
    expect(payload).not.toContain(school.teacher.email);
    expect(await optedInAt(school.teacher.id)).toEqual(expect.any(Date));
  });

  test.each([
    ['the form of the page', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: '' }],
    [
      'the button of a mail program',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'List-Unsubscribe=One-Click' },
    ],
    [
      'one that sends it in parts',
      {
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        payload: '--b\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
      },
    ],
    ['one that sends nothing', {}],
  ])('the unsubscribe link ends the digest by %s, and can be used again', async (_, more) => {
    await want(school.admin.token);
    const [, path = ''] = linkIn(await digestOf(school.teacher));
    for (let times = 0; times < 2; times += 1) {
      const { statusCode, payload } = await visit('POST', path, more);
      expect(statusCode).toBe(200);
      expect(payload).toContain('The weekly email has stopped');
    }
    expect(await optedInAt(school.teacher.id)).toBeNull();
    expect(await optedInAt(school.admin.id)).toEqual(expect.any(Date));
    expect((await strike('2026-11-30T07:00:00.000Z')).map(({ recipient }) => recipient)).toEqual([school.admin.email]);
  });

  test('the API ends the digest with the token of any of its emails, and accepts the token again', async () => {
    const [, , old = ''] = linkIn(await digestOf(school.teacher));
    const [, , latest = ''] = linkIn((await strike('2026-11-30T07:00:00.000Z'))[0] as Mail);
    expect(latest).not.toBe(old);
    for (const token of [old, old, latest]) {
      const { status, reply } = await app.call(digestCalls.unsubscribeFromDigest, { body: { token } });
      expect({ status, reply }).toEqual({ status: 200, reply: {} });
    }
    expect(await optedInAt(school.teacher.id)).toBeNull();
  });

  test('an unknown unsubscribe link is rejected', async () => {
    await want(school.teacher.token);
    const { status, error } = await app.call(digestCalls.unsubscribeFromDigest, { body: { token: 'A'.repeat(43) } });
    expect({ status, type: error.error_type }).toEqual({ status: 404, type: 'not_found' });
    expect(error.error).toContain('latest weekly email');
    expect((await app.call(digestCalls.unsubscribeFromDigest, { body: { token: '' } })).status).toBe(422);
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode, payload, headers } = await visit(method, '/digest/unsubscribe/nonsense%3Cb%3E');
      expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(payload).toContain('latest weekly email');
      expect(payload).not.toContain('nonsense');
    }
    expect(await optedInAt(school.teacher.id)).toEqual(expect.any(Date));
  });

  test('the unsubscribe link of former staff answers without an error and changes nothing', async () => {
    const [, , token = ''] = linkIn(await digestOf(school.teacher));
    await app.database.kysely
      .updateTable('classes')
      .set({ manager_id: null })
      .where('manager_id', '=', school.teacher.id)
      .execute();
    await app.database.kysely.deleteFrom('staff').where('user_id', '=', school.teacher.id).execute();
    expect((await app.call(digestCalls.unsubscribeFromDigest, { body: { token } })).status).toBe(200);
  });

  test('an unsubscribe link works for a year and is then deleted', async () => {
    const [, , token = ''] = linkIn(await digestOf(school.teacher));
    await strike('2027-11-22T07:00:00.000Z');
    expect((await app.call(digestCalls.unsubscribeFromDigest, { body: { token } })).status).toBe(200);
    await app.database.kysely
      .updateTable('staff')
      .set({ digest_optin_at: new Date() })
      .where('user_id', '=', school.teacher.id)
      .execute();
    app.setTime('2027-11-24T07:00:00.000Z');
    await carryOutRetention(app.services);
    expect((await app.call(digestCalls.unsubscribeFromDigest, { body: { token } })).status).toBe(404);
  });
});
