import { accessCalls } from '#contract/calls/access.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { digestCalls } from '#contract/calls/weekly-digest.ts';
import { describeNeed } from '#contract/reading-sentence.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { inPlatform } from '../../../database/platform.ts';
import { enqueue } from '../../../jobs/queue.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { carryOutRetention } from '../../privacy/retention/retention.public.ts';
import { DIGEST_JOB, digestJob, SCHOOL_DIGEST_JOB, schoolDigestJob } from './weekly-digest.jobs.ts';
import { namesForEmail } from './pupil-names.service.ts';
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

const sectionOf = (mail: Mail, heading: string): string =>
  mail.text.split('\n\n').find((part) => part.startsWith(heading)) ?? '';
const linkTo = (pupil: { id: number } | undefined) => `https://portal.test.example/pupils/${String(pupil?.id)}`;
const nameWith = (names_in_emails: 'initial' | 'none' | 'full') =>
  app.call(schoolDetailsCalls.updateSchool, {
    params: { id: school.id },
    token: school.admin.token,
    body: { names_in_emails },
  });

describe('content of the weekly digest', () => {
  test('the digest shows a teacher only the classes that they manage, and names who needs them with a link', async () => {
    const [ada, zoe] = school.ownClass.pupils;
    await read(ada, '2026-11-16T10:00:00Z', { reading_time: 3000, ...completed });
    await read(ada, '2026-11-17T10:00:00Z', { reading_time: 960 });
    await read(school.otherClass.pupils[0], '2026-11-17T10:00:00Z');
    app.setTime('2026-11-22T23:59:00.000Z');
    const mail = await digestOf(school.teacher);
    const { subject, text, html } = mail;
    expect(subject).toBe('Reading last week: 16 to 22 November');
    expect(text).toContain('1 of 2 read last week.');
    for (const content of [text, html]) {
      expect(content).toContain('Zoë Ł.');
      expect(content).not.toContain(zoe?.name);
      expect(content).toContain(linkTo(zoe));
      expect(content).not.toContain('Swifts');
      expect(content).not.toContain('Hara');
      expect(content).not.toContain(school.unplaced.name);
    }
    expect(sectionOf(mail, 'Read most last week')).toBe(`Read most last week\nAda B.\n${linkTo(ada)}`);
    expect(text.indexOf('Read most')).toBeGreaterThan(text.indexOf('Zoë'));
  });

  test('the digest names the same pupils in need as the dashboard, in its order', async () => {
    const classId = await app.build.newClass(school, 'Year 4 Owls', school.teacher.id);
    await app.build.pupils(school, classId, ['Amy Adams', 'Ben Bell', 'Cleo Cole', 'Dan Dean', 'Eve Ellis']);
    const mail = await digestOf(school.teacher);
    const { reply } = await app.call(readingNeedsCalls.listReadingNeeds, {
      params: { id: school.id },
      token: school.teacher.token,
      query: {},
    });
    expect(reply.readers.length).toBeGreaterThan(3);
    const [heading, ...lines] = mail.text
      .split('\n\n')
      .find((part) => part.includes('need you'))
      ?.split('\n') ?? [''];
    expect(heading).toBe(`${describeNeed(reply.meta.total)}.`);
    expect(lines.filter((line) => line.includes('/pupils/')).map((line) => line.trim())).toEqual(
      reply.readers.slice(0, 3).map(linkTo),
    );
    expect(lines.at(-2)).toBe(`and ${String(reply.meta.total - 3)} more`);
  });

  test('the digest has no figure about a child', async () => {
    const [ada] = school.ownClass.pupils;
    await read(ada, '2026-11-16T10:00:00Z', { reading_time: 3000, ...completed });
    const { text } = await digestOf(school.teacher);
    const lines = text.split('\n').filter((line) => /Ada|Zoë/.test(line));
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((line) => /\d/.test(line))).toEqual([]);
    expect(text).not.toMatch(/\d (h|min|minutes?|books?|words?|school days?)\b|%/);
  });

  test('the digest names at most ten pupils of a school with many, and links to the rest', async () => {
    const classId = await app.build.newClass(school, 'Year 4 Owls', school.teacher.id);
    const pupils = await app.build.pupils(
      school,
      classId,
      Array.from({ length: 26 }, (_, index) => `Pupil ${String.fromCharCode(65 + index)}son`),
    );
    for (const pupil of pupils.slice(0, 5)) await read(pupil, '2026-11-17T10:00:00Z', { reading_time: 300 });
    const { text } = await digestOf(school.admin);
    expect(text.match(/\/pupils\/\d+/g)?.length).toBeLessThanOrEqual(10);
    expect(text).toMatch(/and \d+ more\nhttps:\/\/portal\.test\.example\/\n/);
  });

  test('the digest shows an admin all classes with pupils, and none that is empty', async () => {
    await app.build.newClass(school, 'Empty Class');
    await read(school.otherClass.pupils[0], '2026-11-17T10:00:00Z', { reading_time: 60 });
    const mail = await digestOf(school.admin);
    expect(mail.text).toContain('1 of 4 read last week.');
    expect(sectionOf(mail, 'Classes')).toBe(
      [
        'Classes',
        'Year 3 Wrens: No one read last week',
        'Year 5 Swifts: The one pupil read last week',
        'Pupils without a class: The one pupil did not read last week',
      ].join('\n'),
    );
    expect(mail.text).not.toContain('Empty Class');
    expect(mail.html).toContain('Finn O.');
  });

  test('the digest leaves out archived pupils', async () => {
    await app.database.kysely
      .updateTable('pupils')
      .set({ archived_at: new Date(MONDAY) })
      .where('id', '=', school.unplaced.id)
      .execute();
    const { text } = await digestOf(school.admin);
    expect(text).not.toContain('Pupils without a class');
    expect(text).toContain('No one read last week.');
  });

  test('the digest is correct for a class of one, two and all pupils', async () => {
    const only = await app.build.school({ ownPupils: ['Ada Baker'] });
    const sentence = async () => {
      await app.database.kysely.deleteFrom('digests_sent').execute();
      app.setTime('2026-11-18T12:00:00.000Z');
      return /(.+ read last week)\./.exec((await digestOf(only.teacher)).text)?.[1];
    };
    expect(await sentence()).toBe('The one pupil did not read last week');
    await app.build.reading(only, only.ownClass.pupils[0]?.id ?? 0, [{ started_at: '2026-11-17T10:00:00Z' }]);
    expect(await sentence()).toBe('The one pupil read last week');
    const [second] = await app.build.pupils(only, only.ownClass.id, ['Ben Bell']);
    expect(await sentence()).toBe('1 of 2 read last week');
    await app.build.reading(only, second?.id ?? 0, [{ started_at: '2026-11-17T10:00:00Z' }]);
    expect(await sentence()).toBe('All 2 read last week');
  });

  test('the digest names pupils in full, or not at all, as the school chooses', async () => {
    expect((await nameWith('full')).reply.enterprise.names_in_emails).toBe('full');
    expect((await digestOf(school.teacher)).text).toContain('\nAda Baker');
    await nameWith('none');
    await app.database.kysely.deleteFrom('digests_sent').execute();
    app.setTime('2026-11-22T12:00:00.000Z');
    const { text, html } = await digestOf(school.teacher);
    for (const content of [text, html]) {
      expect(content).not.toMatch(/Ada|Zoë|\/pupils\//);
      expect(content).toContain(`https://portal.test.example/?class=${String(school.ownClass.id)}`);
    }
    expect(text).toMatch(/\d pupils? of Year 3 Wrens/);
    const { entries } = (
      await app.call(schoolCalls.listAuditLog, { params: { id: school.id }, token: school.admin.token, query: {} })
    ).reply;
    expect(entries[0]).toMatchObject({
      action: 'school_changed',
      details: { from: { names_in_emails: 'full' }, to: { names_in_emails: 'none' } },
    });
  });

  test('the digest tells pupils with the same first name and initial apart', () => {
    const names = ['Ada Baker', 'Ada Brown', 'Ada Cole', 'Zoë Hill', 'Zoë Hill', 'Cher'];
    const pupils = names.map((name, id) => ({ id, name }));
    expect([...namesForEmail(pupils, 'initial').values()]).toEqual([
      'Ada Ba.',
      'Ada Br.',
      'Ada C.',
      'Zoë Hil. (one of 2)',
      'Zoë Hil. (one of 2)',
      'Cher',
    ]);
    expect([...namesForEmail(pupils, 'full').values()].slice(2)).toEqual([
      'Ada Cole',
      'Zoë Hill (one of 2)',
      'Zoë Hill (one of 2)',
      'Cher',
    ]);
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

describe('weeks in which the digest is sent', () => {
  /** Staff subscribe without a session, which would expire over the holidays. */
  const subscribe = (userId: number) =>
    app.database.kysely
      .updateTable('staff')
      .set({ digest_optin_at: new Date(MONDAY) })
      .where('user_id', '=', userId)
      .execute();
  const sendOn = async (...mondays: string[]) => {
    const sent: string[] = [];
    for (const monday of mondays) for (const { subject } of await strike(`${monday}T07:00:00.000Z`)) sent.push(subject);
    return sent;
  };
  /** Without an end: a subscription of the tests ends within the year. */
  const extendSubscription = () =>
    app.database.kysely
      .updateTable('subscriptions')
      .set({ expires_at: new Date('2029-01-01') })
      .where('school_id', '=', school.id)
      .execute();
  const addDayOff = async (day: string) => {
    await app.database.kysely.insertInto('days_off').values({ school_id: school.id, day }).execute();
  };

  test('a Monday after the Christmas holidays brings one digest with their dates, and the holidays none', async () => {
    await subscribe(school.teacher.id);
    await extendSubscription();
    expect(await sendOn('2026-12-21')).toEqual([]);
    await read(school.ownClass.pupils[0], '2026-12-16T10:00:00Z');
    expect(await sendOn('2026-12-28')).toEqual([]);
    const [mail, ...others] = await strike('2027-01-04T07:00:00.000Z');
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Reading before the holidays: 14 to 20 December');
    expect(mail?.text).toContain('There was no school from Saturday 19 December to Sunday 3 January.');
    expect(mail?.text).toContain('The last school week was 14 to 20 December. 1 of 2 read in that week.');
    expect(await sendOn('2027-01-04')).toEqual([]);
    expect(await sendOn('2027-01-11')).toEqual(['Reading last week: 4 to 10 January']);
  });

  test('an INSET day on the Monday after the holidays is part of them', async () => {
    await subscribe(school.teacher.id);
    await extendSubscription();
    await addDayOff('2027-01-04');
    const [mail] = await strike('2027-01-04T07:00:00.000Z');
    expect(mail?.text).toContain('There was no school from Saturday 19 December to Monday 4 January.');
  });

  test('no digest is sent in August, nor in a week of INSET days', async () => {
    await subscribe(school.teacher.id);
    await extendSubscription();
    expect(await sendOn('2027-07-26', '2027-08-02', '2027-08-09', '2027-08-30')).toEqual([
      'Reading before the holidays: 19 to 25 July',
    ]);
    for (const day of ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27']) await addDayOff(day);
    expect(await sendOn('2026-11-23')).toEqual([]);
  });

  test('the digest after half-term does not repeat a week that the person had already', async () => {
    await subscribe(school.teacher.id);
    await extendSubscription();
    expect(await sendOn('2026-10-26')).toEqual([]);
    await app.database.kysely
      .insertInto('digests_sent')
      .values({ school_id: school.id, user_id: school.teacher.id, week: '2026-10-19', sent_at: new Date(MONDAY) })
      .execute();
    const [mail] = await strike('2026-11-02T07:00:00.000Z');
    expect(mail?.subject).toBe('Reading after the holidays');
    expect(mail?.text).toContain('There was no school from Saturday 24 October to Sunday 1 November.');
    expect(mail?.text).not.toContain('Read most');
  });

  test.each([
    [
      'no longer pays',
      () =>
        app.database.kysely
          .updateTable('subscriptions')
          .set({ starts_at: new Date('2025-11-01'), expires_at: new Date('2026-11-01') })
          .where('school_id', '=', school.id)
          .execute(),
    ],
    [
      'has closed',
      () =>
        app.database.kysely
          .insertInto('school_closings')
          .values({
            school_id: school.id,
            requested_by: school.admin.id,
            requested_at: new Date('2026-11-01'),
            takes_effect_at: new Date('2026-11-08'),
            closed_at: new Date('2026-11-08'),
            erase_at: new Date('2026-12-08'),
          })
          .execute(),
    ],
    [
      'has lost the member of staff',
      () =>
        app.database.kysely
          .updateTable('staff')
          .set({ role: null, until: new Date('2026-11-20') })
          .where('user_id', '=', school.teacher.id)
          .execute(),
    ],
    [
      'has an unconfirmed address for them',
      () =>
        app.database.kysely
          .updateTable('users')
          .set({ email_confirmed_at: null })
          .where('id', '=', school.teacher.id)
          .execute(),
    ],
    [
      'has an address of them that bounced twice',
      async () => {
        for (let times = 0; times < 2; times += 1)
          await app.database.kysely
            .insertInto('outbox')
            .values({
              kind: 'weekly_digest',
              recipient: school.teacher.email.toUpperCase(),
              created_at: new Date('2026-11-01'),
              delivery: 'bounced',
              delivery_at: new Date('2026-11-01'),
              counts_against_address: true,
            })
            .execute();
      },
    ],
  ])('no digest is sent to staff of a school that %s', async (_, change) => {
    await subscribe(school.teacher.id);
    await change();
    expect(await sendOn('2026-11-23')).toEqual([]);
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
      '2026-11-02T07:00:00.000Z',
      ['2026-10-18T22:59:59Z', '2026-10-18T23:00:00Z', '2026-10-25T23:59:59Z', '2026-10-26T00:00:00Z'],
      '19 to 25 October',
    ],
    [
      'forward',
      '2027-04-12T06:00:00.000Z',
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
      expect(mail?.subject).toBe(`Reading before the holidays: ${dates}`);
      expect(mail?.text).toContain('Year 4 Owls: 2 of 4 read in that week');
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
    expect(app.mails.map((mail) => sectionOf(mail, 'Read most last week').split('\n')[1])).toEqual(['Zoë Ł.']);
    expect(app.mails[0]?.text).toContain('1 of 2 read last week.');
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
