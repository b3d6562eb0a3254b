import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { BookReader, BookState } from '#contract/calls/books.ts';
import { containing } from '../../../database/like.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { Tables } from '../../../database/tables.ts';
import { titleKey } from '../catalogue/catalogue.public.ts';

/** A class (without a pupil), or a pupil with the pupil's class, if any. */
export interface LibraryOwner {
  classId: number | null;
  pupilId: number | null;
}

interface LibraryFilter {
  search: string;
  levelFrom: number;
  levelTo: number;
  show: 'all' | 'assigned' | 'unassigned';
  page: number;
  perPage: number;
}

export interface LibraryRow {
  id: number;
  title: string;
  description: string;
  collection_key: string;
  reading_level: number;
  pages_count: number;
  cover_version: string | null;
  preview_version: string | null;
  tags: { id: number; text: string }[];
  via_class: boolean;
  to_pupil: boolean;
}

type Books = ExpressionBuilder<Tables & { b: Tables['books'] }, 'b'>;

const viaClass = (db: SchoolDb, { classId }: LibraryOwner): RawBuilder<boolean> =>
  classId === null
    ? sql<boolean>`false`
    : sql<boolean>`b.id in (select book_id from class_books where school_id = ${db.schoolId} and class_id = ${classId})`;

const toPupil = (db: SchoolDb, { pupilId }: LibraryOwner): RawBuilder<boolean> =>
  pupilId === null
    ? sql<boolean>`false`
    : sql<boolean>`b.id in (select book_id from pupil_books where school_id = ${db.schoolId} and pupil_id = ${pupilId})`;

/** One list of both kinds, so that PostgreSQL finds a few assigned books by their IDs instead of scanning all. */
const assignedTo = (db: SchoolDb, { classId, pupilId }: LibraryOwner): RawBuilder<boolean> =>
  sql<boolean>`b.id in (
    select book_id from class_books where school_id = ${db.schoolId} and class_id = ${classId}::bigint
    union all
    select book_id from pupil_books where school_id = ${db.schoolId} and pupil_id = ${pupilId}::bigint)`;

/** The condition on books that the filters express. */
const matches = (db: SchoolDb, owner: LibraryOwner, filter: LibraryFilter) => (books: Books) => {
  const assigned = assignedTo(db, owner);
  return books.and([
    ...(filter.levelFrom > 1 ? [books('b.reading_level', '>=', filter.levelFrom)] : []),
    ...(filter.levelTo < 6 ? [books('b.reading_level', '<=', filter.levelTo)] : []),
    ...(filter.search ? [books('b.title_key', 'like', containing(titleKey(filter.search)))] : []),
    ...(filter.show === 'assigned' ? [assigned] : []),
    ...(filter.show === 'unassigned' ? [books.not(assigned)] : []),
  ]);
};

const bookRows = (db: SchoolDb, owner: LibraryOwner) =>
  db.tx
    .selectFrom('books as b')
    .select([
      'b.id',
      'b.title',
      'b.description',
      'b.collection_key',
      'b.reading_level',
      'b.pages_count',
      'b.cover_version',
      'b.preview_version',
    ])
    .select([
      sql<LibraryRow['tags']>`coalesce((select json_agg(json_build_object('id', t.id, 'text', t.text) order by t.text)
        from book_tags bt join tags t on t.id = bt.tag_id where bt.book_id = b.id), '[]')`.as('tags'),
      viaClass(db, owner).as('via_class'),
      toPupil(db, owner).as('to_pupil'),
    ]);

/** A page of the books that match the filters, in library order. */
export const listLibrary = (db: SchoolDb, owner: LibraryOwner, filter: LibraryFilter): Promise<LibraryRow[]> =>
  bookRows(db, owner)
    // The page's IDs come from the index first; otherwise all columns would be computed for skipped books too.
    .where('b.id', 'in', (from) =>
      from
        .selectFrom('books as b')
        .select('b.id')
        .where('b.withdrawn_at', 'is', null)
        .where(matches(db, owner, filter))
        .orderBy('b.library_position')
        .limit(filter.perPage)
        .offset((filter.page - 1) * filter.perPage),
    )
    .orderBy('b.library_position')
    .execute();

const isFiltered = ({ levelFrom, levelTo, search, show }: LibraryFilter): boolean =>
  levelFrom > 1 || levelTo < 6 || search !== '' || show !== 'all';

/** The collections in order, each with its number of books and the number that match the filters. */
export const countLibrary = (
  db: SchoolDb,
  owner: LibraryOwner,
  filter: LibraryFilter,
): Promise<{ key: string; title: string; total: number; filtered: number }[]> => {
  const collections = db.tx
    .selectFrom('collections as c')
    .select(['c.key', 'c.title', 'c.books_count as total'])
    .where('c.books_count', '>', 0)
    .orderBy('c.position');
  if (!isFiltered(filter)) return collections.select('c.books_count as filtered').execute();
  return collections
    .leftJoin(
      (from) =>
        from
          .selectFrom('books as b')
          .select(({ fn }) => ['b.collection_key', fn.countAll<number>().as('books')])
          .where('b.withdrawn_at', 'is', null)
          .where(matches(db, owner, filter))
          .groupBy('b.collection_key')
          .as('n'),
      (join) => join.onRef('n.collection_key', '=', 'c.key'),
    )
    .select(({ fn, val }) => fn.coalesce('n.books', val(0)).as('filtered'))
    .execute();
};

/** Of the books that match the filters: how many are assigned, and how many of these can be removed from the owner. */
export async function countAssigned(
  db: SchoolDb,
  owner: LibraryOwner,
  filter: LibraryFilter,
): Promise<{ assigned: number; removable: number }> {
  const isRemovable =
    owner.pupilId === null ? viaClass(db, owner) : sql<boolean>`${toPupil(db, owner)} and not ${viaClass(db, owner)}`;
  return db.tx
    .selectFrom('books as b')
    .select(({ fn }) => [
      fn.countAll<number>().as('assigned'),
      sql<number>`count(*) filter (where ${isRemovable})`.as('removable'),
    ])
    .where('b.withdrawn_at', 'is', null)
    .where(assignedTo(db, owner))
    .where(matches(db, owner, filter))
    .executeTakeFirstOrThrow();
}

/** The current pupils of a class by name, and whether each has opened and finished a book. */
export async function listPupilsOfBook(db: SchoolDb, classId: number, bookId: number): Promise<BookReader[]> {
  const { rows } = await sql<BookReader>`
    select p.id, p.name,
      exists (select from reading_sessions where school_id = ${db.schoolId} and pupil_id = p.id and book_id = ${bookId})
        or completed.pupil_id is not null as has_opened,
      completed.pupil_id is not null as has_completed
    from pupils p left join (
      select distinct pupil_id from book_completions where school_id = ${db.schoolId} and book_id = ${bookId}
        and pupil_id in (select id from pupils where school_id = ${db.schoolId} and class_id = ${classId})
    ) completed on completed.pupil_id = p.id
    where p.school_id = ${db.schoolId} and p.class_id = ${classId} and p.archived_at is null
    order by p.name_key, p.id`.execute(db.tx);
  return rows;
}

/** How many of some pupils have opened, completed and been assigned each book that any of them has. */
export async function listBookStates(db: SchoolDb, pupilIds: readonly number[]): Promise<BookState[]> {
  const { schoolId } = db;
  const isChosen = sql`school_id = ${schoolId} and pupil_id = any(${[...pupilIds]}::bigint[])`;
  const { rows } = await sql<BookState>`
    select book_id as id,
      count(distinct pupil_id) filter (where state in ('opened', 'completed')) as opened,
      count(distinct pupil_id) filter (where state = 'completed') as completed,
      count(distinct pupil_id) filter (where state = 'assigned') as assigned
    from (
      select distinct 'opened' as state, pupil_id, book_id from reading_sessions where ${isChosen}
      union all
      select distinct 'completed', pupil_id, book_id from book_completions where ${isChosen}
      union all
      select 'assigned', pupil_id, book_id from pupil_books where ${isChosen}
      union all
      select 'assigned', p.id, c.book_id from pupils p join class_books c on c.school_id = p.school_id and c.class_id = p.class_id
        where p.school_id = ${schoolId} and c.school_id = ${schoolId} and p.id = any(${[...pupilIds]}::bigint[])
    ) states group by book_id order by book_id`.execute(db.tx);
  return rows;
}

/** The commonest current level of some pupils, the lower one of two. Null if none of them has read. */
export async function findCommonestLevel(db: SchoolDb, pupilIds: readonly number[]): Promise<number | null> {
  const { schoolId } = db;
  const { rows } = await sql<{ reading_level: number }>`
    select latest.reading_level
    from pupils p cross join lateral (
      select reading_level from reading_days where school_id = ${schoolId} and pupil_id = p.id
      order by day desc, reading_level desc limit 1
    ) latest
    where p.school_id = ${schoolId} and p.id = any(${[...pupilIds]}::bigint[])
    group by latest.reading_level order by count(*) desc, latest.reading_level limit 1`.execute(db.tx);
  return rows[0]?.reading_level ?? null;
}

/** One book, including a withdrawn one, because pupils have read it. */
export const findLibraryBook = (db: SchoolDb, owner: LibraryOwner, bookId: number): Promise<LibraryRow | undefined> =>
  bookRows(db, owner).where('b.id', '=', bookId).executeTakeFirst();
