import { hashUuid } from '../../../auth/sealing.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { CARDS_AT_ONCE } from '#contract/limits.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { read, utils } from '@e965/xlsx';
import { beforeEach, describe, expect, test } from 'vitest';
import { carryOutRetention } from '../../privacy/retention/retention.public.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let teacher: { token: string };

/** One pupil more than a request resets itself. */
let many: number[];

beforeEach(async () => {
  school = await app.build.school();
  teacher = { token: school.teacher.token };
  const furtherPupils = await app.build.pupils(
    school,
    null,
    Array.from({ length: CARDS_AT_ONCE }, () => 'Robin Reed'),
  );
  many = [school.unplaced, ...furtherPupils].map(({ id }) => id);
  app.mails.length = 0;
});

const reset = (pupilIds: number[], who = teacher) =>
  app.call(loginCardCalls.resetPasswords, { params: { id: school.id }, body: { reader_ids: pupilIds }, ...who });
const status = async (resetId: string, who = teacher) =>
  app.call(loginCardCalls.getPasswordReset, { params: { id: school.id, resetId }, ...who });
const logIn = async (username: string, password: string) =>
  (await app.call(readingAppCalls.logInPupil, { body: { username, password } })).status;

describe('resets of passwords', () => {
  test('a reset of more than 60 passwords runs in the background: the old password ends and the new one is on the cards', async () => {
    const [ada, zoe] = school.ownClass.pupils as [BuiltSchool['unplaced'], BuiltSchool['unplaced']];
    const kept = school.otherClass.pupils[0] as BuiltSchool['unplaced'];
    const { reply } = await reset([ada.id, zoe.id, ada.id, ...many]);
    const total = many.length + 2;
    expect(reply.reset).toMatchObject({ status: 'loading', total, links: null });
    expect((await status(reply.reset.id)).reply.reset.status).toBe('loading');
    expect(await logIn(ada.username, PASSWORD)).toBe(200);

    await app.runJobs();
    const done = (await status(reply.reset.id)).reply.reset;
    expect(done.status).toBe('complete');
    expect(await logIn(ada.username, PASSWORD)).toBe(401);
    expect((await app.call(readingAppCalls.listPupilBooks, { token: ada.token })).status).toBe(401);
    expect((await app.call(readingAppCalls.listPupilBooks, { token: kept.token })).status).toBe(200);

    const token = new URL(done.links?.spreadsheet ?? '').pathname.split('/').at(-1) as string;
    const { bytes } = await app.call(loginCardCalls.getFile, { params: { token }, ...teacher });
    const book = read(bytes, { type: 'buffer' });
    const rows = utils.sheet_to_json<Record<string, string>>(book.Sheets.Logins as never);
    expect(rows).toHaveLength(total);
    const inClass = rows.filter(({ Class }) => Class);
    expect(inClass.map(({ Name, Class, Username }) => [Name, Class, Username])).toEqual([
      [ada.name, 'Year 3 Wrens', ada.username],
      [zoe.name, 'Year 3 Wrens', zoe.username],
    ]);
    for (const row of inClass) expect(await logIn(row.Username ?? '', row.Password ?? '')).toBe(200);

    expect(app.mails).toHaveLength(1);
    const mail = app.mails[0] as (typeof app.mails)[number];
    expect(mail).toMatchObject({ recipient: school.teacher.email, subject: 'New Storylark logins are ready' });
    expect(mail.text).toContain(`/logins/${reply.reset.id}`);
    expect(mail.text).toContain(`${total} pupils`);
    for (const text of [mail.text, mail.html]) {
      for (const row of rows) expect(text).not.toContain(row.Password);
      expect(text).not.toContain(token.split('.')[0]);
      expect(text).not.toContain(ada.name);
    }
  });

  test('a reset of passwords happens once, however often its job runs', async () => {
    const { reply } = await reset(many);
    await app.runJobs();
    const first = (await status(reply.reset.id)).reply.reset.links;
    const { pupilPasswordResetJob } = await import('./password-resets.jobs.ts');
    await pupilPasswordResetJob(app.services).run({ schoolId: school.id, resetId: hashUuid(reply.reset.id) });
    await app.runJobs();
    expect((await status(reply.reset.id)).reply.reset.links).toEqual(first);
    expect(app.mails).toHaveLength(1);
  });

  test('a reset of passwords ends with the status none when no pupil is left', async () => {
    const { reply } = await reset(many);
    await app.database.kysely.deleteFrom('pupils').where('school_id', '=', school.id).where('id', 'in', many).execute();
    await app.runJobs();
    expect((await status(reply.reset.id)).reply.reset).toMatchObject({ status: 'none', links: null });
    expect(app.mails).toHaveLength(0);
  });

  test('a reset of passwords is visible only to the user who requested it, for a day', async () => {
    const { reply } = await reset(many);
    await app.runJobs();
    expect((await status(reply.reset.id, { token: school.admin.token })).status).toBe(404);
    const start = app.services.clock.now();
    app.setTime(new Date(start.getTime() + 86_400_000).toISOString());
    expect((await status(reply.reset.id)).reply.reset.links).toBe(null);
    await carryOutRetention(app.services);
    expect((await status(reply.reset.id)).status).toBe(404);
    expect(
      await app.database.kysely.selectFrom('login_sheets').select('id').where('school_id', '=', school.id).execute(),
    ).toEqual([]);
    app.setTime(start.toISOString());
  });

  test('a reset of more than 60 passwords answers 409 for pupils of other classes and 404 for those of other schools', async () => {
    const finn = school.otherClass.pupils[0] as { id: number; name: string };
    const ownPupil = school.ownClass.pupils[0] as { id: number };
    const reply = await reset([ownPupil.id, finn.id, ...many]);
    expect({ status: reply.status, text: reply.error.error }).toEqual({
      status: 409,
      text: `${finn.name} is in a class that you do not manage. Ask an administrator of your school.`,
    });
    const otherSchool = await app.build.school();
    expect((await reset([ownPupil.id, otherSchool.unplaced.id, ...many])).status).toBe(404);
    expect(await app.runJobs()).toBe(0);
    expect(
      await app.database.kysely.selectFrom('password_resets').select('id').where('school_id', '=', school.id).execute(),
    ).toEqual([]);
  });
});
