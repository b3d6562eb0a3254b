import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { documentedAs, id, ids, paging, pupilIdsInQuery, readingLevel, text } from '../fields.ts';
import { MAX_BOOKS, MAX_BOOKS_FOR_PUPILS, MAX_PUPILS_WITH_BOOKS } from '../limits.ts';
import { pupilIds } from './login-cards.ts';
import { markChildData } from '../record-views.ts';

/** A book in the library of a class or a pupil. */
export const bookSchema = z
  .strictObject({
    id,
    title: z.string(),
    description: z.string(),
    /** URL of the cover; add `height` or `width` in pixels to its query. Null without a cover. */
    cover_image: z.string().nullable(),
    /** URL of the preview, a PDF; null without one. */
    preview: z.string().nullable(),
    reading_level: readingLevel,
    collection_key: z.string(),
    tags: z.array(z.strictObject({ id, text: z.string() })),
    pages_count: z.number().int(),
    /** Through the class or directly to the pupil. */
    is_assigned: z.boolean(),
    is_assigned_via_group: z.boolean(),
    is_assigned_to_reader: z.boolean(),
    /** `group` if the book is assigned both ways. */
    assigned_via: z.enum(['group', 'reader']).nullable(),
  })
  .meta({ id: 'Book' });
export type Book = z.infer<typeof bookSchema>;

const level = z
  .enum(['1', '2', '3', '4', '5', '6'], 'Reading levels run from 1 to 6.')
  .transform(Number)
  .register(documentedAs, { $ref: '#/$defs/ReadingLevel' });

export const libraryQuery = z
  .object({
    /** Part of the title, case-insensitive, without wildcards. */
    search: text('Enter something to search for.', 'A search has at most 191 characters.', 191).trim().default(''),
    level_from: level.optional(),
    level_to: level.optional(),
    show: z.enum(['all', 'assigned', 'unassigned'], 'Show all, assigned or unassigned.').default('all'),
    page: paging.page,
    per_page: text('Ask for 1 to 1000 books.')
      .regex(/^[1-9]\d{0,3}$/, `Ask for 1 to ${MAX_BOOKS} books.`)
      .transform(Number)
      .refine((books) => books <= MAX_BOOKS, `Ask for 1 to ${MAX_BOOKS} books.`)
      .default(MAX_BOOKS)
      .register(documentedAs, { type: 'integer', minimum: 1, maximum: MAX_BOOKS, default: MAX_BOOKS }),
  })
  .refine(({ level_from = 1, level_to = 6 }) => level_from <= level_to, {
    path: ['level_to'],
    message: 'The highest level must not be below the lowest.',
  });

const libraryReply = z.strictObject({
  books: z.array(bookSchema),
  meta: z.strictObject({
    /** The pupil's name; null in the library of a class. */
    reader_name: z.string().nullable(),
    /** The class: the pupil's, or null for a pupil without one. */
    group: z.strictObject({ id, name: z.string() }).nullable(),
    /** Whether the caller may assign and remove books. */
    can_assign: z.boolean(),
    /** The collections in display order, each with the number of books that match the filters. */
    collections: z.array(z.strictObject({ key: z.string(), title: z.string(), books_count: z.number().int() })),
    total: z.number().int(),
    total_filtered: z.number().int(),
    /** Of the books that match the filters: how many are assigned, and how many of these the caller could remove here. */
    assigned_filtered: z.number().int(),
    removable_filtered: z.number().int(),
    page: z.number().int(),
    per_page: z.number().int(),
  }),
});
export type Library = z.infer<typeof libraryReply>;

const bookReader = markChildData(
  z
    .strictObject({ id, name: z.string(), has_opened: z.boolean(), has_completed: z.boolean() })
    .meta({ id: 'BookReader' }),
  { pupil: 'id', fields: ['has_opened', 'has_completed'] },
);
export type BookReader = z.infer<typeof bookReader>;

/** What several pupils have done with a book. */
const bookState = z
  .strictObject({
    id,
    /** How many of the pupils have opened it. */
    opened: z.number().int(),
    completed: z.number().int(),
    /** How many have it, through the class or directly. */
    assigned: z.number().int(),
  })
  .meta({ id: 'BookState' });
export type BookState = z.infer<typeof bookState>;

const bookStates = markChildData(
  z.strictObject({
    /** The commonest current level of the pupils, the lower one of two; null if none of them has read. */
    reading_level: readingLevel.nullable(),
    /** Books that none of the pupils has opened or been assigned are absent. */
    books: z.array(bookState),
  }),
  { fields: ['reading_level', 'books'] },
);

/** A book assigned to a pupil, besides those of the class. */
const pupilBook = z.strictObject({ reader_id: id, book_id: id }).meta({ id: 'PupilBook' });
export type PupilBook = z.infer<typeof pupilBook>;

const bookIds = z.object({
  book_ids: z
    .array(id, 'book_ids is a list of ids.')
    .min(1, 'Choose at least one book.')
    .max(MAX_BOOKS, `Choose at most ${MAX_BOOKS} books at once.`),
});

const ofClass = { params: ids('id', 'groupId'), permission: 'manage_books' } as const;
const ofPupil = { params: ids('id', 'readerId'), permission: 'manage_books' } as const;
const CLASS_ERRORS = ['class_not_found', 'class_not_managed'] as const;
const PUPIL_ERRORS = ['pupil_not_found', 'pupil_not_managed'] as const;
const manyBooks = { body: bookIds, example: { body: { book_ids: [EXAMPLE.book, EXAMPLE.otherBook] } } } as const;

const FILTERS =
  'Sorted by collection, level and title; by default all books, up to 1,000. `search` matches part of a title and ignores case. `level_from` and `level_to` are inclusive.';
const ALL_OR_NONE =
  'Books that are already assigned stay assigned. An unknown book returns 404, and no book is assigned.';
const NOT_AN_ERROR = 'Books that are not assigned are ignored.';

export const bookCalls = defineCalls({
  listClassBooks: {
    method: 'GET',
    path: '/enterprises/{id}/groups/{groupId}/books',
    tag: 'Books',
    summary: 'The book library of a class',
    description: FILTERS,
    permission: 'view_pupils',
    example: { query: { search: 'the', level_from: 1, level_to: 3, show: 'all' } },
    program: { scope: 'books' },
    params: ids('id', 'groupId'),
    query: libraryQuery,
    reply: libraryReply,
    errors: ['class_not_found'],
  },

  assignBooksToClass: {
    ...ofClass,
    ...manyBooks,
    program: { scope: 'books' },
    method: 'POST',
    path: '/enterprises/{id}/groups/{groupId}/books',
    tag: 'Books',
    summary: 'Assign books to a class',
    description: ALL_OR_NONE,
    errors: [...CLASS_ERRORS, 'book_not_found'],
  },

  removeBooksFromClass: {
    ...ofClass,
    ...manyBooks,
    program: { scope: 'books' },
    method: 'POST',
    path: '/enterprises/{id}/groups/{groupId}/books/remove',
    tag: 'Books',
    summary: 'Remove books from a class',
    description: NOT_AN_ERROR,
    errors: CLASS_ERRORS,
  },

  assignBookToClass: {
    ...ofClass,
    program: { scope: 'books' },
    params: ids('id', 'groupId', 'bookId'),
    method: 'POST',
    path: '/enterprises/{id}/groups/{groupId}/books/{bookId}',
    tag: 'Books',
    summary: 'Assign one book to a class',
    errors: [...CLASS_ERRORS, 'book_not_found'],
  },

  removeBookFromClass: {
    ...ofClass,
    params: ids('id', 'groupId', 'bookId'),
    program: { scope: 'books' },
    method: 'DELETE',
    path: '/enterprises/{id}/groups/{groupId}/books/{bookId}',
    tag: 'Books',
    summary: 'Remove one book from a class',
    errors: CLASS_ERRORS,
  },

  listBookReaders: {
    ...ofClass,
    views: { what: 'page', screen: 'book' },
    params: ids('id', 'groupId', 'bookId'),
    method: 'GET',
    path: '/enterprises/{id}/groups/{groupId}/books/{bookId}/readers',
    tag: 'Books',
    summary: 'Which pupils of a class have opened and finished a book',
    description: 'The current pupils of the class by name.',
    reply: z.strictObject({ readers: z.array(bookReader) }),
    errors: [...CLASS_ERRORS, 'book_not_found'],
  },

  listBooksForPupil: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/books',
    tag: 'Books',
    summary: 'The book library of a pupil',
    description: FILTERS,
    permission: 'view_pupils',
    example: { query: { show: 'assigned', page: '1', per_page: '50' } },
    views: { what: 'page', screen: 'books' },
    program: { scope: 'books' },
    params: ids('id', 'readerId'),
    query: libraryQuery,
    reply: markChildData(libraryReply.extend({}), { fields: ['books'] }),
    errors: ['pupil_not_found'],
  },

  assignBooksToPupil: {
    ...ofPupil,
    ...manyBooks,
    program: { scope: 'books' },
    method: 'POST',
    path: '/enterprises/{id}/readers/{readerId}/books',
    tag: 'Books',
    summary: 'Assign books to a pupil',
    description: ALL_OR_NONE,
    errors: [...PUPIL_ERRORS, 'book_not_found'],
  },

  removeBooksFromPupil: {
    ...ofPupil,
    ...manyBooks,
    program: { scope: 'books' },
    method: 'POST',
    path: '/enterprises/{id}/readers/{readerId}/books/remove',
    tag: 'Books',
    summary: 'Remove books from a pupil',
    description: `${NOT_AN_ERROR} A book assigned to the class stays assigned through the class.`,
    errors: PUPIL_ERRORS,
  },

  listBookStates: {
    method: 'GET',
    path: '/enterprises/{id}/books/states',
    tag: 'Books',
    summary: 'How many of several pupils have opened, finished and been assigned each book',
    description:
      'For choosing books for these pupils, whichever classes they are in. A pupil’s current level is the highest one on the latest day with reading.',
    permission: 'manage_books',
    example: { query: { reader_ids: EXAMPLE.pupil } },
    views: { what: 'page', screen: 'books' },
    params: ids('id'),
    query: z.object({ reader_ids: pupilIdsInQuery(MAX_PUPILS_WITH_BOOKS) }),
    reply: bookStates,
    errors: PUPIL_ERRORS,
  },

  assignBooksToPupils: {
    method: 'POST',
    path: '/enterprises/{id}/readers/books',
    tag: 'Books',
    summary: 'Assign books to several pupils',
    description:
      'Whichever classes they are in, all or nothing. Books that a pupil has already stay assigned. `assigned` has the new assignments only, so that `POST …/readers/books/remove` can undo exactly this change.',
    permission: 'manage_books',
    example: { body: { reader_ids: [EXAMPLE.pupil, EXAMPLE.otherPupil], book_ids: [EXAMPLE.book] } },
    params: ids('id'),
    body: z.object({
      reader_ids: pupilIds.refine(
        (list) => list.length <= MAX_PUPILS_WITH_BOOKS,
        `Choose at most ${MAX_PUPILS_WITH_BOOKS} pupils.`,
      ),
      book_ids: z
        .array(id, 'book_ids is a list of ids.')
        .min(1, 'Choose at least one book.')
        .max(MAX_BOOKS_FOR_PUPILS, `Choose at most ${MAX_BOOKS_FOR_PUPILS} books.`),
    }),
    reply: z.strictObject({ assigned: z.array(pupilBook) }),
    errors: [...PUPIL_ERRORS, 'book_not_found'],
  },

  removeBooksFromPupils: {
    method: 'POST',
    path: '/enterprises/{id}/readers/books/remove',
    tag: 'Books',
    summary: 'Remove books from several pupils',
    description: `${NOT_AN_ERROR} Books assigned to a class stay assigned through the class.`,
    permission: 'manage_books',
    example: { body: { assigned: [{ reader_id: EXAMPLE.pupil, book_id: EXAMPLE.book }] } },
    params: ids('id'),
    body: z.object({
      assigned: z
        .array(pupilBook, 'assigned is a list of pupils and books.')
        .min(1, 'Choose at least one book.')
        .max(MAX_PUPILS_WITH_BOOKS * MAX_BOOKS_FOR_PUPILS, 'Choose fewer books.'),
    }),
    errors: PUPIL_ERRORS,
  },

  assignBookToPupil: {
    ...ofPupil,
    params: ids('id', 'readerId', 'bookId'),
    program: { scope: 'books' },
    method: 'POST',
    path: '/enterprises/{id}/readers/{readerId}/books/{bookId}',
    tag: 'Books',
    summary: 'Assign one book to a pupil',
    errors: [...PUPIL_ERRORS, 'book_not_found'],
  },

  removeBookFromPupil: {
    ...ofPupil,
    params: ids('id', 'readerId', 'bookId'),
    program: { scope: 'books' },
    method: 'DELETE',
    path: '/enterprises/{id}/readers/{readerId}/books/{bookId}',
    tag: 'Books',
    summary: 'Remove one book from a pupil',
    description: 'A book assigned to the class stays assigned through the class.',
    errors: PUPIL_ERRORS,
  },
});
