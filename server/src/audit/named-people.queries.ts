import { type SqlBool, sql } from 'kysely';
import { stripAccents } from '#contract/strip-accents.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import type { SchoolDb } from '../database/school.ts';

/** The people whom a free text is about, by ID. */
export interface NamedPeople {
  pupils: number[];
  users: number[];
}

/** The words of a text or a name for comparing: lower case, without accents and initials. */
export const wordsOf = (text: string): string[] =>
  stripAccents(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);

/** The IDs of the entries of a school's audit log whose free text is about a person. */
export async function listEntriesAbout(
  db: SchoolDb | PlatformDb,
  schoolId: number,
  kind: keyof NamedPeople,
  id: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from audit_log
    where school_id = ${schoolId} and jsonb_exists(details, 'about')
      and details -> 'about' -> ${kind}::text @> to_jsonb(${id}::bigint)
    order by id`.execute(db.tx);
  return rows.map((row) => row.id);
}

/**
 * Finds entries that name people in their text, as releases before the one with `about` wrote them. The condition is that
 * of the index `audit_log_with_names`.
 */
const HAS_NAMES = sql<SqlBool>`(jsonb_exists_any(details, array['email', 'teacher', 'headers'])
  or jsonb_exists(details, 'reason') and action like 'impersonation%') and not jsonb_exists(details, 'about')`;

/** The next entries of the first school with entries that name people; undefined without any. */
export async function findEntriesWithNames(
  { tx }: PlatformDb,
  limit: number,
): Promise<{ schoolId: number; entryIds: number[] } | undefined> {
  const { rows: schools } = await sql<{ id: number }>`
    select school_id as id from audit_log where ${HAS_NAMES} order by school_id limit 1`.execute(tx);
  const [school] = schools;
  if (!school) return undefined;
  const { rows } = await sql<{ id: number }>`
    select id from audit_log where school_id = ${school.id} and ${HAS_NAMES} order by id limit ${limit}`.execute(tx);
  return { schoolId: school.id, entryIds: rows.map(({ id }) => id) };
}
