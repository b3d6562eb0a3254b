import type { QueryClient } from '@tanstack/react-query';
import { type Book, bookCalls, type Library, type PupilBook } from '#contract/calls/books.ts';
import { MAX_BOOKS } from '#contract/limits.ts';
import { call, type CallInput } from '../../../shared/api-client.ts';
import { apiQuery, queryKeyOf } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { parseId } from '../../../shared/parse-id.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { useOptimisticMutation } from '../../../shared/use-optimistic-mutation.ts';
import { callForPresent } from '../../../ui/present-pupils.ts';
import { BOOKS_A_PAGE } from './model/library-parts.ts';
import { libraryParameters, type LibraryState, readLibraryState } from './model/library-state.ts';

/** Whose books they are: a class's or a pupil's. */
export type LibraryOwner = { classId: number } | { pupilId: number };

/** The call of an owner's library and its parameters. Both calls have the same reply, so that one type covers both. */
function libraryCall(id: number, owner: LibraryOwner) {
  const spec = 'classId' in owner ? bookCalls.listClassBooks : bookCalls.listBooksForPupil;
  const params = 'classId' in owner ? { id, groupId: owner.classId } : { id, readerId: owner.pupilId };
  return {
    spec: spec as typeof bookCalls.listClassBooks,
    params: params as CallInput<typeof bookCalls.listClassBooks>['params'],
  };
}

/** A page of the books that match the filters. */
export function libraryQuery(schoolId: number, owner: LibraryOwner, state: LibraryState, page: number) {
  const { spec, params } = libraryCall(schoolId, owner);
  return apiQuery(spec, { params, query: { ...libraryParameters(state), page, per_page: BOOKS_A_PAGE } });
}

/** The first titles of a library that contain a text, for the palette. */
export function findBooksQuery(schoolId: number, owner: LibraryOwner, search: string) {
  const { spec, params } = libraryCall(schoolId, owner);
  return apiQuery(spec, { params, query: { search, per_page: 6 } });
}

/** Which pupils of a class have opened and finished a book. */
export const bookPupilsQuery = (id: number, classId: number, bookId: number) =>
  apiQuery(bookCalls.listBookReaders, { params: { id, groupId: classId, bookId } });

export const classLibraryQueries: FirstQueries = ({ schoolId, params, query }) => {
  const classId = parseId(params.classId);
  return classId === undefined ? [] : [libraryQuery(schoolId, { classId }, readLibraryState(query), 1)];
};

export const pupilLibraryQueries: FirstQueries = ({ schoolId, params, query }) => {
  const pupilId = parseId(params.id);
  return pupilId === undefined ? [] : [libraryQuery(schoolId, { pupilId }, readLibraryState(query), 1)];
};

/** The IDs of all books on view that `change` would change, up to `MAX_BOOKS`. */
export async function listBooksToChange(
  schoolId: number,
  owner: LibraryOwner,
  state: LibraryState,
  change: BookChange,
): Promise<number[]> {
  const show = change === 'assign' ? 'unassigned' : 'assigned';
  if (state.show !== 'all' && state.show !== show) return [];
  const { spec, params } = libraryCall(schoolId, owner);
  const query = { ...libraryParameters({ ...state, show }), per_page: String(MAX_BOOKS) };
  const { books } = await call(spec, { params, query });
  return books.filter((book) => change === 'assign' || canRemove(owner, book)).map(({ id }) => id);
}

/** A book assigned to the class cannot be removed from one pupil. */
export const canRemove = (owner: LibraryOwner, book: Book): boolean =>
  'classId' in owner ? book.is_assigned : book.is_assigned_to_reader && !book.is_assigned_via_group;

export type BookChange = 'assign' | 'remove';

/** The book after the change. */
function withChange(owner: LibraryOwner, book: Book, change: BookChange): Book {
  const isOn = change === 'assign';
  const viaClass = 'classId' in owner ? isOn : book.is_assigned_via_group;
  const toPupil = 'classId' in owner ? book.is_assigned_to_reader : isOn;
  return {
    ...book,
    is_assigned: viaClass || toPupil,
    is_assigned_via_group: viaClass,
    is_assigned_to_reader: toPupil,
    assigned_via: viaClass ? 'group' : toPupil ? 'reader' : null,
  };
}

const send = (id: number, owner: LibraryOwner, bookIds: readonly number[], change: BookChange): Promise<unknown> => {
  const [bookId = 0, ...more] = bookIds;
  const body = { book_ids: [...bookIds] };
  if ('classId' in owner) {
    const params = { id, groupId: owner.classId };
    if (more.length === 0)
      return change === 'assign'
        ? call(bookCalls.assignBookToClass, { params: { ...params, bookId } })
        : call(bookCalls.removeBookFromClass, { params: { ...params, bookId } });
    return call(change === 'assign' ? bookCalls.assignBooksToClass : bookCalls.removeBooksFromClass, { params, body });
  }
  const params = { id, readerId: owner.pupilId };
  if (more.length === 0)
    return change === 'assign'
      ? call(bookCalls.assignBookToPupil, { params: { ...params, bookId } })
      : call(bookCalls.removeBookFromPupil, { params: { ...params, bookId } });
  return call(change === 'assign' ? bookCalls.assignBooksToPupil : bookCalls.removeBooksFromPupil, { params, body });
};

/** The beginning of the keys of an owner's library, whatever its filters. */
const libraryKey = (owner: LibraryOwner) =>
  queryKeyOf('classId' in owner ? bookCalls.listClassBooks : bookCalls.listBooksForPupil);

const isOwn = (owner: LibraryOwner, queryKey: readonly unknown[]): boolean => {
  const { params } = (queryKey[1] ?? {}) as { params?: Record<string, unknown> };
  return 'classId' in owner ? params?.groupId === owner.classId : params?.readerId === owner.pupilId;
};

function showChange(client: QueryClient, owner: LibraryOwner, bookIds: readonly number[], change: BookChange): void {
  const changed = new Set(bookIds);
  client.setQueriesData<Library>(
    { queryKey: libraryKey(owner), predicate: ({ queryKey }) => isOwn(owner, queryKey) },
    (library) =>
      library && {
        ...library,
        books: library.books.map((book) => (changed.has(book.id) ? withChange(owner, book, change) : book)),
      },
  );
}

/** Assigns or removes books. */
export const useChangeBooks = (schoolId: number, owner: LibraryOwner) =>
  useOptimisticMutation({
    mutationKey: ['books', owner],
    mutationFn: ({ bookIds, change }: { bookIds: readonly number[]; change: BookChange }) =>
      send(schoolId, owner, bookIds, change),
    queryKey: libraryKey(owner),
    apply: (client, { bookIds, change }) => {
      showChange(client, owner, bookIds, change);
      return () => showChange(client, owner, bookIds, change === 'assign' ? 'remove' : 'assign');
    },
    // Everything is refetched: the counts of classes, books not started and the set-up checklist depend on it.
  });

/** What those pupils who still exist have done with each book, and how many they are. */
export const bookStatesQuery = (id: number, pupils: readonly { id: number; name: string }[]) => {
  const inputOf = (some: typeof pupils) => ({
    params: { id },
    query: { reader_ids: some.map((pupil) => pupil.id).join(',') },
  });
  const { queryKey, meta } = apiQuery(bookCalls.listBookStates, inputOf(pupils));
  return {
    // A copy, because the type of the key has that of the call's reply.
    queryKey: [...queryKey],
    ...(meta && { meta }),
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const { reply, present } = await callForPresent(pupils, (some) =>
        call(bookCalls.listBookStates, { ...inputOf(some), signal }),
      );
      return { ...reply, pupils: present.length };
    },
  };
};

/** Assigns books to several pupils. Returns the new assignments. */
export const useAssignBooks = (id: number) =>
  useInvalidatingMutation(({ pupilIds, bookIds }: { pupilIds: readonly number[]; bookIds: readonly number[] }) =>
    call(bookCalls.assignBooksToPupils, {
      params: { id },
      body: { reader_ids: [...pupilIds], book_ids: [...bookIds] },
    }),
  );

/** Takes back what `useAssignBooks` assigned. */
export const useUnassignBooks = (id: number) =>
  useInvalidatingMutation((assigned: readonly PupilBook[]) =>
    call(bookCalls.removeBooksFromPupils, { params: { id }, body: { assigned: [...assigned] } }),
  );
