import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { documentedAs, id, ids, paging, readingLevel, text } from '../fields.ts';
import { MAX_BOOKS } from '../limits.ts';

/** A book as the library shows it to a class or to a pupil. */
export const bookSchema = z
  .strictObject({
    id,
    title: z.string(),
    description: z.string(),
    /** Address of the cover; `height` or `width` in its query asks for a size in pixels. Null without a cover. */
    cover_image: z.string().nullable(),
    /** Address of the preview, a PDF. Null without one. */
    preview: z.string().nullable(),
    reading_level: readingLevel,
    collection_key: z.string(),
    tags: z.array(z.strictObject({ id, text: z.string() })),
    pages_count: z.number().int(),
    /** Through the class or to the pupil. */
    is_assigned: z.boolean(),
    is_assigned_via_group: z.boolean(),
    is_assigned_to_reader: z.boolean(),
    /** A book assigned both ways counts as the class's. */
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
    /** Part of the title, in any case; every sign stands for itself. */
    search: text('Search for a text.', 'A search has at most 191 characters.', 191).trim().default(''),
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
    message: 'The range of levels ends before it starts.',
  });

const libraryReply = z.strictObject({
  books: z.array(bookSchema),
  meta: z.strictObject({
    /** The pupil's name; null in the library of a class. */
    reader_name: z.string().nullable(),
    /** The class: the pupil's, or null for a pupil without one. */
    group: z.strictObject({ id, name: z.string() }).nullable(),
    /** Whether the caller may assign and remove. */
    can_assign: z.boolean(),
    /** Collections in the order in which they are shown, with the number of their books that the filters leave. */
    collections: z.array(z.strictObject({ key: z.string(), title: z.string(), books_count: z.number().int() })),
    total: z.number().int(),
    total_filtered: z.number().int(),
    page: z.number().int(),
    per_page: z.number().int(),
  }),
});
export type Library = z.infer<typeof libraryReply>;

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
  'By collection, level and title. Without parameters: all books, up to 1,000. `search` finds part of a title in any case, `level_from` and `level_to` are included in the range.';
const ALL_OR_NONE =
  'Those that are assigned already stay as they are. An unknown book is a 404, and then none is assigned.';
const NOT_AN_ERROR = 'Books that are not assigned are passed over.';

export const bookCalls = defineCalls({
  listClassBooks: {
    method: 'GET',
    path: '/enterprises/{id}/groups/{groupId}/books',
    tag: 'Books',
    summary: 'The book library of a class',
    description: FILTERS,
    permission: 'view_school',
    example: { query: { search: 'the', level_from: '1', level_to: '3', show: 'all' } },
    params: ids('id', 'groupId'),
    query: libraryQuery,
    reply: libraryReply,
    errors: ['class_not_found'],
  },

  assignBooksToClass: {
    ...ofClass,
    ...manyBooks,
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
    method: 'POST',
    path: '/enterprises/{id}/groups/{groupId}/books/remove',
    tag: 'Books',
    summary: 'Remove books from a class',
    description: NOT_AN_ERROR,
    errors: CLASS_ERRORS,
  },

  assignBookToClass: {
    ...ofClass,
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
    method: 'DELETE',
    path: '/enterprises/{id}/groups/{groupId}/books/{bookId}',
    tag: 'Books',
    summary: 'Remove one book from a class',
    errors: CLASS_ERRORS,
  },

  listBooksForPupil: {
    method: 'GET',
    path: '/enterprises/{id}/readers/{readerId}/books',
    tag: 'Books',
    summary: 'The book library of a pupil',
    description: FILTERS,
    permission: 'view_school',
    example: { query: { show: 'assigned', page: '1', per_page: '50' } },
    params: ids('id', 'readerId'),
    query: libraryQuery,
    reply: libraryReply,
    errors: ['pupil_not_found'],
  },

  assignBooksToPupil: {
    ...ofPupil,
    ...manyBooks,
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
    method: 'POST',
    path: '/enterprises/{id}/readers/{readerId}/books/remove',
    tag: 'Books',
    summary: 'Remove books from a pupil',
    description: `${NOT_AN_ERROR} A book that the class has stays assigned through it.`,
    errors: PUPIL_ERRORS,
  },

  assignBookToPupil: {
    ...ofPupil,
    params: ids('id', 'readerId', 'bookId'),
    method: 'POST',
    path: '/enterprises/{id}/readers/{readerId}/books/{bookId}',
    tag: 'Books',
    summary: 'Assign one book to a pupil',
    errors: [...PUPIL_ERRORS, 'book_not_found'],
  },

  removeBookFromPupil: {
    ...ofPupil,
    params: ids('id', 'readerId', 'bookId'),
    method: 'DELETE',
    path: '/enterprises/{id}/readers/{readerId}/books/{bookId}',
    tag: 'Books',
    summary: 'Remove one book from a pupil',
    description: 'A book that the class has stays assigned through it.',
    errors: PUPIL_ERRORS,
  },
});
