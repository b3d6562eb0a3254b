import { sql } from 'kysely';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** The pupil of a username, with their password hash. Usernames consist of lower-case letters, digits and hyphens. */
export async function findPupilLogin(db: PlatformDb, username: string) {
  const login = await db.tx
    .selectFrom('pupil_logins')
    .select(['school_id', 'pupil_id'])
    .where('username', '=', username.normalize('NFKC').toLowerCase())
    .executeTakeFirst();
  if (!login) return undefined;
  return db.tx
    .selectFrom('pupils as p')
    .innerJoin('schools as s', 's.id', 'p.school_id')
    .leftJoin('school_closings as c', 'c.school_id', 's.id')
    .select(['p.school_id', 'p.id', 'p.name', 'p.username', 'p.password_hash', 'p.archived_at', 's.recording_enabled'])
    .select(sql<boolean>`c.closed_at is not null`.as('is_school_closed'))
    .where('s.id', '=', login.school_id)
    .where('p.school_id', '=', login.school_id)
    .where('p.id', '=', login.pupil_id)
    .executeTakeFirst();
}

interface AssignedBook {
  id: number;
  title: string;
  reading_level: number;
  collection_key: string;
  pages_count: number;
  pages: string[];
  assigned_via: 'group' | 'reader';
}

/** A pupil's assigned books with their texts, by level and title; a book assigned both ways counts as the class's. */
export async function listAssignedBooks(db: SchoolDb, pupilId: number): Promise<AssignedBook[]> {
  const { rows } = await sql<AssignedBook>`
    with assigned as (
      select book_id, min(via) as assigned_via from (
        select book_id, 'reader' as via from pupil_books where school_id = ${db.schoolId} and pupil_id = ${pupilId}
        union all
        select b.book_id, 'group' from class_books b join pupils p on p.class_id = b.class_id
        where b.school_id = ${db.schoolId} and p.school_id = ${db.schoolId} and p.id = ${pupilId}
      ) both_ways group by book_id
    )
    select b.id, b.title, b.reading_level, b.collection_key, b.pages_count, assigned_via,
      array(select text from book_pages where book_id = b.id order by page) as pages
    from assigned join books b on b.id = assigned.book_id
    order by b.reading_level, b.title`.execute(db.tx);
  return rows;
}
