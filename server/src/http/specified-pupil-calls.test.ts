/** The calls of the specification about pupils and their reading, by their literal paths and fields. */
import type { ReplyOf } from '#contract/call.ts';
import type { classCalls } from '#contract/calls/classes.ts';
import type { pupilCalls } from '#contract/calls/pupils.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let pupils: string;
let ownClass: string;
let otherClass: string;
let ada: BuiltSchool['unplaced'];

beforeEach(async () => {
  school = await app.build.school();
  pupils = `/enterprises/${school.id}/readers`;
  ownClass = `/enterprises/${school.id}/groups/${school.ownClass.id}`;
  otherClass = `/enterprises/${school.id}/groups/${school.otherClass.id}`;
  ada = school.ownClass.pupils[0]!;
});

/** Makes a call that must succeed, as the admin, and returns its reply. */
async function send(
  method: string,
  path: string,
  payload?: object,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const { token } = school.admin;
  const { status, reply, text } = await app.ask(method, path, { token, headers, ...(payload ? { payload } : {}) });
  expect({ path, status, text }).toMatchObject({ path, status: 200 });
  return reply;
}
const namesAt = async (path: string) =>
  ((await send('GET', path)) as ReplyOf<typeof pupilCalls.listPupils>).readers.map(({ name }) => name);
const namesIn = async (path: string) =>
  ((await send('GET', path)) as ReplyOf<typeof classCalls.getClass>).group.readers.map(({ name }) => name);

/** Sends a list of pupils as a file. */
async function sendFile(path: string) {
  const form = new FormData();
  form.append('readers_file', new Blob(['Name\nTom Price\n']), 'pupils.csv');
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return send('POST', path, Buffer.from(await encoded.arrayBuffer()), headers);
}
const LINKS = { links: { logins: expect.stringMatching(/\.pdf$/), spreadsheet: expect.stringMatching(/\.xlsx$/) } };

describe('lists of pupils', () => {
  test('GET /enterprises/{id}/readers with search[value] and length finds up to that number of pupils', async () => {
    await app.build.pupils(
      school,
      null,
      Array.from({ length: 51 }, () => 'Robin Reed'),
    );
    expect(await namesAt(`${pupils}?search[value]=ada&length=50`)).toEqual(['Ada Baker']);
    expect(await namesAt(`${pupils}?search[value]=robin&length=50`)).toHaveLength(50);
  });

  test('GET /enterprises/{id}/readers takes the specified parameters and returns meta.total_filtered', async () => {
    const list = (query: string) => send('GET', `${pupils}?is_ajax=1&${query}`);
    const sorted = 'page=1&per_page=10&sort[name]=desc';
    expect(await list(`${sorted}&search=&groups=`)).toMatchObject({
      readers: [{ name: 'Zoë Łukasik' }, { name: 'Mina Rahman' }, { name: "Finn O'Hara" }, { name: 'Ada Baker' }],
      meta: { total_filtered: 4 },
    });
    expect(await list(`${sorted}&search=ada&groups=${school.ownClass.id}`)).toMatchObject({
      readers: [{ name: 'Ada Baker' }],
      meta: { total_filtered: 1 },
    });
    expect(await list('page=2&per_page=10&search=&groups=')).toMatchObject({
      readers: [],
      meta: { total_filtered: 4 },
    });
  });
});

describe('adding pupils', () => {
  test('POST /enterprises/{id}/readers creates the named pupils and returns links to their logins', async () => {
    expect(await send('POST', pupils, { readers: [{ name: 'Amara Bell' }, { name: 'Tom Price' }] })).toMatchObject(
      LINKS,
    );
    expect(await namesAt(`${pupils}?groups=none`)).toEqual(['Amara Bell', 'Mina Rahman', 'Tom Price']);
  });

  test('POST /enterprises/{id}/readers takes a file as readers_file', async () => {
    expect(await sendFile(pupils)).toMatchObject(LINKS);
    expect(await namesAt(`${pupils}?groups=none`)).toEqual(['Mina Rahman', 'Tom Price']);
  });

  test('POST /enterprises/{id}/groups/{groupId}/readers adds existing and new pupils to the class, and returns links', async () => {
    const payload = { readers: { existing: [school.unplaced.id], new: [{ name: 'Amara Bell' }] } };
    expect(await send('POST', `${ownClass}/readers`, payload)).toMatchObject(LINKS);
    expect(await namesIn(ownClass)).toEqual(['Ada Baker', 'Amara Bell', 'Mina Rahman', 'Zoë Łukasik']);
  });

  test('POST /enterprises/{id}/groups/{groupId}/readers takes a file as readers_file', async () => {
    expect(await sendFile(`${ownClass}/readers`)).toMatchObject(LINKS);
    expect(await namesIn(ownClass)).toEqual(['Ada Baker', 'Tom Price', 'Zoë Łukasik']);
  });
});

describe('pupils in classes', () => {
  test('POST /enterprises/{id}/groups/{groupId}/readers/move moves the pupils of reader_ids from the class source', async () => {
    await send('POST', `${otherClass}/readers/move`, { reader_ids: [ada.id], source: school.ownClass.id });
    expect(await namesIn(ownClass)).toEqual(['Zoë Łukasik']);
    expect(await namesIn(otherClass)).toEqual(['Ada Baker', "Finn O'Hara"]);
  });

  test('DELETE /enterprises/{id}/groups/{groupId}/readers/{pupilId} removes the pupil from the class, not from the school', async () => {
    await send('DELETE', `${ownClass}/readers/${ada.id}`);
    expect(await namesIn(ownClass)).toEqual(['Zoë Łukasik']);
    expect(await namesAt(`${pupils}?groups=none`)).toEqual(['Ada Baker', 'Mina Rahman']);
  });
});

describe('one pupil', () => {
  test('GET /enterprises/{id}/readers/{readerId} returns the pupil with name and can_update', async () => {
    expect(await send('GET', `${pupils}/${ada.id}`)).toMatchObject({ reader: { name: 'Ada Baker', can_update: true } });
  });

  test('POST /enterprises/{id}/readers/{readerId} with name renames the pupil', async () => {
    await send('POST', `${pupils}/${ada.id}`, { name: 'Ada Stone' });
    expect(await send('GET', `${pupils}/${ada.id}`)).toMatchObject({ reader: { name: 'Ada Stone' } });
  });

  test('DELETE /readers/{readerId} takes the pupil out of all lists', async () => {
    await send('DELETE', `/readers/${ada.id}`);
    expect(await namesIn(ownClass)).toEqual(['Zoë Łukasik']);
    expect(await namesAt(pupils)).toEqual(["Finn O'Hara", 'Mina Rahman', 'Zoë Łukasik']);
  });

  test('POST /enterprises/{id}/readers/password/reset ends the passwords of the pupils of reader_ids', async () => {
    const logIn = async () =>
      (await app.ask('POST', '/reader/auth', { payload: { username: ada.username, password: PASSWORD } })).status;
    expect(await logIn()).toBe(200);
    await send('POST', `${pupils}/password/reset`, { reader_ids: [ada.id] });
    expect(await logIn()).toBe(401);
  });
});

describe('reading', () => {
  beforeEach(async () => {
    await app.build.reading(school, ada.id, [
      { book_id: 101, started_at: '2026-11-02T10:00:00.000Z', reading_time: 100 },
      { book_id: 102, started_at: '2026-11-16T10:00:00.000Z', reading_time: 120 },
    ]);
  });

  test('GET /enterprises/{id}/readers/{readerId}/summary returns the reading from start_time to end_time', async () => {
    const range = 'start_time=2026-11-10T00:00:00.000Z&end_time=2026-11-17T00:00:00.000Z';
    expect(await send('GET', `${pupils}/${ada.id}/summary?${range}`)).toEqual({
      total_reading_time: 120,
      average_reading_time: 120,
      books_completed: 0,
      books_in_progress: 1,
      books_not_started: 0,
      reading_sessions: [expect.objectContaining({ book_id: 102, date: '2026-11-16T10:00:00.000Z' })],
    });
    expect(await send('GET', `${pupils}/${ada.id}/summary`)).toMatchObject({ total_reading_time: 220 });
  });

  test('GET /enterprises/{id}/readers/{readerId}/books/{bookId}/summary returns the book and its sessions', async () => {
    expect(await send('GET', `${pupils}/${ada.id}/books/101/summary`)).toMatchObject({
      book: { id: 101, title: expect.any(String) },
      reading_sessions: [{ book_id: 101, reading_time: 100 }],
    });
  });
});
