import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { extractText, getDocumentProxy } from '../../../testing/read-pdf.ts';

const app = testApp({ READER_APP_URL: 'https://read.example/start?lang=en', READER_APP_NAME: 'Pages' });
let school: BuiltSchool;
let teacher: { token: string };

beforeEach(async () => {
  school = await app.build.school();
  teacher = { token: school.teacher.token };
  app.mails.length = 0;
});

const reset = (pupilIds: number[], who = teacher) =>
  app.call(loginCardCalls.resetPasswords, { params: { id: school.id }, body: { reader_ids: pupilIds }, ...who });
const show = (resetId: string, who = teacher) =>
  app.call(loginCardCalls.listNewLogins, { params: { id: school.id, resetId }, ...who });
const logIn = async (username: string, password: string) =>
  (await app.call(readingAppCalls.logInPupil, { body: { username, password } })).status;

test('a reset replies with the new login cards: old passwords end, new ones work and the link is emailed', async () => {
  const [ada, zoe] = school.ownClass.pupils as [BuiltSchool['unplaced'], BuiltSchool['unplaced']];
  const { reply } = await reset([zoe.id, ada.id]);
  expect(reply.reset).toMatchObject({ status: 'complete', total: 2 });
  expect(await logIn(ada.username, PASSWORD)).toBe(401);
  expect((await app.call(readingAppCalls.listPupilBooks, { token: ada.token })).status).toBe(401);

  const shown = (await show(reply.reset.id)).reply;
  expect(shown.logins.map(({ name, class: className, username }) => [name, className, username])).toEqual([
    [ada.name, 'Year 3 Wrens', ada.username],
    [zoe.name, 'Year 3 Wrens', zoe.username],
  ]);
  for (const { username, password, code } of shown.logins) {
    expect(await logIn(username, password)).toBe(200);
    expect(code?.path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/);
  }
  expect(shown.instruction).toBe('Log in to Pages at read.example/start?lang=en');
  await app.runJobs();
  expect(app.mails.map(({ recipient, subject }) => [recipient, subject])).toEqual([
    [school.teacher.email, 'New Storylark logins are ready'],
  ]);
  expect(app.mails[0]?.text).toContain(`/logins/${reply.reset.id}`);
  expect((await show(reply.reset.id)).reply).toEqual(shown);
  const log = await app.call(schoolCalls.listAuditLog, { params: { id: school.id }, token: school.admin.token });
  expect(log.reply.entries.map(({ action }) => action)).toEqual(['logins_shown', 'logins_shown', 'passwords_reset']);
});

test('the logins of new pupils can be shown to the user who created them, for a day', async () => {
  const call = {
    params: { id: school.id },
    body: { readers: [{ name: 'Zadie New' }, { name: 'Amara New' }] },
    ...teacher,
  };
  const { links } = (await app.call(pupilImportCalls.createPupils, call)).reply;
  const token = links?.logins.split('/').at(-1)?.replace('.pdf', '') ?? '';
  const shown = (who = teacher) =>
    app.call(loginCardCalls.showCreatedLogins, { params: { id: school.id }, body: { token }, ...who });
  const { logins } = (await shown()).reply;
  expect(logins.map(({ name }) => name)).toEqual(['Amara New', 'Zadie New']);
  for (const { username, password } of logins) expect(await logIn(username, password)).toBe(200);
  expect((await shown({ token: school.admin.token })).status).toBe(404);
  app.setTime('2026-11-19T12:00:00.000Z');
  expect((await shown()).status).toBe(404);
  app.setTime('2026-11-18T12:00:00.000Z');
});

test('only the user who reset the passwords can open the cards again, for a day', async () => {
  const { reply } = await reset([school.unplaced.id]);
  const first = await show(reply.reset.id);
  expect(first.reply.logins).toHaveLength(1);
  expect((await show(reply.reset.id)).reply).toEqual(first.reply);
  expect((await show(reply.reset.id, { token: school.admin.token })).status).toBe(404);
  expect((await show('00000000-0000-4000-8000-000000000000')).status).toBe(404);
  app.setTime('2026-11-19T12:00:00.000Z');
  expect((await show(reply.reset.id)).status).toBe(404);
  app.setTime('2026-11-18T12:00:00.000Z');
});

test('a teacher cannot reset the passwords of pupils of other classes or schools, or of a selection with one of them', async () => {
  const finn = school.otherClass.pupils[0] as BuiltSchool['unplaced'];
  const ada = school.ownClass.pupils[0] as BuiltSchool['unplaced'];
  expect((await reset([ada.id, finn.id])).status).toBe(409);
  const otherSchool = await app.build.school();
  expect((await reset([ada.id, otherSchool.unplaced.id])).status).toBe(404);
  expect(await logIn(ada.username, PASSWORD)).toBe(200);
});

test('cards are printed in pocket size, ten to a page, and for pegs, four to a page', async () => {
  const pupils = await app.build.pupils(
    school,
    school.ownClass.id,
    Array.from({ length: 9 }, (_, index) => `Wren ${'ABCDEFGHI'[index]}lder`),
  );
  const { reply } = await reset(pupils.map(({ id }) => id));
  const token = new URL(reply.reset.links?.logins ?? '').pathname.split('/').at(-1) as string;
  const { logins } = (await show(reply.reset.id)).reply;
  for (const [size, name, pages] of [
    ['pocket', 'login-cards.pdf', 1],
    ['peg', 'peg-cards.pdf', 3],
  ] as const) {
    const { bytes, headers } = await app.call(loginCardCalls.getFile, {
      params: { token },
      query: { size },
      ...teacher,
    });
    expect(headers['content-disposition']).toContain(name);
    const pdf = await extractText(await getDocumentProxy(new Uint8Array(bytes)));
    expect(pdf.totalPages).toBe(pages);
    const text = pdf.text.join(' ').replaceAll(/\s+/g, ' ');
    for (const login of logins)
      for (const part of [login.name, login.username, login.password]) expect(text).toContain(part);
    expect(text).toContain('Log in to Pages at read.example');
  }
});
