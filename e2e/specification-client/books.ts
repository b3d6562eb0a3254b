import { randomUUID } from 'node:crypto';
import { read, utils } from '@e965/xlsx';
import { expect } from '../portal.ts';
import { calls } from './calls.ts';
import type { Pupils } from './classes.ts';
import type { Journey } from './journey.ts';
import type { School } from './registration.ts';

const CHARTS = calls['GET charts'].sends.shape.name.options;
const RANGE = { start_date: '2018-01-01T00:00:00.000Z', end_date: new Date().toISOString() };

/** Assigns and removes books one by one and together. Returns the book that stays assigned to the class. */
export async function assignBooks(journey: Journey, { id, admin }: School, { group, ids }: Pupils): Promise<number> {
  const amara = ids.get('Amara Bell') ?? 0;
  const listClass = async () =>
    (await admin.call('GET enterprises/{schoolId}/groups/{groupId}/books', [id, group])).books;
  const listPupil = async () =>
    (await admin.call('GET enterprises/{schoolId}/readers/{pupilId}/books', [id, amara])).books;

  return journey.step('Assign and remove books for a class and a pupil', async () => {
    const [first, second, third] = (await listClass()).map((book) => book.id) as [number, number, number];
    const book_ids = [second, third];
    const listAssigned = async () => (await listClass()).filter((book) => book.is_assigned).map((book) => book.id);
    await admin.call('POST enterprises/{schoolId}/groups/{groupId}/books/{bookId}', [id, group, first]);
    await admin.call('POST enterprises/{schoolId}/groups/{groupId}/books', [id, group], { book_ids });
    expect((await listAssigned()).sort()).toEqual([first, second, third].sort());
    await admin.call('DELETE enterprises/{schoolId}/groups/{groupId}/books/{bookId}', [id, group, second]);
    await admin.call('POST enterprises/{schoolId}/groups/{groupId}/books/remove', [id, group], { book_ids });
    expect(await listAssigned()).toEqual([first]);

    const describeAssigned = async () =>
      (await listPupil())
        .filter((book) => book.is_assigned)
        .map((book) => `${book.id} ${book.assigned_via} ${book.is_assigned_via_group} ${book.is_assigned_to_reader}`);
    await admin.call('POST enterprises/{schoolId}/readers/{pupilId}/books/{bookId}', [id, amara, second]);
    await admin.call('POST enterprises/{schoolId}/readers/{pupilId}/books', [id, amara], { book_ids });
    await admin.call('DELETE enterprises/{schoolId}/readers/{pupilId}/books/{bookId}', [id, amara, second]);
    expect((await describeAssigned()).sort()).toEqual(
      [`${first} group true false`, `${third} reader false true`].sort(),
    );
    await admin.call('POST enterprises/{schoolId}/readers/{pupilId}/books/remove', [id, amara], { book_ids });
    expect(await describeAssigned()).toEqual([`${first} group true false`]);
    const { meta } = await admin.call('GET enterprises/{schoolId}/readers/{pupilId}/books', [id, amara]);
    expect(meta.reader_name).toBe('Amara Bell');
    return first;
  });
}

/** Opens the links of new pupils, and returns a pupil's row of the spreadsheet by its headers. */
export async function openLinks(journey: Journey, { admin }: School, { links }: Pupils): Promise<Map<string, string>> {
  return journey.step('Open the links Logins and Spreadsheet', async () => {
    const described = journey.outside('linkNames').replySchema('POST', '/v1/enterprises/{id}/readers', 'links');
    const findLink = (title: string): string => {
      const name = Object.keys(described.properties ?? {}).find((field) => field.toLowerCase() === title.toLowerCase());
      const url = links[name ?? ''];
      if (!url) throw journey.createError(`the reply has no link ${title}.`);
      return url;
    };
    expect((await admin.openUrl(findLink('Logins'))).status, 'a link without a session').toBe(401);
    journey.outside('linksNeedToken').findOperation('Logins', /^Login cards as a PDF/);
    const cards = await admin.openUrl(findLink('Logins'), { withSession: true });
    expect(cards.headers.get('content-type')).toBe('application/pdf');
    const sheet = await admin.openUrl(findLink('Spreadsheet'), { withSession: true });
    expect(sheet.status).toBe(200);
    const { Sheets, SheetNames } = read(Buffer.from(await sheet.arrayBuffer()));
    const rows = utils.sheet_to_json<Record<string, string>>(Sheets[SheetNames[0] ?? '']!);
    const amara = rows.find((row) => Object.values(row).includes('Amara Bell')) ?? {};
    return new Map(Object.entries(amara).map(([header, value]) => [header.toLowerCase(), value]));
  });
}

/** A pupil reads in the reading app. */
export async function readBook(journey: Journey, login: Map<string, string>, book: number): Promise<void> {
  await journey.step('A pupil reads a book', async () => {
    const reading = journey.outside('readingIntake');
    const app = journey.client();
    const credentials = { username: login.get('username'), password: login.get('password') };
    const { meta } = await app.callDocumented(
      reading.findOperation('Reading app', /^Log a pupil in$/),
      [],
      credentials,
    );
    app.useToken((meta as { token: string }).token);
    const { books } = await app.callDocumented(reading.findOperation('Reading app', /^The books assigned/), []);
    const [assigned, ...others] = books as { id: number; pages_count: number }[];
    expect([assigned?.id, others]).toEqual([book, []]);
    const submit = reading.findOperation('Reading app', /^Submit reading sessions$/);
    const [example] = (submit.example as { sessions: object[] }).sessions;
    const started_at = new Date(Date.now() - 600_000).toISOString();
    const session = {
      ...example,
      id: randomUUID(),
      book_id: book,
      started_at,
      last_page: assigned?.pages_count,
      has_completed_book: true,
    };
    const reply = await app.callDocumented(submit, [], { sessions: [session] });
    expect(reply).toMatchObject({ accepted: 1, rejected: [] });
  });
}

/** Reads the dashboard, the pupil's page and the page of a pupil's book. */
export async function followReading(journey: Journey, school: School, pupils: Pupils, book: number): Promise<void> {
  const { id, admin } = school;
  const amara = pupils.ids.get('Amara Bell') ?? 0;

  await journey.step('Follow the reading of a pupil', async () => {
    const summarize = () =>
      admin.call('GET enterprises/{schoolId}/readers/{id}/summary', [id, amara], {
        start_time: RANGE.start_date,
        end_time: new Date().toISOString(),
      });
    await expect.poll(async () => (await summarize()).books_completed).toBe(1);
    const { reading_sessions, books_in_progress, books_not_started } = await summarize();
    expect([books_in_progress, books_not_started]).toEqual([0, 0]);
    expect(reading_sessions.map(({ book_id, has_completed_book }) => [book_id, has_completed_book])).toEqual([
      [book, true],
    ]);
    const pathValues = [id, amara, book];
    const reply = await admin.call('GET enterprises/{schoolId}/readers/{id}/books/{bookId}/summary', pathValues);
    expect(reply.book).toMatchObject({ id: book, is_assigned_via_group: true });
    expect(reply.reading_sessions.map(({ played_words }) => played_words)).toEqual([['lantern']]);
    const { enterprise } = await admin.call('GET enterprises/{id}', [id]);
    expect(enterprise.setup).toMatchObject({ has_setup_assigned_books: true, has_chart_data: true });
  });

  await journey.step('Read the five charts', async () => {
    for (const name of CHARTS) {
      const byClass = { group_id: pupils.group, name, ...RANGE };
      const { chart } = await admin.call('GET charts', [], byClass);
      expect(chart.labels.length, `labels of ${name}`).toBeGreaterThan(0);
      expect(chart.series.length, `series of ${name}`).toBeGreaterThan(0);
      await admin.call('GET charts', [], { reader_id: amara, name, ...RANGE });
    }
    const outputs = journey.outside('chartOutput').valuesOf('GET', '/v1/charts', 'output');
    expect(outputs).toContain('csv');
    const query = new URLSearchParams({ group_id: String(pupils.group), name: CHARTS[0]!, ...RANGE, output: 'csv' });
    const table = await admin.openUrl(`${journey.portal.url}/v1/charts?${query}`, { withSession: true });
    expect(table.headers.get('content-type')).toContain('text/csv');
  });
}
