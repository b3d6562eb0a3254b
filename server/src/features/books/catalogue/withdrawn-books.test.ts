import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bookCalls } from '#contract/calls/books.ts';
import { inPlatform } from '../../../database/platform.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { type Catalogue, replaceCatalogue } from './catalogue.queries.ts';
import { readCatalogue } from './catalogue.service.ts';

const app = testApp();
let school: BuiltSchool;
beforeEach(async () => void (school = await app.build.school()));

const listAssignedIds = async () => {
  const params = { id: school.id, groupId: school.ownClass.id };
  const { reply } = await app.call(bookCalls.listClassBooks, { params, token: school.admin.token });
  return reply.books.filter(({ is_assigned }) => is_assigned).map(({ id }) => id);
};

describe('withdrawn books', () => {
  const catalogue = readCatalogue();
  const load = (loaded: Catalogue) =>
    inPlatform(app.database, (db) => replaceCatalogue(db, loaded, 'test', app.services.clock.now()));
  const withoutBook = (bookId: number) => ({ ...catalogue, books: catalogue.books.filter(({ id }) => id !== bookId) });
  const assignments = async () => {
    const rows = async (table: 'class_books' | 'pupil_books') =>
      (await app.database.kysely.selectFrom(table).select('book_id').where('school_id', '=', school.id).execute())
        .map(({ book_id }) => book_id)
        .sort();
    return [await rows('class_books'), await rows('pupil_books')];
  };
  beforeEach(async () => {
    await app.build.assign(school, { classId: school.ownClass.id }, [101, 102]);
    await app.build.assign(school, { pupilId: school.ownClass.pupils[0]?.id ?? 0 }, [101, 102]);
  });
  afterEach(async () => {
    await load(catalogue);
    await app.runJobs();
  });

  test('a book that the content folder no longer has leaves the library, and a job deletes its assignments', async () => {
    await load(withoutBook(101));
    expect(await assignments()).toEqual([
      [101, 102],
      [101, 102],
    ]);
    expect(await listAssignedIds()).toEqual([102]);
    await app.runJobs();
    expect(await assignments()).toEqual([[102], [102]]);
  });

  test('a withdrawn book that returns before the job runs keeps its assignments', async () => {
    await load(withoutBook(101));
    await load(catalogue);
    await app.runJobs();
    expect(await assignments()).toEqual([
      [101, 102],
      [101, 102],
    ]);
  });
});
