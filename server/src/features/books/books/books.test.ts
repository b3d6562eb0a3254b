import { bookCalls, type Library } from '#contract/calls/books.ts';
import { classMembershipCalls } from '#contract/calls/class-membership.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import type { QueryInputOf } from '#contract/call.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { inPlatform } from '../../../database/platform.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { arrangeLibrary } from '../catalogue/catalogue.public.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };
let teacher: { token: string };
let ada: { id: number; name: string; token: string };

beforeEach(async () => {
  school = await app.build.school();
  admin = { token: school.admin.token };
  teacher = { token: school.teacher.token };
  ada = school.ownClass.pupils[0] as typeof ada;
});

type Query = QueryInputOf<typeof bookCalls.listClassBooks>;
const ofClass = (classId = school.ownClass.id) => ({ id: school.id, groupId: classId });
const ofPupil = (pupilId = ada.id) => ({ id: school.id, readerId: pupilId });
const classLibrary = async (query: Query = {}, classId?: number) =>
  (await app.call(bookCalls.listClassBooks, { params: ofClass(classId), query, ...admin })).reply;
const pupilLibrary = async (query: Query = {}, pupilId?: number) =>
  (await app.call(bookCalls.listBooksForPupil, { params: ofPupil(pupilId), query, ...admin })).reply;
const titles = ({ books }: { books: { title: string }[] }) => books.map(({ title }) => title);
const assignedIds = ({ books }: { books: { id: number; is_assigned: boolean }[] }) =>
  books.filter(({ is_assigned }) => is_assigned).map(({ id }) => id);
async function addBook(id: number, title: string, more: { withdrawn_at?: Date; reading_level?: number } = {}) {
  await app.database.kysely
    .insertInto('books')
    .values({
      id,
      title,
      title_key: title.toLowerCase(),
      description: 'A book of this test.',
      collection_key: 'default',
      reading_level: 6,
      pages_count: 0,
      library_position: 0,
      ...more,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await inPlatform(app.database, arrangeLibrary);
}

describe('the library', () => {
  test('the library lists every book by collection, level and title, with everything that a card shows', async () => {
    const { books, meta } = await classLibrary();
    expect(meta).toMatchObject({ reader_name: null, group: { name: 'Year 3 Wrens' }, can_assign: true });
    expect(meta.collections.map(({ key, title }) => [key, title])).toEqual([
      ['edubrisk', 'EduBrisk Titles'],
      ['fonetti-premium', 'Fonetti Titles'],
      ['poems-and-pictures-ltd', 'Poems and stories by Christina Gabbitas'],
      ['martin-roberts-the-villes', 'The Villes by Martin Roberts'],
      ['various-single-purchases', 'Various Authors'],
      ['cornerstones', 'Cornerstones'],
      ['default', 'Additional Titles'],
    ]);
    expect(meta.collections.flatMap(({ key, books_count }) => Array<string>(books_count).fill(key))).toEqual(
      books.map(({ collection_key }) => collection_key),
    );
    expect(books).toHaveLength(meta.total);
    expect(books[0]).toEqual({
      id: 102,
      title: 'Meg Can Fix It',
      description: expect.stringContaining('Meg and her gran'),
      cover_image: expect.stringMatching(/^\/content\/covers\/102\?v=[0-9a-f]{16}$/),
      preview: expect.stringMatching(/^\/content\/previews\/102\.pdf\?v=[0-9a-f]{16}$/),
      reading_level: 1,
      collection_key: 'edubrisk',
      tags: [
        { id: expect.any(Number), text: 'Family' },
        { id: expect.any(Number), text: 'Phonics' },
      ],
      pages_count: 9,
      is_assigned: false,
      is_assigned_via_group: false,
      is_assigned_to_reader: false,
      assigned_via: null,
    });
    const edubrisk = books.filter(({ collection_key }) => collection_key === 'edubrisk');
    expect(edubrisk.map(({ reading_level }) => reading_level)).toEqual([1, 1, 2, 2, 3, 4, 5, 6]);
  });

  test('a search of the library finds part of a title in any case, with or without accents, and takes each character literally', async () => {
    await addBook(900, 'C++ (2)? Yes!');
    expect(titles(await classLibrary({ search: 'WET pu' }))).toEqual(['The Wet Pup']);
    expect(titles(await classLibrary({ search: 'grandma’s állot' }))).toEqual(["Grandma's Allotment Rap"]);
    expect(titles(await classLibrary({ search: 'C++ (2)?' }))).toEqual(['C++ (2)? Yes!']);
    for (const search of ['.*', 'W_t', '%', '+)', 'no such book'])
      expect(titles(await classLibrary({ search }))).toEqual([]);
  });

  test('the library filters by a range of levels, both ends included, and rejects an invalid range', async () => {
    const { books, meta } = await classLibrary({ level_from: '2', level_to: '3' });
    expect(new Set(books.map(({ reading_level }) => reading_level))).toEqual(new Set([2, 3]));
    expect(meta.total_filtered).toBe(books.length);
    expect(meta.total).toBeGreaterThan(books.length);
    expect((await classLibrary({ level_from: '1', level_to: '6' })).meta.total_filtered).toBe(meta.total);
    for (const query of ['level_from=0', 'level_to=7', 'level_from=4&level_to=3', 'per_page=1001', 'show=some']) {
      const path = `/enterprises/${school.id}/groups/${school.ownClass.id}/books?${query}`;
      expect((await app.ask('GET', path, admin)).status).toBe(422);
    }
  });

  test('the library counts the books of each collection that match the filters, in display order', async () => {
    await app.build.assign(school, { classId: school.ownClass.id }, [101, 205]);
    for (const query of [{ search: 'the' }, { level_from: '2', level_to: '3' }, { show: 'assigned' }] as const) {
      const { books, meta } = await classLibrary(query);
      expect(books.length).toBeGreaterThan(1);
      expect(meta.collections.flatMap(({ key, books_count }) => Array<string>(books_count).fill(key))).toEqual(
        books.map(({ collection_key }) => collection_key),
      );
    }
  });

  test('the pages of the library lose and repeat no book', async () => {
    const all = titles(await classLibrary({ show: 'unassigned' }));
    const pages: string[] = [];
    for (let page = 1; page <= Math.ceil(all.length / 20); page += 1)
      pages.push(...titles(await classLibrary({ show: 'unassigned', page: `${page}`, per_page: '20' })));
    expect(pages).toEqual(all);
    expect((await classLibrary({ page: '99', per_page: '20' })).books).toEqual([]);
  });

  test('the library of a class or pupil lists only assigned or only unassigned books', async () => {
    await app.build.assign(school, { classId: school.ownClass.id }, [101, 205]);
    await app.build.assign(school, { pupilId: ada.id }, [205, 303]);
    expect(assignedIds(await classLibrary({ show: 'assigned' }))).toEqual([101, 205]);
    const pupil = await pupilLibrary({ show: 'assigned' });
    expect(pupil.books.map(({ id }) => id)).toEqual([101, 205, 303]);
    expect(pupil.meta).toMatchObject({
      reader_name: 'Ada Baker',
      group: { id: school.ownClass.id },
      total_filtered: 3,
    });
    const unassigned = await pupilLibrary({ show: 'unassigned' });
    expect(unassigned.meta.total_filtered).toBe(unassigned.meta.total - 3);
    expect(assignedIds(unassigned)).toEqual([]);
  });
});

/** Whether the class has the book, the pupil has it, and the pupil is in the class; and what the pupil's library returns. */
const TRUTH_TABLE = [
  [false, false, false, { is_assigned: false, via: false, own: false, assigned_via: null }],
  [false, false, true, { is_assigned: false, via: false, own: false, assigned_via: null }],
  [false, true, false, { is_assigned: true, via: false, own: true, assigned_via: 'reader' }],
  [false, true, true, { is_assigned: true, via: false, own: true, assigned_via: 'reader' }],
  [true, false, false, { is_assigned: false, via: false, own: false, assigned_via: null }],
  [true, false, true, { is_assigned: true, via: true, own: false, assigned_via: 'group' }],
  [true, true, false, { is_assigned: true, via: false, own: true, assigned_via: 'reader' }],
  [true, true, true, { is_assigned: true, via: true, own: true, assigned_via: 'group' }],
] as const;

test.each(TRUTH_TABLE)(
  'the library shows how a book is assigned (class has the book: %s, pupil has the book: %s, pupil is in the class: %s)',
  async (classHas, pupilHas, isInClass, { is_assigned, via, own, assigned_via }) => {
    const pupil = isInClass ? ada : school.unplaced;
    const book = { bookId: 204 };
    if (classHas) await app.call(bookCalls.assignBookToClass, { params: { ...ofClass(), ...book }, ...teacher });
    if (pupilHas)
      await app.call(bookCalls.assignBookToPupil, { params: { ...ofPupil(pupil.id), ...book }, ...teacher });
    const { books } = await pupilLibrary({}, pupil.id);
    const state = { is_assigned, is_assigned_via_group: via, is_assigned_to_reader: own, assigned_via };
    expect(books.find(({ id }) => id === 204)).toMatchObject(state);
    expect(assignedIds({ books })).toEqual(is_assigned ? [204] : []);
    const ofTheClass = (await classLibrary()).books.find(({ id }) => id === 204);
    expect(ofTheClass).toMatchObject({
      is_assigned: classHas,
      is_assigned_via_group: classHas,
      is_assigned_to_reader: false,
      assigned_via: classHas ? 'group' : null,
    });
    const toRead = await app.call(readingAppCalls.listPupilBooks, { token: pupil.token });
    expect(toRead.reply.books.map(({ id, assigned_via: through }) => ({ id, through }))).toEqual(
      is_assigned ? [{ id: 204, through: assigned_via }] : [],
    );
  },
);

describe('assigning and removing', () => {
  test('assigning the whole catalogue to a class and removing it take one call each, which can be repeated', async () => {
    const all = (await classLibrary()).books.map(({ id }) => id);
    for (const _ of [1, 2]) {
      const sent = { params: ofClass(), body: { book_ids: all }, ...teacher };
      expect((await app.call(bookCalls.assignBooksToClass, sent)).status).toBe(200);
      expect(assignedIds(await pupilLibrary())).toEqual(all);
    }
    const { reply } = await app.call(schoolCalls.getSchool, { params: { id: school.id }, ...admin });
    expect(reply.enterprise.setup.has_setup_assigned_books).toBe(true);
    expect(reply.enterprise.groups.find(({ id }) => id === school.ownClass.id)?.assigned_book_count).toBe(all.length);
    for (const _ of [1, 2]) {
      const sent = { params: ofClass(), body: { book_ids: all }, ...teacher };
      expect((await app.call(bookCalls.removeBooksFromClass, sent)).status).toBe(200);
      expect(assignedIds(await pupilLibrary())).toEqual([]);
    }
    const log = await app.database.kysely
      .selectFrom('audit_log')
      .select(['action', 'details'])
      .where('school_id', '=', school.id)
      .orderBy('id')
      .execute();
    const details = { name: 'Year 3 Wrens', books: all.length };
    expect(log).toEqual([
      { action: 'books_assigned', details },
      { action: 'books_removed', details },
    ]);
  });

  test('a pupil keeps the books of the class when their own are removed', async () => {
    await app.build.assign(school, { classId: school.ownClass.id }, [101]);
    await app.call(bookCalls.assignBooksToPupil, { params: ofPupil(), body: { book_ids: [101, 102] }, ...teacher });
    await app.call(bookCalls.removeBooksFromPupil, { params: ofPupil(), body: { book_ids: [101, 102] }, ...teacher });
    expect(assignedIds(await pupilLibrary())).toEqual([101]);
    await app.call(bookCalls.removeBookFromPupil, { params: { ...ofPupil(), bookId: 101 }, ...teacher });
    expect(assignedIds(await pupilLibrary())).toEqual([101]);
    await app.call(bookCalls.removeBookFromClass, { params: { ...ofClass(), bookId: 101 }, ...teacher });
    expect(assignedIds(await pupilLibrary())).toEqual([]);
  });

  test('assigning a list with an unknown or withdrawn book answers 404 and assigns none of its books', async () => {
    await addBook(901, 'Gone', { withdrawn_at: new Date('2026-01-01') });
    for (const bookId of [901, 999_999]) {
      const rejection = await app.call(bookCalls.assignBookToPupil, { params: { ...ofPupil(), bookId }, ...admin });
      expect({ status: rejection.status, text: rejection.error.error }).toEqual({
        status: 404,
        text: 'We could not find this book.',
      });
      const body = { book_ids: [101, bookId] };
      expect((await app.call(bookCalls.assignBooksToClass, { params: ofClass(), body, ...admin })).status).toBe(404);
    }
    expect(assignedIds(await pupilLibrary())).toEqual([]);
    expect(titles(await classLibrary())).not.toContain('Gone');
  });

  test('assigning books to several pupils returns the new assignments, and exactly these can be removed again', async () => {
    const zoe = school.ownClass.pupils[1]?.id ?? 0;
    await app.build.assign(school, { pupilId: ada.id }, [101]);
    const params = { id: school.id };
    const body = { reader_ids: [ada.id, zoe], book_ids: [101, 205] };
    const { status, reply } = await app.call(bookCalls.assignBooksToPupils, { params, body, ...teacher });
    expect(status).toBe(200);
    expect(reply.assigned).toHaveLength(3);
    expect(reply.assigned).toEqual(
      expect.arrayContaining([
        { reader_id: ada.id, book_id: 205 },
        { reader_id: zoe, book_id: 101 },
        { reader_id: zoe, book_id: 205 },
      ]),
    );
    expect((await app.call(bookCalls.assignBooksToPupils, { params, body, ...teacher })).reply.assigned).toEqual([]);
    expect(assignedIds(await pupilLibrary({}, zoe))).toEqual([101, 205]);
    await app.call(bookCalls.removeBooksFromPupils, { params, body: { assigned: reply.assigned }, ...teacher });
    expect(assignedIds(await pupilLibrary())).toEqual([101]);
    expect(assignedIds(await pupilLibrary({}, zoe))).toEqual([]);
    const log = await app.database.kysely
      .selectFrom('audit_log')
      .select(['action', 'details'])
      .where('school_id', '=', school.id)
      .orderBy('id')
      .execute();
    const details = { books: 2, pupils: expect.arrayContaining([ada.id, zoe]) };
    expect(log).toEqual([
      { action: 'books_assigned', details },
      { action: 'books_removed', details },
    ]);
  });

  test('for several pupils a teacher sees how many have opened, finished and been assigned each book', async () => {
    const [, zoe] = school.ownClass.pupils;
    await app.build.reading(school, ada.id, [
      { book_id: 101, has_completed_book: true, last_page: 9 },
      { book_id: 101, has_completed_book: true, last_page: 9 },
      { book_id: 205 },
    ]);
    await app.build.reading(school, zoe?.id ?? 0, [{ book_id: 205 }]);
    await app.build.assign(school, { classId: school.ownClass.id }, [101]);
    await app.build.assign(school, { pupilId: ada.id }, [101, 303]);
    const call = { params: { id: school.id }, query: { reader_ids: `${ada.id},${zoe?.id}` }, ...teacher };
    const { status, reply } = await app.call(bookCalls.listBookStates, call);
    expect(status).toBe(200);
    expect(reply.books).toEqual([
      { id: 101, opened: 1, completed: 1, assigned: 2 },
      { id: 205, opened: 2, completed: 0, assigned: 0 },
      { id: 303, opened: 0, completed: 0, assigned: 1 },
    ]);
  });

  test('the level of several pupils is the commonest of their current levels, the lower one of two, and null without reading', async () => {
    const [, zoe] = school.ownClass.pupils;
    const levelOf = async (...ids: (number | undefined)[]) => {
      const query = { reader_ids: ids.join(',') };
      return (await app.call(bookCalls.listBookStates, { params: { id: school.id }, query, ...admin })).reply
        .reading_level;
    };
    expect(await levelOf(ada.id, zoe?.id)).toBeNull();
    const { books } = await classLibrary();
    const on = (day: string, level: number) => ({
      started_at: `${day}T10:00:00.000Z`,
      book_id: books.find(({ reading_level }) => reading_level === level)?.id ?? 0,
    });
    await app.build.reading(school, ada.id, [on('2026-11-10', 5), on('2026-11-12', 3), on('2026-11-12', 4)]);
    expect(await levelOf(ada.id, zoe?.id)).toBe(4);
    await app.build.reading(school, zoe?.id ?? 0, [on('2026-11-11', 2)]);
    expect(await levelOf(ada.id, zoe?.id)).toBe(2);
    const other = school.otherClass.pupils[0]?.id ?? 0;
    await app.build.reading(school, other, [on('2026-11-11', 4)]);
    expect(await levelOf(ada.id, zoe?.id, other)).toBe(4);
  });

  test('the states of books are for pupils to whom the user may assign books', async () => {
    const foreign = school.otherClass.pupils[0]?.id ?? 0;
    const read = (pupilIds: string) =>
      app.call(bookCalls.listBookStates, { params: { id: school.id }, query: { reader_ids: pupilIds }, ...teacher });
    expect((await read(`${ada.id},${foreign}`)).error.code).toBe('pupil_not_managed');
    expect((await read(`${ada.id},999999`)).status).toBe(404);
    expect((await read(Array.from({ length: 101 }, () => ada.id).join(','))).status).toBe(422);
  });

  test('one forbidden pupil or one withdrawn book stops the assignment to several pupils', async () => {
    const params = { id: school.id };
    const foreign = school.otherClass.pupils[0]?.id ?? 0;
    const body = { reader_ids: [ada.id, foreign], book_ids: [101] };
    expect((await app.call(bookCalls.assignBooksToPupils, { params, body, ...teacher })).status).toBe(409);
    const gone = { reader_ids: [ada.id], book_ids: [101, 999_999] };
    expect((await app.call(bookCalls.assignBooksToPupils, { params, body: gone, ...teacher })).status).toBe(404);
    expect(assignedIds(await pupilLibrary())).toEqual([]);
    await app.build.assign(school, { pupilId: foreign }, [101]);
    const assigned = [{ reader_id: foreign, book_id: 101 }];
    expect((await app.call(bookCalls.removeBooksFromPupils, { params, body: { assigned }, ...teacher })).status).toBe(
      409,
    );
    expect(assignedIds(await pupilLibrary({}, foreign))).toEqual([101]);
  });

  test('a teacher of another class cannot assign or remove one book or many', async () => {
    const params = ofClass(school.otherClass.id);
    const body = { book_ids: [101] };
    const pupilId = school.otherClass.pupils[0]?.id ?? 0;
    const answers = [
      await app.call(bookCalls.assignBooksToClass, { params, body, ...teacher }),
      await app.call(bookCalls.removeBooksFromClass, { params, body, ...teacher }),
      await app.call(bookCalls.assignBookToClass, { params: { ...params, bookId: 101 }, ...teacher }),
      await app.call(bookCalls.removeBookFromClass, { params: { ...params, bookId: 101 }, ...teacher }),
      await app.call(bookCalls.assignBooksToPupil, { params: ofPupil(pupilId), body, ...teacher }),
      await app.call(bookCalls.removeBooksFromPupil, { params: ofPupil(pupilId), body, ...teacher }),
      await app.call(bookCalls.assignBookToPupil, { params: { ...ofPupil(pupilId), bookId: 101 }, ...teacher }),
      await app.call(bookCalls.removeBookFromPupil, { params: { ...ofPupil(pupilId), bookId: 101 }, ...teacher }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 409));
    const seen = await app.call(bookCalls.listBooksForPupil, { params: ofPupil(pupilId), ...teacher });
    expect(seen.reply.meta.can_assign).toBe(false);
  });

  test('two concurrent assignments of the same book both succeed', async () => {
    const sent = { params: ofPupil(), body: { book_ids: [303, 101, 205] } };
    const answers = await Promise.all([
      app.call(bookCalls.assignBooksToPupil, { ...sent, ...admin }),
      app.call(bookCalls.assignBooksToPupil, { ...sent, ...teacher }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(assignedIds(await pupilLibrary())).toEqual([101, 205, 303]);
  });

  test('a pupil who changes class has the books of the new class and keeps their own', async () => {
    await app.build.assign(school, { classId: school.ownClass.id }, [101]);
    await app.build.assign(school, { classId: school.otherClass.id }, [205]);
    await app.build.assign(school, { pupilId: ada.id }, [303]);
    await app.call(classMembershipCalls.movePupils, {
      params: ofClass(school.otherClass.id),
      body: { reader_ids: [ada.id], source: school.ownClass.id },
      ...admin,
    });
    expect(assignedIds(await pupilLibrary())).toEqual([205, 303]);
  });
});

describe('what can be changed and who has read', () => {
  test('the library counts the assigned books on view, and those that can be removed from the owner', async () => {
    await app.build.assign(school, { classId: school.ownClass.id }, [101, 102]);
    await app.build.assign(school, { pupilId: ada.id }, [102, 103]);
    const counts = ({ meta: { assigned_filtered, removable_filtered } }: Library) => [
      assigned_filtered,
      removable_filtered,
    ];
    expect(counts(await classLibrary())).toEqual([2, 2]);
    expect(counts(await classLibrary({ show: 'unassigned' }))).toEqual([0, 0]);
    expect(counts(await classLibrary({ search: 'wet pup' }))).toEqual([1, 1]);
    expect(counts(await pupilLibrary())).toEqual([3, 1]);
  });

  test('a teacher sees which pupils of their class have opened and finished a book, and no other class’s', async () => {
    await app.build.reading(school, ada.id, [{ book_id: 101, has_completed_book: true, last_page: 9 }]);
    const call = { params: { ...ofClass(), bookId: 101 }, ...teacher };
    const first = await app.call(bookCalls.listBookReaders, call);
    expect(first.status).toBe(200);
    expect(first.reply.readers).toEqual([
      { id: ada.id, name: ada.name, has_opened: true, has_completed: true },
      expect.objectContaining({ has_opened: false, has_completed: false }),
    ]);
    const zoe = school.ownClass.pupils[1];
    await app.build.reading(school, zoe?.id ?? 0, [{ book_id: 101 }]);
    expect((await app.call(bookCalls.listBookReaders, call)).reply.readers[1]).toMatchObject({
      id: zoe?.id,
      has_opened: true,
      has_completed: false,
    });
    const inOtherClass = { params: { ...ofClass(school.otherClass.id), bookId: 101 }, ...teacher };
    expect((await app.call(bookCalls.listBookReaders, inOtherClass)).error.code).toBe('class_not_managed');
    const unknown = { params: { ...ofClass(), bookId: 999_999 }, ...teacher };
    expect((await app.call(bookCalls.listBookReaders, unknown)).status).toBe(404);
  });
});
