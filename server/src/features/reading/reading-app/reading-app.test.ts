import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
beforeAll(async () => {
  school = await app.build.school();
});

const tryLogin = (username: string, password = PASSWORD) =>
  app.call(readingAppCalls.logInPupil, { body: { username, password } });
const newPupil = async (classId: number | null = school.ownClass.id) =>
  (await app.build.pupils(school, classId, ['Robin Reader']))[0] ?? school.unplaced;

describe("a pupil's login", () => {
  test('a pupil’s login returns the pupil and a token for the reading calls', async () => {
    const pupil = await newPupil();
    const { status, reply } = await tryLogin(pupil.username);
    expect(status).toBe(200);
    expect(reply).toEqual({
      reader: { id: pupil.id, name: pupil.name, username: pupil.username },
      recording_enabled: false,
      meta: { token: expect.stringMatching(/^[\w-]{22,}$/) },
    });
    expect((await app.call(readingAppCalls.listPupilBooks, { token: reply.meta.token })).status).toBe(200);
    expect((await app.ask('GET', '/users/me', { token: reply.meta.token })).status).toBe(401);
  });

  test('a pupil’s login returns whether the school allows recordings', async () => {
    const built = await app.build.school();
    await app.database.kysely
      .updateTable('schools')
      .set({ can_enable_recordings: true })
      .where('id', '=', built.id)
      .execute();
    const username = built.unplaced.username;
    for (const recording_enabled of [true, false]) {
      const at = { token: built.admin.token, params: { id: built.id } };
      expect((await app.call(schoolDetailsCalls.updateSchool, { ...at, body: { recording_enabled } })).status).toBe(
        200,
      );
      expect((await tryLogin(username)).reply.recording_enabled).toBe(recording_enabled);
    }
  });

  test('a pupil’s login accepts the username in any case, with surrounding spaces', async () => {
    const pupil = await newPupil();
    expect((await tryLogin(` ${pupil.username.toUpperCase()} `)).reply.reader.id).toBe(pupil.id);
  });

  test('a pupil’s login returns the same error for a wrong password and an unknown username', async () => {
    const pupil = await newPupil();
    const wrong = await tryLogin(pupil.username, 'reading-2');
    expect({ status: wrong.status, type: wrong.error.error_type }).toEqual({ status: 401, type: 'authentication' });
    expect(wrong.error.error).not.toBe('Unauthorised');
    for (const unknown of ['missing-1', '%', `${pupil.username}%`, 'a\u0001b']) {
      const { status, error } = await tryLogin(unknown);
      expect({ status, error }).toEqual({ status: 401, error: wrong.error });
    }
  });

  test('a pupil’s login with a character that text cannot contain is not a server error', async () => {
    expect((await tryLogin('a\u0000b')).status).toBe(422);
    expect((await tryLogin('\uD800')).status).toBe(401);
  });

  test.each([
    [{}, ['username', 'password']],
    [{ username: '  ', password: 'x' }, ['username']],
    [{ username: 'x'.repeat(192), password: 'x' }, ['username']],
  ])('a pupil’s login with %j is 422', async (payload, fields) => {
    const { status, error } = await app.ask('POST', '/reader/auth', { payload });
    expect({ status, fields: Object.keys(error.errors ?? {}) }).toEqual({ status: 422, fields });
  });

  test('pupils’ and staff logins are separate, in both directions', async () => {
    const pupil = await newPupil();
    expect((await tryLogin(school.admin.email)).status).toBe(401);
    expect(
      (await app.ask('POST', '/auth', { payload: { email: `${pupil.username}@test.example`, password: PASSWORD } }))
        .status,
    ).toBe(401);
  });
});

describe('books of a pupil', () => {
  const books = async (token: string) => (await app.call(readingAppCalls.listPupilBooks, { token })).reply.books;

  test('the reading app gets the books of the class and of the pupil, each once, by level and title', async () => {
    const pupil = await newPupil(school.otherClass.id);
    await app.build.assign(school, { classId: school.otherClass.id }, [205, 101]);
    await app.build.assign(school, { pupilId: pupil.id }, [101, 103]);
    const found = await books(pupil.token);
    expect(found.map(({ id, assigned_via }) => [id, assigned_via])).toEqual([
      [101, 'group'],
      [103, 'reader'],
      [205, 'group'],
    ]);
    const [first] = found;
    expect(first).toMatchObject({ title: 'The Wet Pup', reading_level: 1, collection_key: 'edubrisk', pages_count: 9 });
    const pages = await app.database.kysely
      .selectFrom('book_pages')
      .select('text')
      .where('book_id', '=', 101)
      .orderBy('page')
      .execute();
    expect(first?.pages).toEqual(pages.map(({ text }) => text));
    expect(first?.pages).toHaveLength(9);
  });

  test('the books of a pupil follow them to another class', async () => {
    const classId = await app.build.newClass(school, 'Year 1 Robins');
    await app.build.assign(school, { classId }, [107]);
    const pupil = await newPupil(null);
    expect(await books(pupil.token)).toEqual([]);
    await app.build.move(school, pupil.id, classId);
    expect((await books(pupil.token)).map(({ id }) => id)).toEqual([107]);
    await app.build.move(school, pupil.id, null);
    expect(await books(pupil.token)).toEqual([]);
  });

  test("the books of a pupil exclude a classmate's own books", async () => {
    const [pupil, mate] = [await newPupil(null), await newPupil(null)];
    await app.build.assign(school, { pupilId: mate.id }, [108]);
    expect(await books(pupil.token)).toEqual([]);
    expect((await books(mate.token)).map(({ id }) => id)).toEqual([108]);
  });
});
