import { inIds } from '../database/in-ids.ts';
import type { SchoolDb } from '../database/school.ts';

/** The names of programs, also those that have ended. */
export async function namePrograms(db: SchoolDb, programIds: readonly (number | null)[]): Promise<Map<number, string>> {
  const ids = [...new Set(programIds.filter((id) => id !== null))];
  if (ids.length === 0) return new Map();
  const rows = await db.tx
    .selectFrom('programs')
    .select(['id', 'name'])
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A program by its ID. One whose row was deleted has only its number. */
export const findProgram = (
  names: ReadonlyMap<number, string>,
  id: number | null,
): { id: number; name: string } | null => (id === null ? null : { id, name: names.get(id) ?? `Program ${id}` });
