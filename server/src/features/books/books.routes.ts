import type { Library, libraryQuery } from '#contract/calls/books.ts';
import type { z } from 'zod';
import { recordChange } from '../../audit/audit-log.queries.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import { defineHandlers, type Services, type StaffSession } from '../../http/pipeline.ts';
import { getClass, getOwnClass } from '../classes/classes.public.ts';
import { getOwnPupils, getPupil } from '../pupils/pupils.public.ts';
import { areOffered, assignToClass, assignToPupil, removeFromClass, removeFromPupil } from './assignment.queries.ts';
import { countLibrary, type LibraryOwner, listLibrary } from './library.queries.ts';
import { toBook } from './library.service.ts';

export const bookHandlers = defineHandlers({
  listClassBooks: {
    reads: true,
    handle: async ({ db, me, params, query, services }) => {
      const { id, name, user_manages } = await getClass(db, me, params.groupId);
      const owner = { classId: id, pupilId: null };
      return showLibrary(db, services, owner, query, {
        reader_name: null,
        group: { id, name },
        can_assign: user_manages,
      });
    },
  },
  assignBooksToClass: {
    handle: async ({ db, me, params, body, now }) => changeClass(db, me, params.groupId, body.book_ids, 'assign', now),
  },
  removeBooksFromClass: {
    handle: async ({ db, me, params, body, now }) => changeClass(db, me, params.groupId, body.book_ids, 'remove', now),
  },
  assignBookToClass: {
    handle: async ({ db, me, params, now }) => changeClass(db, me, params.groupId, [params.bookId], 'assign', now),
  },
  removeBookFromClass: {
    handle: async ({ db, me, params, now }) => changeClass(db, me, params.groupId, [params.bookId], 'remove', now),
  },
  listBooksForPupil: {
    reads: true,
    handle: async ({ db, me, params, query, services }) => {
      const pupil = await getPupil(db, me, params.readerId);
      const owner = { classId: pupil.group?.id ?? null, pupilId: pupil.id };
      return showLibrary(db, services, owner, query, {
        reader_name: pupil.name,
        group: pupil.group,
        can_assign: pupil.can_update,
      });
    },
  },
  assignBooksToPupil: {
    handle: async ({ db, me, params, body, now }) => changePupil(db, me, params.readerId, body.book_ids, 'assign', now),
  },
  removeBooksFromPupil: {
    handle: async ({ db, me, params, body, now }) => changePupil(db, me, params.readerId, body.book_ids, 'remove', now),
  },
  assignBookToPupil: {
    handle: async ({ db, me, params, now }) => changePupil(db, me, params.readerId, [params.bookId], 'assign', now),
  },
  removeBookFromPupil: {
    handle: async ({ db, me, params, now }) => changePupil(db, me, params.readerId, [params.bookId], 'remove', now),
  },
});

async function showLibrary(
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
  const sum = (key: 'total' | 'filtered') => collections.reduce((all, collection) => all + collection[key], 0);
  return {
    books: books.map((book) => toBook(config, book)),
    meta: {
      ...whose,
      collections: collections.map(({ key, title, filtered }) => ({ key, title, books_count: filtered })),
      total: sum('total'),
      total_filtered: sum('filtered'),
      page,
      per_page,
    },
  };
}

type Change = 'assign' | 'remove';
const ACTIONS = { assign: 'books_assigned', remove: 'books_removed' } as const;

async function refuseUnknown(db: SchoolDb, bookIds: readonly number[]): Promise<void> {
  if (await areOffered(db, bookIds)) return;
  const text = bookIds.length > 1 ? 'Some of these books are not in the library any more. Load it again.' : undefined;
  throw new AppError('book_not_found', text ? { text } : {});
}

async function changeClass(
  db: SchoolDb,
  me: StaffSession,
  classId: number,
  bookIds: readonly number[],
  change: Change,
  now: Date,
): Promise<Record<string, never>> {
  const { id, name } = await getOwnClass(db, me, classId);
  if (change === 'assign') await refuseUnknown(db, bookIds);
  const books =
    change === 'assign' ? await assignToClass(db, id, bookIds, me.userId, now) : await removeFromClass(db, id, bookIds);
  if (books > 0)
    await recordChange(db, me, now, {
      action: ACTIONS[change],
      subjectKind: 'class',
      subjectId: id,
      details: { name, books },
    });
  return {};
}

async function changePupil(
  db: SchoolDb,
  me: StaffSession,
  pupilId: number,
  bookIds: readonly number[],
  change: Change,
  now: Date,
): Promise<Record<string, never>> {
  await getOwnPupils(db, me, [pupilId]);
  if (change === 'assign') await refuseUnknown(db, bookIds);
  const books =
    change === 'assign'
      ? await assignToPupil(db, pupilId, bookIds, me.userId, now)
      : await removeFromPupil(db, pupilId, bookIds);
  if (books > 0)
    await recordChange(db, me, now, {
      action: ACTIONS[change],
      subjectKind: 'pupil',
      subjectId: pupilId,
      details: { books },
    });
  return {};
}
