/** The calls of the specification about assigned books and charts, by their literal paths and fields. */
import type { Library } from '#contract/calls/books.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let ada: BuiltSchool['unplaced'];
let ofClass: string;
let ofPupil: string;

beforeEach(async () => {
  school = await app.build.school();
  ada = school.ownClass.pupils[0]!;
  ofClass = `/enterprises/${school.id}/groups/${school.ownClass.id}/books`;
  ofPupil = `/enterprises/${school.id}/readers/${ada.id}/books`;
});

/** Makes a call that must succeed, as the admin, and returns its reply. */
async function send(method: string, path: string, payload?: object): Promise<unknown> {
  const { status, reply, text } = await app.ask(method, path, {
    token: school.admin.token,
    ...(payload ? { payload } : {}),
  });
  expect({ path, status, text }).toMatchObject({ path, status: 200 });
  return reply;
}
const library = async (path: string) => (await send('GET', path)) as Library;
const assigned = async (path: string) =>
  (await library(path)).books
    .filter((book) => book.is_assigned)
    .map(({ id }) => id)
    .sort();

describe('the books of a class', () => {
  test('GET /enterprises/{id}/groups/{groupId}/books returns the books with meta.reader_name, null for a class', async () => {
    await app.build.assign(school, { classId: school.ownClass.id }, [101]);
    const { books, meta } = await library(ofClass);
    expect(books.find(({ id }) => id === 101)).toMatchObject({ is_assigned: true, assigned_via: 'group' });
    expect(books.find(({ id }) => id === 102)).toMatchObject({ is_assigned: false, assigned_via: null });
    expect(meta.reader_name).toBeNull();
  });

  test('POST /enterprises/{id}/groups/{groupId}/books/{bookId} assigns the book to the class', async () => {
    await send('POST', `${ofClass}/101`);
    expect(await assigned(ofClass)).toEqual([101]);
  });

  test('POST /enterprises/{id}/groups/{groupId}/books assigns the books of book_ids to the class', async () => {
    await send('POST', ofClass, { book_ids: [101, 102] });
    expect(await assigned(ofClass)).toEqual([101, 102]);
  });

  test('DELETE /enterprises/{id}/groups/{groupId}/books/{bookId} removes the book from the class', async () => {
    await app.build.assign(school, { classId: school.ownClass.id }, [101, 102]);
    await send('DELETE', `${ofClass}/101`);
    expect(await assigned(ofClass)).toEqual([102]);
  });

  test('POST /enterprises/{id}/groups/{groupId}/books/remove removes the books of book_ids from the class', async () => {
    await app.build.assign(school, { classId: school.ownClass.id }, [101, 102, 103]);
    await send('POST', `${ofClass}/remove`, { book_ids: [101, 103] });
    expect(await assigned(ofClass)).toEqual([102]);
  });
});

describe('the books of a pupil', () => {
  test('GET /enterprises/{id}/readers/{readerId}/books returns the books with the name of the pupil in meta.reader_name', async () => {
    await app.build.assign(school, { pupilId: ada.id }, [101]);
    const { books, meta } = await library(ofPupil);
    expect(books.find(({ id }) => id === 101)).toMatchObject({ is_assigned: true, assigned_via: 'reader' });
    expect(meta.reader_name).toBe('Ada Baker');
  });

  test('POST /enterprises/{id}/readers/{readerId}/books/{bookId} assigns the book to the pupil', async () => {
    await send('POST', `${ofPupil}/101`);
    expect([await assigned(ofPupil), await assigned(ofClass)]).toEqual([[101], []]);
  });

  test('POST /enterprises/{id}/readers/{readerId}/books assigns the books of book_ids to the pupil', async () => {
    await send('POST', ofPupil, { book_ids: [101, 102] });
    expect([await assigned(ofPupil), await assigned(ofClass)]).toEqual([[101, 102], []]);
  });

  test('DELETE /enterprises/{id}/readers/{readerId}/books/{bookId} removes the book from the pupil', async () => {
    await app.build.assign(school, { pupilId: ada.id }, [101, 102]);
    await send('DELETE', `${ofPupil}/101`);
    expect(await assigned(ofPupil)).toEqual([102]);
  });

  test('POST /enterprises/{id}/readers/{readerId}/books/remove removes the books of book_ids from the pupil', async () => {
    await app.build.assign(school, { pupilId: ada.id }, [101, 102, 103]);
    await send('POST', `${ofPupil}/remove`, { book_ids: [101, 103] });
    expect(await assigned(ofPupil)).toEqual([102]);
  });
});

describe('GET /charts', () => {
  const range = 'start_date=2026-11-16T00:00:00.000Z&end_date=2026-11-17T23:59:59.000Z';
  interface ChartReply {
    chart: {
      labels: string[];
      series: { name: string; data: (number | null)[] }[];
      average: number;
      total: number | null;
    };
  }
  /** The chart of the class, in which Ada has read 120 s on level 1 with 54 of 60 words correct, and completed the book. */
  const chart = async (name: string, whose = `group_id=${school.ownClass.id}`) =>
    ((await send('GET', `/charts?${whose}&name=${name}&${range}`)) as ChartReply).chart;
  const totals = ({ series, labels, average, total }: ChartReply['chart']) => ({
    labels,
    series: series.map(({ name }) => name),
    data: series.at(-1)?.data,
    average,
    total,
  });

  beforeEach(async () => {
    await app.build.reading(school, ada.id, [
      {
        book_id: 101,
        started_at: '2026-11-16T10:00:00.000Z',
        reading_time: 120,
        last_page: 9,
        has_completed_book: true,
      },
    ]);
  });

  test('GET /charts takes group_id or reader_id, start_date, end_date and output', async () => {
    const name = 'readers_reading_time_by_reading_level';
    expect((await chart(name, `reader_id=${ada.id}`)).labels).toEqual(['Ada Baker']);
    expect((await chart(name, `group_id=${school.otherClass.id}`)).labels).toEqual(["Finn O'Hara"]);
    const path = `/charts?group_id=${school.ownClass.id}&name=${name}&${range}&output=csv`;
    const { status, headers } = await app.ask('GET', path, { token: school.admin.token });
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/csv; charset=utf-8' });
  });

  test('GET /charts has the chart group_accuracy_by_reading_level_over_time with percentages', async () => {
    expect(totals(await chart('group_accuracy_by_reading_level_over_time'))).toEqual({
      labels: ['2026-11-16', '2026-11-17'],
      series: ['Level 1', 'Total'],
      data: [90, null],
      average: 90,
      total: null,
    });
  });

  test('GET /charts has the chart group_reading_time_by_reading_level_over_time with seconds', async () => {
    expect(totals(await chart('group_reading_time_by_reading_level_over_time'))).toEqual({
      labels: ['2026-11-16', '2026-11-17'],
      series: ['Level 1', 'Total'],
      data: [120, 0],
      average: 60,
      total: 120,
    });
  });

  test('GET /charts has the chart readers_accuracy_by_reading_level with percentages', async () => {
    expect(totals(await chart('readers_accuracy_by_reading_level'))).toEqual({
      labels: ['Ada Baker', 'Zoë Łukasik'],
      series: ['Level 1', 'Total'],
      data: [90, null],
      average: 90,
      total: null,
    });
  });

  test('GET /charts has the chart readers_read_books_by_reading_level with numbers of books', async () => {
    expect(totals(await chart('readers_read_books_by_reading_level'))).toEqual({
      labels: ['Ada Baker', 'Zoë Łukasik'],
      series: ['Level 1', 'Total'],
      data: [1, 0],
      average: 0.5,
      total: 1,
    });
  });

  test('GET /charts has the chart readers_reading_time_by_reading_level with seconds', async () => {
    expect(totals(await chart('readers_reading_time_by_reading_level'))).toEqual({
      labels: ['Ada Baker', 'Zoë Łukasik'],
      series: ['Level 1', 'Total'],
      data: [120, 0],
      average: 60,
      total: 120,
    });
  });
});
