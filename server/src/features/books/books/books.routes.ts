import type { Library, libraryQuery, PupilBook } from '#contract/calls/books.ts';
import type { z } from 'zod';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { Services, StaffSession } from '../../../context.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { canAssignBooks, getClass, getClassForBooks, lockClassForBooks } from '../../school/classes/classes.public.ts';
import { getPupil, getPupilsForBooks } from '../../school/pupils/pupils.public.ts';
import {
  areOffered,
  assignBooks,
  assignBooksToPupils,
  type Assignee,
  removeBooks,
  removeBooksFromPupils,
} from './assignment.queries.ts';
import {
  countAssigned,
  countLibrary,
  findCommonestLevel,
  type LibraryOwner,
  listBookStates,
  listLibrary,
  listPupilsOfBook,
} from './library.queries.ts';
import { toBook } from './library.service.ts';

export const bookHandlers = defineHandlers({
  listClassBooks: {
    handle: async ({ db, me, params, query, services }) => {
      const { id, name, user_manages } = await getClass(db, me, params.groupId);
      const owner = { classId: id, pupilId: null };
      return readLibrary(db, services, owner, query, {
        reader_name: null,
        group: { id, name },
        can_assign: canAssignBooks(me, user_manages),
      });
    },
  },
  assignBooksToClass: {
    handle: async ({ params, body, ...context }) => changeClass(context, params.groupId, body.book_ids, 'assign'),
  },
  removeBooksFromClass: {
    handle: async ({ params, body, ...context }) => changeClass(context, params.groupId, body.book_ids, 'remove'),
  },
  assignBookToClass: {
    handle: async ({ params, ...context }) => changeClass(context, params.groupId, [params.bookId], 'assign'),
  },
  removeBookFromClass: {
    handle: async ({ params, ...context }) => changeClass(context, params.groupId, [params.bookId], 'remove'),
  },
  listBookReaders: {
    handle: async ({ db, me, params }) => {
      const { id } = await getClassForBooks(db, me, params.groupId);
      await assertOffered(db, [params.bookId]);
      return { readers: await listPupilsOfBook(db, id, params.bookId) };
    },
  },
  listBooksForPupil: {
    handle: async ({ db, me, params, query, services }) => {
      const pupil = await getPupil(db, me, params.readerId);
      const owner = { classId: pupil.group?.id ?? null, pupilId: pupil.id };
      return readLibrary(db, services, owner, query, {
        reader_name: pupil.name,
        group: pupil.group,
        can_assign: canAssignBooks(me, pupil.can_update),
      });
    },
  },
  assignBooksToPupil: {
    handle: async ({ params, body, ...context }) => changePupil(context, params.readerId, body.book_ids, 'assign'),
  },
  removeBooksFromPupil: {
    handle: async ({ params, body, ...context }) => changePupil(context, params.readerId, body.book_ids, 'remove'),
  },
  listBookStates: {
    handle: async ({ db, me, query }) => {
      await getPupilsForBooks(db, me, query.reader_ids);
      return {
        reading_level: await findCommonestLevel(db, query.reader_ids),
        books: await listBookStates(db, query.reader_ids),
      };
    },
  },
  assignBooksToPupils: {
    handle: async ({ db, me, body, now }) => {
      await getPupilsForBooks(db, me, body.reader_ids);
      await assertOffered(db, body.book_ids);
      const assigned = await assignBooksToPupils(db, body.reader_ids, body.book_ids, me.userId, now);
      await recordPupilBooks({ db, me, now }, assigned, 'assign');
      return { assigned };
    },
  },
  removeBooksFromPupils: {
    handle: async ({ db, me, body, now }) => {
      await getPupilsForBooks(db, me, [...new Set(body.assigned.map(({ reader_id: pupilId }) => pupilId))]);
      const removed = await removeBooksFromPupils(db, body.assigned);
      await recordPupilBooks({ db, me, now }, removed, 'remove');
      return {};
    },
  },
  assignBookToPupil: {
    handle: async ({ params, ...context }) => changePupil(context, params.readerId, [params.bookId], 'assign'),
  },
  removeBookFromPupil: {
    handle: async ({ params, ...context }) => changePupil(context, params.readerId, [params.bookId], 'remove'),
  },
});

async function readLibrary(
  db: SchoolDb,
  { config }: Services,
  owner: LibraryOwner,
  query: z.output<typeof libraryQuery>,
  whose: Pick<Library['meta'], 'reader_name' | 'group' | 'can_assign'>,
): Promise<Library> {
  const { search, level_from = 1, level_to = 6, show, page, per_page } = query;
  const filter = { search, levelFrom: level_from, levelTo: level_to, show, page, perPage: per_page };
  const collections = await countLibrary(db, owner, filter);
  const books = await listLibrary(db, owner, filter);
  const { assigned, removable } = await countAssigned(db, owner, filter);
  const sum = (key: 'total' | 'filtered') => collections.reduce((all, collection) => all + collection[key], 0);
  return {
    books: books.map((book) => toBook(config, book)),
    meta: {
      ...whose,
      collections: collections.map(({ key, title, filtered }) => ({ key, title, books_count: filtered })),
      total: sum('total'),
      total_filtered: sum('filtered'),
      assigned_filtered: assigned,
      removable_filtered: removable,
      page,
      per_page,
    },
  };
}

async function assertOffered(db: SchoolDb, bookIds: readonly number[]): Promise<void> {
  if (await areOffered(db, bookIds)) return;
  const text = bookIds.length > 1 ? 'Some of these books are no longer in the library. Reload it.' : undefined;
  throw new AppError('book_not_found', text ? { text } : {});
}

const ACTIONS = { assign: 'books_assigned', remove: 'books_removed' } as const;
type Change = keyof typeof ACTIONS;
interface ChangeContext {
  db: SchoolDb;
  me: StaffSession;
  now: Date;
}

const changeClass = async (
  context: ChangeContext,
  classId: number,
  bookIds: readonly number[],
  change: Change,
): Promise<Record<string, never>> => {
  const { id, name } = await lockClassForBooks(context.db, context.me, classId);
  return changeBooks(context, { kind: 'class', id }, bookIds, change, { name });
};

const changePupil = async (
  context: ChangeContext,
  pupilId: number,
  bookIds: readonly number[],
  change: Change,
): Promise<Record<string, never>> => {
  await getPupilsForBooks(context.db, context.me, [pupilId]);
  return changeBooks(context, { kind: 'pupil', id: pupilId }, bookIds, change, {});
};

async function changeBooks(
  { db, me, now }: ChangeContext,
  assignee: Assignee,
  bookIds: readonly number[],
  change: Change,
  details: { name?: string },
): Promise<Record<string, never>> {
  if (change === 'assign') await assertOffered(db, bookIds);
  const books =
    change === 'assign'
      ? await assignBooks(db, assignee, bookIds, me.userId, now)
      : await removeBooks(db, assignee, bookIds);
  if (books > 0)
    await recordChange(db, me, now, {
      action: ACTIONS[change],
      subjectKind: assignee.kind,
      subjectId: assignee.id,
      details: { ...details, books },
    });
  return {};
}

async function recordPupilBooks(
  { db, me, now }: ChangeContext,
  changed: readonly PupilBook[],
  change: Change,
): Promise<void> {
  if (changed.length === 0) return;
  await recordChange(db, me, now, {
    action: ACTIONS[change],
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: {
      pupils: [...new Set(changed.map(({ reader_id: pupilId }) => pupilId))],
      books: new Set(changed.map(({ book_id }) => book_id)).size,
    },
  });
}
